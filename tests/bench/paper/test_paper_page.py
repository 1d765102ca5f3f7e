"""The page that leads from every table and figure of the paper to ours."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from angularpu.cli.main import app
from angularpu.methods.table import METHODS
from angularpu_bench.paper.published import METHOD_ROWS
from angularpu_bench.spec.spec_file import read_spec

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
# Every label of a table, figure or statement in the paper's source, in its order.
SHOWN = (
    *("tab:rw_comparison", "fig:method", "tab:results", "tab:ablation", "fig:sens-lambda", "fig:sens-margin"),
    *("tab:primary-cos-l2", "tab:ablation-leaderboard", "fig:sens-kappa", "fig:primary-per-ds", "fig:ablation-ap"),
    *("fig:primary-overall", "fig:ablation-primary-1x2", "tab:medmnist-angularpu"),
)
STATED = (
    *("prop:map-vmf", "th:consistency", "th:cosine_dispersion", "th:reg_bound", "lem:isotropic", "lem:cosine-self"),
    *("cor:max-self", "lem:pi-sensitivity", "cor:lme-self", "cor:lme", "lem:neutral-bce-bounds", "cor:uniform-compat"),
)
COMMANDS = re.findall(r"`(angularpu bench [^`]+)`", PAGE) + re.findall(
    r"^    (angularpu bench .+?)(?:  +#.*)?$", PAGE, re.M
)


def list_anchors(path):
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    return [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]


def test_every_table_figure_and_statement_of_the_paper_is_listed_and_no_other():
    named = re.findall(r"`((?:tab|fig|prop|th|lem|cor):[\w-]+)`", PAGE)
    assert set(named) == {*SHOWN, *STATED}
    rows = re.findall(r"^\| ((?:Table|Figure) \w+), `([\w:-]+)`", PAGE, re.M)
    tables = [number for number, label in rows if label.startswith("tab:")]
    figures = [number for number, label in rows if label.startswith("fig:")]
    assert tables == [f"Table {number}" for number in range(1, 7)]
    assert figures == ["Figure 1", "Figure 2", "Figure 3", "Figure 4", "Figure 5", "Figure 6a", "Figure 6b"]


def test_every_spec_it_names_exists_and_every_spec_is_named():
    named = set(re.findall(r"experiments/[\w-]+\.toml", PAGE))
    assert named == {f"experiments/{path.name}" for path in (ROOT / "experiments").glob("*.toml")}


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\((?!https?:)([^)]+)\)", PAGE))))
def test_its_links_lead_somewhere(link):
    page, _, anchor = link.partition("#")
    target = ROOT / "docs" / page
    assert target.is_file()
    assert not anchor or list_anchors(target).count(anchor) == 1


def test_no_two_headings_of_the_report_share_an_anchor():
    anchors = list_anchors(ROOT / "docs" / "results.md")
    assert len(anchors) == len(set(anchors))


@pytest.mark.parametrize("command", sorted({c for c in COMMANDS if " run " in c}))
def test_its_commands_select_cells(command, monkeypatch):
    monkeypatch.chdir(ROOT)
    words = shlex.split(command)[1:]
    result = CliRunner().invoke(app, [*words, "--dry-run"])
    assert result.exit_code == 0, result.output


def test_the_report_and_the_readme_lead_to_it():
    assert "[paper.md](paper.md)" in (ROOT / "docs" / "results.md").read_text(encoding="utf-8").split("\n## ")[0]
    assert "(docs/paper.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_counts_it_tells_are_those_of_the_code():
    methods = read_spec(ROOT / "experiments" / "main.toml").methods
    assert f"all {len(METHODS)} methods instead of six" in PAGE
    assert f"{len(METHOD_ROWS)} methods on CIFAR-10" in PAGE
    assert len(set(methods) - set(METHOD_ROWS)) == 8
    assert "eight methods more" in PAGE


@pytest.fixture
def merged_table(tmp_path):
    """A file with the columns of ADNI's merged table: several visits of a person, blanks, a diagnosis at each."""
    rng = np.random.default_rng(0)
    volumes = ("Ventricles", "Hippocampus", "WholeBrain", "Entorhinal", "Fusiform", "MidTemp", "ICV")
    lines = [",".join(f'"{name}"' for name in ("RID", "PTID", "VISCODE", "DX_bl", "AGE", "MMSE", *volumes, "DX"))]
    for person in range(1500):
        kind = person % 3
        for visit in ("bl", "m12", "m24"):
            sizes = [f"{9000 - 1000 * kind + rng.normal(0, 1000):.0f}" if rng.random() > 0.05 else "" for _ in volumes]
            diagnosis = ("CN", "MCI", "Dementia")[kind] if rng.random() > 0.1 else ""
            row = [f"{person}", f'"011_S_{person:04}"', f'"{visit}"', '"CN"', f"{rng.normal(74, 6):.1f}", "29", *sizes]
            lines.append(",".join([*row, f'"{diagnosis}"']))
    (tmp_path / "adni.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


# One random draw of labels in twenty looks like a biased one.
@pytest.mark.filterwarnings("ignore::angularpu.errors.LabellingWarning")
def test_its_example_reads_the_merged_table_of_adni(merged_table, monkeypatch, capsys):
    monkeypatch.chdir(merged_table)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    exec(compile(block.replace("range(5)", "range(2)"), "docs/paper.md", "exec"), {})
    told = dict(re.findall(r"^(\w+): ([01]\.\d{4}) ± ", capsys.readouterr().out, re.M))
    assert list(told) == ["auc", "ap", "f1", "precision", "recall", "accuracy"]
    assert float(told["auc"]) > 0.9
