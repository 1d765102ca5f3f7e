import pytest

from angularpu.cli.main import main

WORDS = "Error: label 's': the labels are the words 'known' and 'unknown', which do not tell which of them marks"


@pytest.mark.parametrize("command", [["prior"], ["fit", "--out", "model"]])
def test_words_as_labels_are_refused_before_anything_is_learned(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.csv").write_text("a,s\n1,known\n2,unknown\n3,unknown\n")
    assert main([*command, "words.csv", "--label", "s"]) == 2
    said = capsys.readouterr().err
    assert WORDS in said
    assert "(--positive VALUE, positive=VALUE)" in said
    assert [path.name for path in tmp_path.iterdir()] == ["words.csv"]


@pytest.mark.parametrize("third", ["maybe", ""])
def test_a_third_value_is_refused_and_the_option_that_allows_it_is_named(tmp_path, capsys, third):
    path = tmp_path / "words.csv"
    path.write_text(f"a,s\n1,known\n2,unknown\n3,{third}\n4,unknown\n")
    assert main(["prior", str(path), "--label", "s"]) == 2
    assert "or say which value marks the known positives (--positive VALUE, positive=VALUE)" in capsys.readouterr().err
