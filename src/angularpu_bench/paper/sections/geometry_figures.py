"""Pictures of cosine against distance: by data set, overall, and the whole leaderboard, with published means."""

from collections.abc import Mapping

from angularpu.figures.picture import Picture
from angularpu_bench.paper.published import Published
from angularpu_bench.report.bars import Bar, make_bars
from angularpu_bench.report.names import name_dataset, order_datasets
from angularpu_bench.report.panels import make_bar_picture
from angularpu_bench.report.results import Results
from angularpu_bench.report.section import Part

SIDES = ("cosine", "l2")  # the rows of the published comparison
ABOUT = "mean and deviation; cosine red, distance pale, diamonds what was published"


def draw_geometry(results: Results, published: Published, *, pair: tuple[str, str], track: str) -> list[Part]:
    """Draw one track.

    Parameters
    ----------
    results : Results
        Finished rows; without any, nothing is drawn.
    published : Published
    pair : tuple of str
        The rows of the primary configuration, cosine first.
    track : str
    """
    parts: list[Part] = []
    datasets = order_datasets(
        name for name in results.distinct("dataset") if any(row.label in pair for row in results.where(dataset=name))
    )
    if datasets:
        panels = {
            name_dataset(name): _pair_bars(results.where(dataset=name), published, pair=pair, printed=name)
            for name in datasets
        }
        caption = f"Average precision of the primary configuration by data set, over seeds: {ABOUT}."
        parts.append(make_bar_picture(panels, name=f"geometry-{track}", caption=caption, metric="AP"))
    if len(datasets) > 1:
        overall = {"": _pair_bars(results, published, pair=pair, printed="Overall")}
        caption = f"Average precision of the primary configuration over all data sets and seeds: {ABOUT}."
        parts.append(make_bar_picture(overall, name=f"geometry-overall-{track}", caption=caption, metric="AP", width=5))
    if results:
        parts.append(_draw_leaderboard(results, published, track=track))
    return parts


def _pair_bars(results: Results, published: Published, *, pair: tuple[str, str], printed: str) -> list[Bar]:
    rows = {label: published.row("cosine_vs_l2", printed, side) for label, side in zip(pair, SIDES, strict=True)}
    means = {label: row["ap"].mean for label, row in rows.items() if row}
    return [bar for label in pair for bar in make_bars(results.where(label=label), metric="ap", published=means)]


def _draw_leaderboard(results: Results, published: Published, *, track: str) -> Picture:
    means: Mapping[str, float] = {
        label: published.row("leaderboard", "overall", label)["ap"].mean
        for label in published.names("leaderboard", "overall")
    }
    bars = {"": make_bars(results, metric="ap", published=means)}
    caption = f"Average precision of the leaderboard's rows over all data sets and seeds: {ABOUT}."
    return make_bar_picture(bars, name=f"leaderboard-{track}", caption=caption, metric="AP", width=6)
