"""What a check of the labelling assumption found, how sure it is, and what it could have found."""

import dataclasses
from dataclasses import dataclass
from typing import Any

LEVEL = 0.05


@dataclass(frozen=True)
class ScarCheck:
    """A test of whether labels fell on the positives completely at random (SCAR).

    Attributes
    ----------
    statistic : float
        By what factor labelling departs from chance, 1 for not at all; ``finding`` says it in words.
    p_value : float in [0, 1]
        How often labels that fell at random would look at least as uneven.
    power : float in [0, 1]
        How often a sample like this one would show what ``alternative`` says; near 0, holding says little.
    alternative : str
        The departure that ``power`` is about.
    finding : str
        What was seen.
    n_pos, n_unl : int
        Labelled positives and unlabelled rows that were used.
    notes : tuple of str
        What the user should know, a sentence each.

    Examples
    --------
    >>> check = ScarCheck(1.1, 0.6, 0.9, "one kind never gets a label", "kinds differ by 1.1", 500, 2000)
    >>> check.holds, check.warning()
    (True, None)
    """

    statistic: float
    p_value: float
    power: float
    alternative: str
    finding: str
    n_pos: int
    n_unl: int
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the labels may pass for a random draw, at the level .05."""
        return self.p_value >= LEVEL

    def warning(self) -> str | None:
        """Say what is wrong and what it spoils, or None when nothing was found."""
        if self.holds:
            return None
        return (
            f"labels do not look like a random draw of the positives: {self.finding} (p = {self.p_value:.2g}); "
            "recall, precision and prior then describe the kind of positive that gets labels, not all of them"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the check as a dictionary of JSON types, ``holds`` and the warning included."""
        return {
            **dataclasses.asdict(self),
            "notes": list(self.notes),
            "holds": self.holds,
            "warning": self.warning(),
        }
