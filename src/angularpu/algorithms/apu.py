"""aPU: risks for positives that may have shifted, while the negatives of two unlabelled sets are the same.

Hammoudeh and Lowd, "Learning from Positive and Unlabeled Data with Arbitrary Positive Shift", NeurIPS 2020: one step
(PURR) or two (wUU, aPNU). docs/methods/apu.md lists the differences.
"""

from typing import Literal

from jaxtyping import Float
from torch import Tensor, nn

from angularpu.algorithms.base import Algorithm, Phase, PUBatch, Step, View, sum_terms
from angularpu.algorithms.two_step import TwoStepAlgorithm
from angularpu.checks import check_choice, check_range, check_share, check_whole
from angularpu.errors import SettingError
from angularpu.losses.logistic import logistic_loss
from angularpu.losses.sigmoid import sigmoid_loss
from angularpu.nets.encoder import Encoder


class APU(TwoStepAlgorithm):
    """Score a row by the logit g of a classifier for the second unlabelled set, or for the only one.

    With r = (1 - pi_te)/(1 - pi_tr), l the sigmoid loss, and each difference by its absolute value:

    - "purr": L = |E_te l(g, 1) - N(1)| + N(-1), where N(y) = |r (E_tr l(g, y) - pi_tr E_P l(g, y))|;
    - "wuu": L = |E_te l(g, 1) - M(1)| + M(-1), where M(y) = r E_tr [(1 - sigma) l(g, y)] and a first network gives
      sigma, trained with the logistic loss, whose least risk is a probability;
    - "apnu": L = (1 - rho) pi_te E_P l(g, 1) + rho |E_te l(g, 1) - M(1)| + M(-1).

    Parameters
    ----------
    encoder : Encoder
        Maps prepared rows to R^d; a linear head follows.
    alpha : float
        pi_tr, the share of positives among the unlabelled rows (of the first set), in (0, 1).
    variant : {"purr", "wuu", "apnu"}
        Which of the three risks above is brought down.
    rho : float in [0, 1]
        How far "apnu" trusts the second set over the labelled positives.
    test_from : int, optional
        The unlabelled rows from this row number on are the second set; without it one set stands for both.
    test_prior : float, optional
        pi_te, the share of positives in the second set; without it that of the first.
    """

    def __init__(
        self,
        encoder: Encoder,
        *,
        alpha: float,
        variant: Literal["purr", "wuu", "apnu"] = "purr",
        rho: float = 0.5,
        test_from: int | None = None,
        test_prior: float | None = None,
    ) -> None:
        super().__init__(encoder, alpha=check_share("alpha", alpha))
        self.variant = check_choice("variant", variant, ("purr", "wuu", "apnu"))
        self.rho = check_range("rho", rho, low=0, high=1)
        if test_from is None and test_prior is not None:
            raise SettingError("test_prior is the share of positives in a second set; pass test_from to name its rows")
        self.test_from = None if test_from is None else check_whole("test_from", test_from, low=1)
        given = self.alpha if test_prior is None else test_prior
        self.test_prior = check_share("test_prior", given)
        self.ratio = (1 - self.test_prior) / (1 - self.alpha)

    def build_scaffold(self, n_rows: int) -> nn.Module | None:
        """Return the memory of the two-step variants."""
        if self.test_from is not None and self.test_from >= n_rows:
            raise SettingError(f"test_from must be below the number of rows, {n_rows}, got {self.test_from}")
        return None if self.variant == "purr" else super().build_scaffold(n_rows)

    def phases(self, *, epochs: int, learning_rate: float) -> tuple[Phase, ...]:
        """Return one phase for PURR, two for the others."""
        kind = Algorithm if self.variant == "purr" else TwoStepAlgorithm
        return kind.phases(self, epochs=epochs, learning_rate=learning_rate)

    def on_epoch_end(self, view: View) -> None:
        """Measure the first network on the rows held out, if there is one unlabelled set only."""
        if self.variant != "purr" and self.test_from is None:
            super().on_epoch_end(view)

    def begin_phase(self, view: View) -> None:
        """Go from the first network to the second, where there are two."""
        if self.variant != "purr":
            super().begin_phase(view)

    def step(self, batch: PUBatch) -> Step:
        """Return L of a batch, or the loss of the first network."""
        if self.variant != "purr":
            return super().step(batch)
        g, n = self.score(batch.x), batch.n_pos
        unl, test = self._split(batch, g)

        def negative(y: int) -> Tensor:
            shared = batch.average_positives(sigmoid_loss(g[:n], y))
            return (self.ratio * (batch.average_unlabelled(sigmoid_loss(unl, y)) - self.alpha * shared)).abs()

        terms = {
            "positive": (batch.average_unlabelled(sigmoid_loss(test, 1)) - negative(1)).abs(),
            "negative": negative(-1),
        }
        loss = sum_terms(terms)
        return Step(loss, loss, terms)

    def first_step(self, batch: PUBatch, g: Float[Tensor, " n"]) -> Step:
        """Return nnPU's risk on the first set with the logistic loss, its negative part by the absolute value."""
        pos, (unl, _) = g[: batch.n_pos], self._split(batch, g)
        as_negative = batch.average_unlabelled(logistic_loss(unl, -1))
        terms = {
            "positive": self.alpha * batch.average_positives(logistic_loss(pos, 1)),
            "negative": (as_negative - self.alpha * batch.average_positives(logistic_loss(pos, -1))).abs(),
        }
        loss = sum_terms(terms)
        return Step(loss, loss, terms)

    def second_step(self, batch: PUBatch, g: Float[Tensor, " n"], *, weight: Float[Tensor, " n"]) -> Step:
        """Return L of a batch of the second network."""
        pos, (unl, test), (weight, _) = g[: batch.n_pos], self._split(batch, g), self._split(batch, weight)

        def negative(y: int) -> Tensor:
            return self.ratio * batch.average_unlabelled(weight * sigmoid_loss(unl, y))

        rest = (batch.average_unlabelled(sigmoid_loss(test, 1)) - negative(1)).abs()
        terms = {"positive": rest, "negative": negative(-1)}
        if self.variant == "apnu":
            labelled = self.test_prior * batch.average_positives(sigmoid_loss(pos, 1))
            terms["positive"] = (1 - self.rho) * labelled + self.rho * rest
        loss = sum_terms(terms)
        return Step(loss, loss, terms)

    def weigh(
        self, pos: Float[Tensor, " p"], unl: Float[Tensor, " u"]
    ) -> tuple[Float[Tensor, " p"], Float[Tensor, " u"]]:
        """Return 1 - sigma."""
        return 1 - pos, 1 - unl

    def _split(self, batch: PUBatch, values: Tensor) -> tuple[Tensor, Tensor]:
        """Return the values of the unlabelled rows, of the first set and of the second; with one set, twice those."""
        unl = values[batch.n_pos :]
        if self.test_from is None:
            return unl, unl
        second = batch.index[batch.n_pos :].to(unl.device) >= self.test_from
        return unl[~second], unl[second]
