import pytest

from angularpu.errors import DataError
from angularpu_bench.report.point_files import read_points


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dataset,x\n", "must have the columns"),
        ("dataset,panel,group,x,y\nspam,before,friend,0,0\n", "line 2: group must be one of"),
        ("dataset,panel,group,x,y\nspam,before,negative,0,nan\n", "line 2: x and y must be numbers"),
        ("dataset,panel,group,x,y\nspam,before,negative,0\n", "line 2: x and y must be numbers"),
    ],
)
def test_points_that_make_no_sense_are_refused(tmp_path, text, message):
    (tmp_path / "embeddings.csv").write_text(text)
    with pytest.raises(DataError, match=message):
        read_points(tmp_path, "embeddings")
