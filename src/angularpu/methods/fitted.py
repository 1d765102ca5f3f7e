"""A fitted method: one pure chain, prepare -> score -> calibrate -> threshold, whatever made the scorer."""

from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from angularpu.audit.answers import Answers
from angularpu.audit.choice import decide_audited
from angularpu.data.prepare.preparation import Preparation
from angularpu.data.rows import Block, Rows
from angularpu.decide.calibrate import Calibration
from angularpu.decide.decision import Decision
from angularpu.decide.default import decide_again
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import Prior
from angularpu.methods.abbreviation import abbreviate
from angularpu.methods.protocol import Scorer
from angularpu.methods.remembered import Remembered

BLOCK_ROWS = 65_536


def score_in_blocks(scorer: Scorer, rows: Rows, *, preparation: Preparation) -> NDArray[np.float32]:
    """Return the scores of raw rows, which are prepared and scored block by block."""
    return np.concatenate([scorer.score(preparation.apply(block)) for block in rows.chunks(BLOCK_ROWS)])


def compute_probability(
    score: NDArray[np.float32], *, threshold: float, calibration: Calibration | None
) -> NDArray[np.float64]:
    """Return the chance that a row is positive, given its score.

    Without a calibration it is sigma(score - threshold): monotone, one half at the threshold, and no more.
    """
    if calibration is not None:
        return calibration.apply(score)
    chance: NDArray[np.float64] = expit(score.astype(np.float64) - threshold)
    return chance


@dataclass(frozen=True, repr=False)
class Fitted:
    """A fitted method: one pure chain from raw rows to scores, probabilities and a decision.

    Attributes
    ----------
    method : str
        Its name in the table.
    options : dict
        The method's options.
    encoder : dict
        The encoder's name, dimension and dropout; empty without a network.
    preparation : Preparation
    scorer : Scorer
    held : HeldOut
        Scores from which a threshold can be chosen again.
    threshold : str
        The rule as it was asked for; ``decision.rule`` has what was left open filled in.
    decision : Decision
    calibration : Calibration or None
        From scores to the chance of being positive; None where the share of positives is not known.
    prior : float or str
        The share of positives in the population as the user gave it, or the estimator's name.
    alpha : float or None
        The share of positives among the unlabelled rows that was known before training, if it was.
    labelling : dict or None
        What the check of the labels found, as JSON; None where too few rows were held out for one.
    best_epoch : int
    history : list of dict
    notes : tuple of str
    classes : tuple
        The user's own names of (unlabelled, positive).
    columns : int or tuple of str
        How many columns (channels) a row has, or their names where it has names.
    preset : str
    settings : dict
        How it was trained.
    seed : int
    estimator : str or None
        The class of :mod:`angularpu` that fitted it; None where the command line did.
    audit : dict or None
        What rows checked by hand have shown, as JSON, if the threshold was chosen with them.
    held_rows : (ndarray, ndarray) of int64, or None
        Numbers, in the sample, of the labelled positives and of the unlabelled rows whose scores ``held`` has. They are
        not saved: None in a model that was read.
    remembered : Remembered
        What is kept of the rows it was fitted on, as far as the version that saved it kept any.
    """

    method: str
    options: dict[str, Any]
    encoder: dict[str, Any]
    preparation: Preparation = field(repr=False)
    scorer: Scorer = field(repr=False)
    held: HeldOut = field(repr=False)
    threshold: str
    decision: Decision
    calibration: Calibration | None = field(repr=False)
    prior: Prior
    alpha: float | None
    labelling: dict[str, Any] | None = field(repr=False)
    best_epoch: int
    history: list[dict[str, Any]] = field(repr=False)
    notes: tuple[str, ...] = ()
    classes: tuple[Any, Any] = (0, 1)
    columns: int | tuple[str, ...] = 0
    preset: str = "default"
    settings: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    estimator: str | None = None
    audit: dict[str, Any] | None = field(default=None, repr=False)
    held_rows: tuple[NDArray[np.int64], NDArray[np.int64]] | None = field(default=None, repr=False, compare=False)
    remembered: Remembered = field(default=Remembered(), repr=False, compare=False)

    def score(self, rows: Rows) -> NDArray[np.float32]:
        """Return the scores of raw rows; higher is more positive."""
        return score_in_blocks(self.scorer, rows, preparation=self.preparation)

    def embed(self, rows: Rows) -> NDArray[np.float32]:
        """Return the embeddings of raw rows."""
        blocks = rows.chunks(BLOCK_ROWS)
        return np.concatenate([self.scorer.embed(self.preparation.apply(block)) for block in blocks])

    def score_block(self, block: Block) -> NDArray[np.float32]:
        """Return the scores of one block of raw rows."""
        return self.scorer.score(self.preparation.apply(block))

    def probability(self, score: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the chance that a row is positive, given its score; see :func:`compute_probability`."""
        return compute_probability(score, threshold=self.decision.threshold, calibration=self.calibration)

    def flag(self, score: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Return which scores lie above the threshold, so that their rows are called positive."""
        above: NDArray[np.bool_] = score > np.float32(self.decision.threshold)  # the threshold is a float32 number
        return above

    def decide(self, rule: str, answers: Answers | None = None) -> "Fitted":
        """Return the same model with its threshold, and the probabilities that go with it, chosen by another rule.

        ``answers`` are those of an audit; without them P and U alone decide.
        """
        if answers is not None:
            found = decide_audited(rule, self.held, answers, prior=self.prior, alpha=self.alpha)
            return replace(self, threshold=rule, decision=found[0], calibration=found[1], audit=found[2].to_json())
        decision, calibration = decide_again(rule, self.held, prior=self.prior, alpha=self.alpha)
        return replace(self, threshold=rule, decision=decision, calibration=calibration, audit=None)

    def __repr__(self) -> str:
        shown = (f"{part.name}={abbreviate(getattr(self, part.name))}" for part in fields(self) if part.repr)
        return f"Fitted({', '.join(shown)})"
