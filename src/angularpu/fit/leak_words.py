"""The words of a note that warns of a column which knows the label."""

GIVES_AWAY = "gives the label away"


def is_leak(note: str) -> bool:
    """Tell whether a fit's note is such a warning.

    >>> is_leak("column 'id' alone tells ..., or it gives the label away"), is_leak("cross-fitted in 5 folds")
    (True, False)
    """
    return GIVES_AWAY in note
