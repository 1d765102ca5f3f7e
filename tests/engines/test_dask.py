"""Dask's partitions, scored as docs/scale.md shows it."""

import pandas as pd
import pytest

from angularpu import BatchScorer

pytestmark = pytest.mark.filterwarnings("ignore")  # of Dask's own code


def test_partitions_are_mapped_by_the_scorer(model, folder, rows):
    frames = pytest.importorskip("dask.dataframe", reason="Dask is not installed: pip install 'dask[dataframe]'")
    scorer = BatchScorer(model)
    data = frames.read_parquet(folder, columns=["a", "b", "c", "city"])
    scored = data.map_partitions(scorer, meta=scorer(data._meta)).compute(scheduler="processes", num_workers=2)
    pd.testing.assert_frame_equal(scored.reset_index(drop=True), scorer(rows))
