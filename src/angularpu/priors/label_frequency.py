"""From the labelled part of the positives to the share of positives among the unlabelled rows."""

from angularpu.scenario.proportions import Proportions


def convert_label_freq(label_freq: float, *, n_pos: int, n_unl: int) -> tuple[float, tuple[str, ...]]:
    """Return alpha = n_P (1/c - 1)/n_U, clipped to [0, 1], with a note if it had to be clipped.

    c = n_P/(n_P + alpha n_U) is the labelled part of the positives in P and U together, so it is the same in both
    scenarios.

    Examples
    --------
    >>> convert_label_freq(0.5, n_pos=100, n_unl=400)
    (0.25, ())
    >>> convert_label_freq(0.1, n_pos=100, n_unl=400)
    (1.0, ('the label frequency came out as 0.1, below the least possible 0.2: alpha was set to 1',))
    """
    least = Proportions(n_pos, n_unl, "one-sample", alpha=1.0).label_freq
    notes: tuple[str, ...] = ()
    if label_freq < least:
        notes = (
            f"the label frequency came out as {label_freq:.4g}, below the least possible {least:.4g}: "
            "alpha was set to 1",
        )
    kept = min(1.0, max(least, label_freq))
    return Proportions.from_label_freq(kept, n_pos=n_pos, n_unl=n_unl, scenario="one-sample").alpha, notes
