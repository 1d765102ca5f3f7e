"""The file: what it says, how it is written, what is refused."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from torch import nn

from angularpu import PUClassifier, __version__
from angularpu.cli.main import main
from angularpu.errors import DataError, ModelError
from angularpu.export import export_onnx
from angularpu.export.file import build_onnx

GOLDEN = Path(__file__).parents[1] / "golden" / "skops" / "model"
SMALL = {"method": "logistic_regression"}


@pytest.fixture(scope="module")
def model(frame, labels):
    return PUClassifier(**SMALL).fit(frame[0], labels)


@pytest.fixture
def directory(model, tmp_path):
    model.save(tmp_path / "model")
    return tmp_path / "model"


def fail(capsys, *arguments):
    """Return the one sentence that a command ends with."""
    assert main([str(each) for each in arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_the_command_writes_a_graph_with_an_input_for_every_column(directory, tmp_path, frame, model):
    assert main(["export", str(directory), "--onnx", str(tmp_path / "m.onnx")]) == 0
    session = onnxruntime.InferenceSession(tmp_path / "m.onnx")
    assert {each.name for each in session.get_inputs()} == set(frame[0].columns) - {"same"}  # which is constant
    assert [each.name for each in session.get_outputs()] == ["score", "probability", "prediction"]
    about = session.get_modelmeta().custom_metadata_map
    assert about["method"] == "logistic_regression"
    assert about["rule"] == model.decision_.rule
    assert np.float32(about["threshold"]) == np.float32(model.threshold_)
    assert json.loads(about["columns"]) == list(frame[0].columns)
    assert json.loads(about["classes"]) == [0, 1]
    assert about["angularpu"] == __version__


def test_equal_models_give_equal_bytes_without_paths(dense, labels):
    options = {"method": "angular", "epochs": 1, "encoder": "linear", "validation": "hold-out"}
    built = [build_onnx(PUClassifier(**options).fit(dense[0], labels).fitted_) for _ in range(2)]
    assert built[0] == built[1]
    assert b".py" not in built[0]


def test_a_row_has_the_same_score_by_itself(dense, labels):
    model = PUClassifier(**SMALL).fit(dense[0], labels)
    session = onnxruntime.InferenceSession(build_onnx(model.fitted_))
    alone, all_rows = (session.run(None, {"X": dense[1][:n]})[0] for n in (1, len(labels)))
    assert alone.shape == (1,)
    assert abs(alone[0] - all_rows[0]) <= 1e-6


def test_a_file_that_is_there_stays_unless_it_may_be_replaced(directory, tmp_path, capsys):
    path = tmp_path / "m.onnx"
    path.write_text("mine")
    assert "exists already" in fail(capsys, "export", directory, "--onnx", path)
    assert path.read_text() == "mine"
    assert main(["export", str(directory), "--onnx", str(path), "--force"]) == 0
    onnx.checker.check_model(str(path))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["m.onnx", "model"]


def test_a_column_named_like_an_output_is_refused(frame, labels, tmp_path):
    named = frame[0].rename(columns={"amount": "score"})
    model = PUClassifier(**SMALL).fit(named, labels)
    with pytest.raises(ModelError, match="a column cannot be called 'score' in an ONNX graph"):
        export_onnx(model.fitted_, tmp_path / "m.onnx")
    assert not list(tmp_path.iterdir())


class Loops(nn.Module):
    """A network whose way depends on the rows."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(5, 3)

    def forward(self, x):
        return self.layer(x) if x.sum().item() > 0 else self.layer(2 * x)


def test_an_encoder_that_cannot_be_traced_is_refused_in_one_sentence(dense, labels, tmp_path):
    model = PUClassifier(method="angular", encoder=Loops(), epochs=1, validation="hold-out").fit(dense[0], labels)
    with pytest.raises(ModelError, match="torch cannot trace the encoder Loops for ONNX"):
        export_onnx(model.fitted_, tmp_path / "m.onnx")


def test_a_base_that_cannot_be_stored_cannot_be_exported(dense, labels, tmp_path):
    from sklearn.neighbors import KNeighborsClassifier

    model = PUClassifier(method="spy", base=KNeighborsClassifier()).fit(dense[0], labels)
    with pytest.raises(ModelError, match="KNeighborsClassifier has no place in an ONNX graph; fit with one of Hist"):
        export_onnx(model.fitted_, tmp_path / "m.onnx")


def test_a_model_of_an_earlier_version_says_how_to_get_there(tmp_path, capsys):
    said = fail(capsys, "export", GOLDEN, "--onnx", tmp_path / "m.onnx")
    assert "load it in Python with trusted=True" in said


def test_an_existing_file_is_refused_in_python_too(model, tmp_path):
    (tmp_path / "m.onnx").touch()
    with pytest.raises(DataError, match="exists already"):
        export_onnx(model.fitted_, tmp_path / "m.onnx")


@pytest.mark.parametrize("package", ["onnx", "onnxscript"])
def test_without_the_packages_it_says_what_to_install(package, directory, tmp_path):
    script = f"""
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == {package!r} else find(name, *rest)
from angularpu.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
    command = [sys.executable, "-c", script, "export", str(directory), "--onnx", str(tmp_path / "m.onnx")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'angularpu[onnx]'" in done.stderr


def test_importing_the_package_imports_no_onnx():
    code = "import sys, angularpu, angularpu.export, angularpu.cli.main; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"onnx", "onnxscript", "onnxruntime"} & set(done.stdout.split())
