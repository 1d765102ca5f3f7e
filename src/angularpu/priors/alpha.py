"""What every estimator of the class prior returns."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Alpha:
    """An estimated share of positives among the unlabelled rows.

    Attributes
    ----------
    alpha : float in [0, 1]
        The share.
    diagnostics : dict of str to float
        What the estimator saw on its way, by name.
    notes : tuple of str
        What a reader should know before relying on it, a sentence each.

    Examples
    --------
    >>> Alpha(0.25, {"threshold": 1.5}).notes
    ()
    """

    alpha: float
    diagnostics: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
