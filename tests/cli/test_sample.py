from angularpu.cli.main import main


def test_labels_that_look_reversed_are_warned_of_with_the_option_that_corrects_it(tmp_path, capsys):
    (tmp_path / "words.csv").write_text("a,s\n1,fraud case\n2,unknown\n3,unknown\n")
    main(["prior", str(tmp_path / "words.csv"), "--label", "s"])
    said = capsys.readouterr().err
    assert "Warning: most rows are taken for known positives, because 'unknown' comes after 'fraud case'" in said
    assert "if 'fraud case' marks the known positives, say so: --positive 'fraud case'\n" in said
