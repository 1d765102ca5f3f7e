"""The page's content: it says what the other commands say, of the same rows."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from angularpu.cli.main import main
from angularpu.data.io.tables import open_table
from angularpu.data.row_fingerprints import fingerprint_each, write_fingerprint
from angularpu.explore import ranking
from angularpu.explore.page import write_page
from angularpu.model.directory import read_model


def test_rows_stand_by_score_with_the_scores_that_score_writes(folder, page):
    main(["score", str(folder / "model"), str(folder / "data.csv"), "--out", str(folder / "scores.parquet"), "--force"])
    score = pq.read_table(folder / "scores.parquet")["score"].to_numpy()
    order = np.argsort(-score, kind="stable")
    np.testing.assert_array_equal(page.section("row"), order + 1)
    np.testing.assert_array_equal(page.section("score"), score[order])


def test_columns_are_those_of_the_file(page, rows):
    place = page.section("row") - 1
    for name in ("key", "word"):
        assert list(page.column(name)) == [rows[name].to_pylist()[i] for i in place]
    np.testing.assert_allclose(page.column("c1"), rows["c1"].to_numpy()[place].astype(np.float32))
    np.testing.assert_array_equal(page.section("known"), rows["s"].to_numpy()[place])


@pytest.mark.parametrize("rule", ["pu-f1", "recall=0.9", "lee-liu"])
def test_a_rule_cuts_and_promises_what_the_command_threshold_says(folder, page, rule, tmp_path, capsys):
    import shutil

    shutil.copytree(folder / "model", tmp_path / "model")
    capsys.readouterr()
    assert main(["threshold", str(tmp_path / "model"), "--rule", rule, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    found = next(each for each in page.header["rules"] if each["rule"] == rule)
    assert found["threshold"] == said["threshold"]
    assert found["recall"] == [said["recall"], said["recall_low"], said["recall_high"]]
    assert found["precision"] == [said["precision"], said["precision_low"], said["precision_high"]]
    assert found["threshold"] in page.header["curve"]["threshold"]


def test_at_its_own_cut_the_curve_has_the_models_own_figures(folder, page):
    decision, curve = read_model(folder / "model").decision, page.header["curve"]
    at = curve["threshold"].index(decision.threshold)
    assert curve["recall"][at] == pytest.approx([decision.recall, decision.recall_low, decision.recall_high], abs=1e-5)
    assert curve["precision"][at][0] == pytest.approx(decision.precision, abs=1e-5)
    assert curve["bound"] is True


def test_flagged_rows_are_the_unlabelled_ones_above(page):
    score, known = page.section("score"), page.section("known")
    curve = page.header["curve"]
    for at in range(0, len(curve["threshold"]), 20):
        assert curve["flagged"][at] == np.count_nonzero((score > curve["threshold"][at]) & (known == 0))
    assert sum(page.header["bins"]["unlabelled"]) == 340


def test_the_nearest_positives_are_known_ones_and_never_the_row_itself(page):
    near = page.section("neighbours").reshape(-1, 3)
    assert page.section("known")[near].all()
    assert not (near == np.arange(len(near))[:, None]).any()
    angle = page.section("neighbour angles").reshape(-1, 3)
    assert (np.diff(angle, axis=1) >= 0).all()


def test_the_map_has_the_angle_from_the_prototype_as_its_radius(page):
    np.testing.assert_allclose(np.hypot(*page.section("map").reshape(-1, 2).T), page.section("angle"), atol=1e-3)
    # One network: the score is kappa times the cosine, so a higher score is a smaller angle.
    assert (np.diff(page.section("angle")) >= -1e-2).all()


def test_columns_that_moved_the_score_are_those_that_explain_names(folder, page, tmp_path):
    main(["score", str(folder / "model"), str(folder / "data.csv"), "--label", "s", "--top", "5", "--explain", "2",
          "--out", str(tmp_path / "top.parquet")])  # fmt: skip
    top = pq.read_table(tmp_path / "top.parquet")
    effects, names = page.header["effects"], page.header["effects"]["names"]
    column = page.section("effect columns").reshape(-1, effects["each"])
    assert [names[i] for i in column[:5, 0]] == top["column_1"].to_pylist()
    found = page.section("effects").reshape(-1, effects["each"])
    np.testing.assert_allclose(found[:5, 1], top["effect_2"].to_numpy(), rtol=1e-5)


def test_without_label_known_positives_are_those_that_the_model_remembers(folder, explore, read_page, tmp_path, page):
    assert explore(folder / "model", folder / "data.csv", "-o", tmp_path / "p.html") == 0
    np.testing.assert_array_equal(read_page(tmp_path / "p.html").section("known"), page.section("known"))


def test_rows_that_nobody_knows_are_all_unlabelled(folder, rows, explore, read_page, tmp_path, capsys):
    other = rows.set_column(1, "c0", pa.array(rows["c0"].to_numpy() + 1))
    pacsv.write_csv(other.drop_columns(["s"]), tmp_path / "new.csv")
    assert explore(folder / "model", tmp_path / "new.csv", "-o", tmp_path / "p.html") == 0
    assert "All rows count as unlabelled" in capsys.readouterr().err
    found = read_page(tmp_path / "p.html")
    assert found.header["known"] == 0
    assert "--label" in found.header["neighbours"]["why_not"]


def test_the_same_command_writes_the_same_bytes(folder, explore, tmp_path, page):
    assert explore(folder / "model", folder / "data.csv", "--label", "s", "-o", tmp_path / "p.html") == 0
    assert (tmp_path / "p.html").read_text("utf-8") == page.text


def test_nothing_in_the_data_can_end_an_element_or_open_one(page):
    assert "window.broken" in page.text
    assert "<script>window.broken" not in page.text
    assert page.text.count("</script>") == 3
    assert "script-src 'sha256-" in page.text
    assert "http://" not in page.text.split("<style>")[0]


def test_a_fingerprint_is_that_of_the_rows_own_columns_in_any_file(folder, page, rows):
    used = rows.drop_columns(["key", "s"])
    found = page.section("fingerprint").view(np.int64)
    np.testing.assert_array_equal(found, fingerprint_each(used)[page.section("row") - 1])
    reread = open_table(folder / "data.csv", text=["word"]).read().drop_columns(["key", "s"])
    np.testing.assert_array_equal(fingerprint_each(reread), fingerprint_each(used))
    assert len({write_fingerprint(each) for each in found}) == 400


def test_of_many_rows_the_best_half_and_a_sample_are_shown(folder, tmp_path, monkeypatch, read_page):
    monkeypatch.setattr(ranking, "MOST_ROWS", 100)
    monkeypatch.setattr(ranking, "MOST_KNOWN", 10)
    found = write_page(read_model(folder / "model"), folder / "data.csv", out=tmp_path / "p.html", label="s")
    assert found.n == 400
    assert 100 <= found.shown <= 110
    some = read_page(tmp_path / "p.html")
    # Counts are those of the whole file.
    assert sum(some.header["bins"]["unlabelled"]) == 340
    score = some.section("score")
    assert (np.diff(score) <= 0).all()


def test_out_of_fold_scores_are_those_that_the_model_kept(folder, explore, read_page, tmp_path):
    assert explore(folder / "model", folder / "data.csv", "--out-of-fold", "-o", tmp_path / "p.html") == 0
    found = read_page(tmp_path / "p.html")
    held = read_model(folder / "model").held
    np.testing.assert_array_equal(found.section("score"), np.sort(np.append(held.score_pos, held.score_unl))[::-1])
    assert found.header["known"] == 60
