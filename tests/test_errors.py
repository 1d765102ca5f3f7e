"""Messages: what they quote is escaped and short."""

import pickle

import pytest

from angularpu.errors import DataError, ModelError, escape, list_names, quote

HOSTILE = "\x1b[2J\x1b]0;title\x07\r\x9b31m\u202e\u2028\udcff\x00\x7f"


def is_harmless(text):
    return all(each.isprintable() for each in text)


@pytest.mark.parametrize("kind", [DataError, ModelError])
def test_no_message_holds_a_character_that_a_terminal_would_obey(kind):
    text = str(kind(f"{HOSTILE}.csv cannot be read:\n  line 3\tis odd"))
    assert is_harmless(text)
    assert text.endswith(".csv cannot be read: line 3 is odd")
    assert "\\x1b[2J" in text


def test_letters_of_all_languages_are_shown_as_they_are():
    for text in ("Größe", "年齢", "возраст", "a\u00a0b"):
        assert escape(text) == text


def test_a_long_message_keeps_its_start_and_its_end():
    text = str(DataError(f"{'x' * 100_000} is too long; shorten it"))
    assert len(text) <= 700
    assert text.startswith("xxx")
    assert text.endswith("xxx is too long; shorten it")


def test_a_message_survives_a_pickle_and_is_not_escaped_twice():
    error = DataError(f"a {HOSTILE} b")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_many_and_long_names_fit_a_screen():
    names = [f"{i}{HOSTILE}{'x' * 10_000}" for i in range(5000)]
    text = list_names(names)
    assert is_harmless(text)
    assert len(text) <= 520
    assert text.endswith(" and 4992 more")
    assert quote("a") == "'a'"
