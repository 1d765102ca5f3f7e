"""Why rows score as they do: the known positives nearest to them, and the columns that moved their scores."""

from typing import Any

import numpy as np

from angularpu.data.rows import spread
from angularpu.errors import AngularPUError
from angularpu.explore.container import Sections
from angularpu.explore.gathering import Gathered
from angularpu.explore.neighbours import NEAREST, find_nearest, normalise_rows
from angularpu.explore.ranking import Ranking
from angularpu.explore.sphere import Sphere
from angularpu.methods.fitted import Fitted
from angularpu.model.explanation import Explainer, list_columns

COMPARED = 2_000  # known positives
COLUMNS = 6  # named for each row
SCORINGS = 200_000  # rows scored with one column changed


def add_neighbours(
    sections: Sections, gathered: Gathered, ranking: Ranking, *, sphere: Sphere | None
) -> dict[str, Any]:
    """Add the nearest known positives of the rows, by angle on the sphere or between prepared rows."""
    is_known = ranking.known[ranking.rows]
    if not is_known.any():
        return {"why_not": "no known positives are among these rows; --label names the column that marks them"}
    if gathered.z is not None and sphere is not None:
        place = np.arange(len(ranking.rows))
        known_place = spread(np.flatnonzero(is_known), COMPARED)
        found = find_nearest(gathered.z, gathered.z[known_place], place=place, known_place=known_place)
        how = f"by angle on the sphere of {sphere.whose}"
    else:
        place, unit = ranking.deep, normalise_rows(gathered.prepared)
        known = np.flatnonzero(is_known[place])
        found = find_nearest(unit, unit[known], place=place, known_place=place[known])
        how = "by angle between prepared rows, since the model has no network"
    sections.add("neighbours", found[0])
    sections.add("neighbour angles", found[1])
    return {"how": how, "each": NEAREST, "deep": len(place) != len(ranking.rows)}


def add_effects(sections: Sections, gathered: Gathered, ranking: Ranking, *, fitted: Fitted) -> dict[str, Any]:
    """Add the columns that moved the scores of the best rows most; say why not where there are none to name."""
    try:
        names = list_columns(fitted).names
        explainer = Explainer(fitted, min(COLUMNS, len(names)))
    except AngularPUError as error:
        return {"why_not": str(error)}
    rows = min(len(ranking.deep), max(100, SCORINGS // len(names)))
    found = explainer.explain(gathered.prepared[:rows])
    code = {name: number for number, name in enumerate(names)}
    count = len(explainer.headings) // 2
    column = np.array([[code[name] for name in found[f"column_{k}"].to_pylist()] for k in range(1, count + 1)])
    sections.add("effect columns", column.T.astype(np.uint16))
    sections.add("effects", np.stack([found[f"effect_{k}"] for k in range(1, count + 1)], axis=1).astype(np.float32))
    return {"names": list(names), "each": count, "rows": rows}
