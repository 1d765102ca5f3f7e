"""Which method for these rows: several of them fitted in the same folds, and compared without true classes."""

from collections.abc import Sequence

from angularpu.decide.prior_setting import Prior, check_prior
from angularpu.decide.rule import FEW_POSITIVES
from angularpu.errors import SettingError, list_names
from angularpu.fit.comparison import Comparison
from angularpu.fit.cross_fits import add_up, cross_fit_all
from angularpu.fit.judging import judge
from angularpu.fit.shares_before import find_shares, make_shares
from angularpu.methods.configure import configure, find_card, make_member
from angularpu.methods.ensemble import EnsembleMethod, deal_folds
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample

ENSEMBLE = "ensemble"
NAIVE = "naive"
AT_RANDOM = (
    "all of this presumes that labels fell on the positives at random; if they went to some kind of positive first, "
    "the method that copies the labelling best looks best here"
)


def compare_methods(
    sample: PUSample,
    methods: Sequence[str] | None = None,
    *,
    prior: Prior = "bbe",
    seed: int = 0,
    report: ReportProgress | None = None,
) -> Comparison:
    """Fit several methods in the same five folds, and tell which rank these rows better than others.

    Parameters
    ----------
    sample : PUSample
    methods : sequence of str, optional
        Methods of the table, or presets. ``ensemble`` is the weighted sum of all others in the list and takes no
        training of its own. By default what an ensemble takes for rows of this kind, that ensemble, and ``naive``.
    prior : float in (0, 1) or str
        The population's share of positives, or the estimator that finds it for methods that are trained with one.
    seed : int
    report : callable, optional
        Called with (steps done, steps at most, text) while methods are fitted.

    Examples
    --------
    >>> import numpy as np
    >>> from angularpu.scenario.sample import make_sample
    >>> y = np.arange(120) % 2
    >>> x = np.random.default_rng(0).normal(size=(120, 2)) + 2 * y[:, None]
    >>> sample = make_sample(x, np.arange(120) % 4 == 1, scenario="one-sample")
    >>> compared = compare_methods(sample, ["logistic_regression", "gradient_boosting", "ensemble"])
    >>> sorted(each.name for each in compared.methods), compared.methods[0].difference
    (['ensemble', 'gradient_boosting', 'logistic_regression'], 0.0)
    """
    check_prior(prior)
    asked = None if methods is None else _check_names(methods)
    whole = configure(method=ENSEMBLE, prior=prior, options={})
    assert isinstance(whole, EnsembleMethod)
    preparation = whole.prepare(sample.rows)
    names = [*whole.choose_members(sample.rows, preparation), NAIVE] if asked is None else asked
    members = {name: make_member(name, {}, prior=prior) for name in names if name != ENSEMBLE}
    needed = any(each.needs_prior for each in members.values())
    shares, said = find_shares(prior, sample, needed=needed, seed=seed)
    assumed = (shares or make_shares(sample, 0.5)) if needed else None
    folds, note = deal_folds(sample, seed=seed)
    fits, left_out = cross_fit_all(
        members, sample, preparation=preparation, folds=folds, shares=assumed, seed=seed, report=report
    )
    parts = {name: fit for name, fit in fits.items() if asked is not None or name != NAIVE} or fits
    if len(parts) > 1 and (asked is None or ENSEMBLE in asked):
        fits[ENSEMBLE] = add_up(parts, sample, folds)
    return judge(
        fits,
        sample,
        parts=parts,
        stated=None if isinstance(prior, str) else shares,
        left_out=left_out,
        notes=(note, *(_tell_prior(prior, assumed) if shares or not needed else said), *_warn(sample)),
        seed=seed,
    )


def _check_names(methods: Sequence[str]) -> list[str]:
    """Refuse, before anything is trained, a list that makes no comparison."""
    names = [methods] if isinstance(methods, str) else list(methods)
    for name in names:
        if find_card(name).oracle:
            raise SettingError(f"{name} learns from true classes, which a comparison never sees; leave it out")
    if len(set(names)) < len(names):
        raise SettingError(f"methods must differ, got {list_names(names)}; name each once")
    if len(names) < 2:
        raise SettingError(f"a comparison takes two methods at least, got {list_names(names) or 'none'}; name more")
    if ENSEMBLE in names and len(names) < 3:
        raise SettingError("ensemble is made of the other methods in the list; name two others at least")
    return names


def _tell_prior(prior: Prior, assumed: Proportions | None) -> tuple[str, ...]:
    """Say which share of positives methods were trained with, or that an estimator had nothing to do."""
    if assumed is not None:
        share = f"{assumed.alpha:.3f} of the unlabelled rows positive (prior {prior})"
        return (f"methods that need a prior were trained with {share}",)
    idle = isinstance(prior, str) and prior != "bbe"
    return (f"no method here is trained with a prior, so {prior} was not asked",) if idle else ()


def _warn(sample: PUSample) -> tuple[str, ...]:
    """Say what the numbers cannot show."""
    few = f"with {sample.n_pos} labelled positives only large differences can be told from chance; label more"
    return ((few,) if sample.n_pos < FEW_POSITIVES else ()) + (AT_RANDOM,)
