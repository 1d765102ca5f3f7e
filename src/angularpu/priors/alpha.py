"""What every estimator of the share of positives returns."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Alpha:
    """An estimated share of positives among the unlabelled rows.

    Attributes
    ----------
    alpha : float in [0, 1]
        The share.
    diagnostics : dict of str to float
        Intermediate results of the estimator, by name.
    notes : tuple of str
        What the user should know before relying on it, a sentence each.

    Examples
    --------
    >>> Alpha(0.25, {"threshold": 1.5}).notes
    ()
    """

    alpha: float
    diagnostics: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
