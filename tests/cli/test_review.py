"""Lists for people who look at rows: score --top, --sort, --out-of-fold, --explain, and info --importance."""

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

import angularpu
from angularpu.cli.main import main
from angularpu.model.directory import read_model
from angularpu.model.explanation import Explainer
from angularpu.model.review_list import write_review_list
from angularpu.model.score_file import score_file

QUICK = ("--method", "angular", "--set", "epochs=2", "--set", "encoder=linear")


def run(*arguments):
    assert main([str(argument) for argument in arguments]) == 0


@pytest.fixture(scope="module")
def plain(files, model, tmp_path_factory):
    """All scores of the rows, in their order."""
    out = tmp_path_factory.mktemp("plain") / "all.parquet"
    run("score", model, files / "data.csv", "--id", "key", "--out", out)
    return pq.read_table(out).to_pandas()


@pytest.mark.parametrize("name", ["data.csv", "data.parquet"])
@pytest.mark.parametrize("piece_rows", [7, 100, 1000])
def test_the_best_rows_come_first_whatever_the_pieces(files, model, plain, table, tmp_path, name, piece_rows):
    out = tmp_path / "top.parquet"
    found = write_review_list(
        read_model(model), files / name, out=out, top=20, ids=["key"], label="s", piece_rows=piece_rows
    )
    hidden = plain.assign(row=np.arange(len(plain)) + 1)[table["s"].to_numpy() == 0]
    expected = hidden.sort_values("score", ascending=False, kind="stable").head(20)
    top = pq.read_table(out)
    assert top.schema.names == ["row", "key", "score", "probability", "prediction"]
    assert top["key"].to_pylist() == expected["key"].tolist()
    assert top["row"].to_pylist() == expected["row"].tolist()
    assert (found.n, found.read, found.known) == (20, 400, 60)


def test_sort_lists_all_rows_and_says_that_it_cannot_tell_known_ones(files, model, plain, tmp_path, capsys):
    out = tmp_path / "sorted.csv"
    run("score", model, files / "data.csv", "--id", "key", "--sort", "--out", out)
    listed = pacsv.read_csv(out, convert_options=pacsv.ConvertOptions(column_types={"key": pa.string()}))
    assert listed["key"].to_pylist() == plain.sort_values("score", ascending=False, kind="stable")["key"].tolist()
    assert "400 of 400 rows listed (known positives among them, if any: --label tells)" in capsys.readouterr().err


def test_more_than_there_are_is_all_there_are(files, model, tmp_path, capsys):
    run("score", model, files / "data.csv", "--label", "s", "--top", "9999", "--out", tmp_path / "o.csv")
    assert "340 of 400 rows listed (60 known positives left out)" in capsys.readouterr().err


def test_out_of_fold_scores_are_those_that_chose_the_threshold_in_any_order(files, model, table, tmp_path):
    fitted = read_model(model)
    s = table["s"].to_numpy()
    order = np.random.default_rng(5).permutation(400)
    pq.write_table(table.take(pa.array(order)), tmp_path / "mixed.parquet")
    score_file(fitted, tmp_path / "mixed.parquet", out=tmp_path / "o.parquet", out_of_fold=True, piece_rows=64)
    found = np.empty(400, np.float32)
    found[order] = pq.read_table(tmp_path / "o.parquet")["score"].to_numpy()
    np.testing.assert_array_equal(found[s == 1], fitted.held.score_pos)
    np.testing.assert_array_equal(found[s == 0], fitted.held.score_unl)
    assert not np.array_equal(found, fitted.score(angularpu.data.as_rows(table.drop_columns(["key", "s"]))))


def test_a_list_of_out_of_fold_scores_knows_the_known_positives_itself(files, model, table, tmp_path, capsys):
    out = tmp_path / "o.parquet"
    run("score", model, files / "data.csv", "--id", "key", "--out-of-fold", "--top", "340", "--out", out)
    assert "(60 known positives left out)" in capsys.readouterr().err
    unlabelled = {key for key, s in zip(*(table[name].to_pylist() for name in ("key", "s")), strict=True) if s == 0}
    assert set(pq.read_table(out)["key"].to_pylist()) == unlabelled


@pytest.mark.parametrize("change", ["another row", "a row twice"])
def test_a_file_that_is_not_the_training_data_is_refused(files, model, tmp_path, capsys, change):
    lines = (files / "data.csv").read_text().splitlines(keepends=True)
    lines[9] = lines[8] if change == "a row twice" else lines[9].replace(",", ",9", 2)
    (tmp_path / "other.csv").write_text("".join(lines))
    out = tmp_path / "o.csv"
    assert main(["score", str(model), str(tmp_path / "other.csv"), "--out-of-fold", "--out", str(out)]) == 2
    assert "Error: row 9 is not one of the rows that the model was fitted on" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("method", ["bagging", "elkan_noto", "naive", "nnpu", "spy"])
def test_every_method_that_has_folds_keeps_its_out_of_fold_scores(method, files, tmp_path):
    quick = QUICK if method in {"naive", "nnpu"} else ("--set", "rounds=2") if method == "bagging" else ()
    path, out = tmp_path / "model", tmp_path / "o.parquet"
    run(
        "fit",
        files / "data.npz",
        "--label",
        "s",
        "--id",
        "key",
        "--method",
        method,
        "--prior",
        "0.5",
        "--out",
        path,
        *quick,
    )
    run("score", path, files / "unlabelled.npy", "--out-of-fold", "--out", out)
    np.testing.assert_array_equal(pq.read_table(out)["score"].to_numpy(), read_model(path).held.score_unl)


def test_a_model_without_folds_says_how_to_get_them(files, tmp_path, capsys):
    path = tmp_path / "model"
    run("fit", files / "data.npz", "--label", "s", "--id", "key", "--out", path, *QUICK, "--set", "validation=hold-out")
    assert main(["score", str(path), str(files / "data.npy"), "--out-of-fold", "--out", str(tmp_path / "o.csv")]) == 2
    assert "--set validation=folds" in capsys.readouterr().err


def test_equal_rows_each_get_their_own_score(tmp_path):
    x = np.repeat(np.random.default_rng(0).normal(size=(60, 3)), 2, axis=0)
    np.savez(tmp_path / "d.npz", X=x, s=(np.arange(120) % 2 == 0) & (np.arange(120) < 60))
    run("fit", tmp_path / "d.npz", "--label", "s", "--out", tmp_path / "m", *QUICK)
    np.save(tmp_path / "x.npy", x)
    run("score", tmp_path / "m", tmp_path / "x.npy", "--out-of-fold", "--out", tmp_path / "o.parquet")
    held = read_model(tmp_path / "m").held
    found = pq.read_table(tmp_path / "o.parquet")["score"].to_numpy()
    np.testing.assert_array_equal(np.sort(found), np.sort(np.concatenate([held.score_pos, held.score_unl])))
    np.testing.assert_array_equal(found[:60:2], held.score_pos)


def test_an_explanation_is_what_one_column_at_a_time_changes(files, model, table, tmp_path):
    out = tmp_path / "o.parquet"
    run("score", model, files / "data.csv", "--label", "s", "--top", "5", "--explain", "2", "--out", out)
    listed = pq.read_table(out)
    assert listed.schema.names[-4:] == ["column_1", "effect_1", "column_2", "effect_2"]
    rows = table.drop_columns(["key", "s"]).to_pandas()
    unlabelled = rows[table["s"].to_numpy() == 0]
    typical = {name: unlabelled[name].quantile(0.5, interpolation="lower") for name in "abcd"}
    typical["city"] = unlabelled["city"].mode()[0]
    fitted = read_model(model)
    score = lambda frame: fitted.score(angularpu.data.as_rows(frame))  # noqa: E731
    for each in listed.to_pylist():
        row = rows.iloc[[each["row"] - 1]]
        effects = {
            name: float(score(row)[0] - score(row.assign(**{name: value}))[0]) for name, value in typical.items()
        }
        first, second, *_ = sorted(effects, key=lambda name: -abs(effects[name]))
        assert (each["column_1"], each["column_2"]) == (first, second)
        assert each["effect_1"] == pytest.approx(effects[first], abs=1e-5)


def test_every_row_is_explained_alike_in_the_list_and_in_the_files_order(files, model, tmp_path):
    listed, whole, best = (tmp_path / f"{name}.parquet" for name in ("sorted", "whole", "best"))
    run("score", model, files / "data.csv", "--id", "key", "--sort", "--explain", "1", "--out", listed)
    run("score", model, files / "data.csv", "--id", "key", "--explain", "1", "--out", whole)
    run("score", model, files / "data.csv", "--id", "key", "--top", "30", "--explain", "1", "--out", best)
    one, two, three = (pq.read_table(path).to_pandas().set_index("key") for path in (listed, whole, best))
    assert one.drop(columns="row").sort_index().equals(two.sort_index())
    assert three.equals(one.head(30))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--label", "s"], "pass --top N or --sort with it"),
        (["--explain", "6"], "--explain must lie between 1 and 5"),
        (["--top", "3", "--id", "row"], "the id column cannot be called 'row'"),
        (["--top", "0"], "--top"),
        (["--top", "3", "--label", "t"], "no column 't'"),
    ],
)
def test_a_list_that_cannot_be_made_is_refused(files, model, tmp_path, capsys, options, said):
    out = tmp_path / "o.csv"
    assert main(["score", str(model), str(files / "data.csv"), "--out", str(out), *options]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_a_file_of_known_positives_alone_has_nothing_to_list(model, table, tmp_path, capsys):
    pq.write_table(table.filter(pa.array(table["s"].to_numpy() == 1)), tmp_path / "p.parquet")
    options = ["--label", "s", "--top", "5", "--out", str(tmp_path / "o.csv")]
    assert main(["score", str(model), str(tmp_path / "p.parquet"), *options]) == 2
    assert "no rows besides known positives" in capsys.readouterr().err


@pytest.fixture(scope="module")
def telling(tmp_path_factory):
    """A model of rows of which one column tells all, another nothing, and other rows of the same kind."""
    folder, rng = tmp_path_factory.mktemp("telling"), np.random.default_rng(0)
    for name in ("train", "fresh"):
        y = rng.random(600) < 0.5
        columns = {"noise": rng.normal(size=600), "size $x$": rng.normal(2.5 * y), "kind": rng.choice(["u", "v"], 600)}
        pacsv.write_csv(pa.table({**columns, "s": (y & (rng.random(600) < 0.4)).astype(int)}), folder / f"{name}.csv")
    run("fit", folder / "train.csv", "--label", "s", "--method", "elkan_noto", "--out", folder / "m")
    return folder


def test_columns_are_ranked_by_what_shuffling_them_costs(telling, capsys):
    options = ["--label", "s", "--json", "--plot", str(telling / "bars.svg")]
    run("info", telling / "m", "--importance", telling / "fresh.csv", *options)
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["names"][0] == "size $x$"
    assert found["loss"][0] > 0.15 > 0.05 > abs(found["loss"][1])
    assert (found["seen"], "note" in err) == (0, False)
    assert (telling / "bars.svg").read_text().startswith("<?xml")
    assert (telling / "bars.csv").read_text().startswith("column,loss,sd\nsize $x$,0.")


def test_rows_that_the_model_was_fitted_on_are_told_from_new_ones(telling, capsys):
    run("info", telling / "m", "--importance", telling / "train.csv", "--label", "s")
    out, err = capsys.readouterr()
    assert "100% of the rows are those that the model was fitted on" in err
    assert out.splitlines()[1].endswith("  size $x$")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--importance", "{}/fresh.csv"], "goes with --label"),
        (["--plot", "x.svg"], "goes with --label"),
        (["--importance", "{}/fresh.csv", "--label", "kind"], "no row of"),
        (["--importance", "{}/fresh.csv", "--label", "s", "--plot", "x.jpg"], "must end in .svg"),
    ],
)
def test_an_importance_that_cannot_be_measured_is_refused(telling, capsys, options, said):
    assert main(["info", str(telling / "m"), *(option.format(telling) for option in options)]) == 2
    assert said in capsys.readouterr().err


def test_images_and_sparse_rows_have_no_columns_to_name(tmp_path):
    x = np.random.default_rng(0).integers(0, 255, (60, 8, 8, 1)).astype(np.uint8)
    model = angularpu.AngularPUClassifier(epochs=1, encoder="linear").fit(x, np.arange(60) < 20)
    with pytest.raises(angularpu.errors.SettingError, match="images or sparse rows"):
        Explainer(model.fitted_, 1)


def test_a_list_of_a_large_file_takes_no_more_memory_than_of_a_small_one(files, model, table, tmp_path):
    peaks = []
    for times in (50, 1000):
        pq.write_table(pa.concat_tables([table] * times), tmp_path / f"{times}.parquet", row_group_size=20_000)
        code = (
            "import resource, sys; from angularpu.cli.main import main; assert main(sys.argv[1:]) == 0; "
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        arguments = [
            model,
            tmp_path / f"{times}.parquet",
            "--top",
            50,
            "--label",
            "s",
            "--out",
            tmp_path / f"{times}.csv",
        ]
        command = [sys.executable, "-c", code, "score", *map(str, arguments)]
        peaks.append(int(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1]))
    assert peaks[1] < peaks[0] + 80 * 1024  # kilobytes; the rows are 400,000 against 20,000
