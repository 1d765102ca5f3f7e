"""Several methods cross-fitted on the same folds, their scores weighted and added."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from angularpu.data.prepare.preparation import Preparation, fit_preparation
from angularpu.data.rows import Rows
from angularpu.decide.held_out import HeldOut
from angularpu.decide.prior_setting import Prior
from angularpu.errors import DataError, SettingError
from angularpu.methods.ensemble_scorer import WEIGHT, EnsembleScorer, FittedMember
from angularpu.methods.fold_tasks import FoldFitter, spread_folds
from angularpu.methods.member_weights import Weights, weigh
from angularpu.methods.protocol import Member, Outcome, RunTasks
from angularpu.progress import ReportProgress
from angularpu.scenario.proportions import Proportions
from angularpu.scenario.sample import PUSample, Truth
from angularpu.scenario.split import plan_validation
from angularpu.train.cross_fitted import Folds, mix
from angularpu.train.finished_epoch import OnEpoch
from angularpu.train.fold_mean import average

AUTO = "auto"
WIDE = 100  # columns; boosting searches each of them for every split
# What an ensemble is made of unless the user says otherwise.
FOR_TABLES = ("angular", "extra_trees", "gradient_boosting", "logistic_regression")
FOR_WIDE = ("angular", "vpu-unbiased", "extra_trees", "logistic_regression")
FOR_TEXT = ("angular", "extra_trees", "logistic_regression", "complement_nb")
USUAL = tuple(dict.fromkeys(FOR_TABLES + FOR_WIDE + FOR_TEXT))


@dataclass(frozen=True, kw_only=True)
class EnsembleOptions:
    """Score a row by the weighted mean of several methods, each trained in five folds, the same for all.

    Every model of a fold is brought to the scale of log-odds by the rows that it was not trained on. A member's score
    is the mean over its folds. Members are weighed by how well they rank rows that they were not trained on; no prior
    is needed for that. ``docs/methods/ensemble.md`` says how.

    Parameters
    ----------
    members : "auto" or list of str, default "auto"
        Methods of the table, or presets. "auto" takes AngularPU with extra trees, gradient boosting and logistic
        regression for tables; with VPU, extra trees and logistic regression for more than 100 columns and for images;
        with extra trees, logistic regression and complement naive Bayes for sparse rows.
    """

    members: str | Sequence[str] = AUTO

    def __post_init__(self) -> None:
        names = self.members.split(",") if isinstance(self.members, str) else list(self.members)
        if not all(isinstance(name, str) for name in names) or not names:
            raise SettingError(f"members must be names of methods, such as ['angular', 'nnpu'], got {self.members!r}")
        names = [name.strip() for name in names]
        if len(set(names)) < len(names):
            raise SettingError(f"members must differ, got {', '.join(names)}; name each once")
        object.__setattr__(self, "members", AUTO if names == [AUTO] else names)


@dataclass(frozen=True)
class EnsembleMethod:
    """Settings of an ensemble.

    Attributes
    ----------
    name : str
        The method, by its name in the table.
    options : dict
        ``members`` as :class:`EnsembleOptions` has them.
    candidates : mapping of str to Member
        Every method that may become a member, by the name it is asked for with.
    network : dict
        Options that the user set for all members with a network.
    threshold : str
    prior : float in (0, 1) or str
    preset : str
    """

    name: str
    options: dict[str, Any]
    candidates: Mapping[str, Member]
    network: dict[str, Any] = field(default_factory=dict)
    threshold: str = "auto"
    prior: Prior = "bbe"
    preset: str = "default"

    @property
    def needs_prior(self) -> bool:
        """Whether a member needs the share of positives."""
        return any(member.needs_prior for member in self.candidates.values())

    def has_margin(self, *, n_pos: int, n_unl: int) -> bool:
        """No: members have margins of their own."""
        return False

    def prepare(self, rows: Rows) -> Preparation:
        """Learn how raw rows become the columns of a matrix; sparse rows stay sparse."""
        return fit_preparation(rows, keep_sparse=True)

    def train(
        self,
        sample: PUSample,
        preparation: Preparation,
        *,
        seed: int,
        shares: Proportions | None = None,
        truth: Truth | None = None,
        checkpoint_dir: Path | None = None,
        on_epoch: OnEpoch | None = None,
        report: ReportProgress | None = None,
        run_tasks: RunTasks | None = None,
    ) -> Outcome:
        """Train every member in every fold, and weigh them; a run that was killed resumes at the fold it was in.

        ``truth`` and ``on_epoch`` are not used: nothing here is an oracle, and members have epochs of their own.
        """
        folds, note = deal_folds(sample, seed=seed)
        members = {name: self.candidates[name] for name in self.choose_members(sample.rows, preparation)}
        places = {name: f"member-{number + 1}-{name}" for number, name in enumerate(members)}
        if run_tasks is not None:
            placed = {places[name]: member for name, member in members.items()}
            fit_one = FoldFitter(placed, sample, preparation, folds, seed, shares, checkpoint_dir)
            spread_folds(fit_one, run_tasks, report=report)
        means, scores, history = [], [], []
        for name, member in members.items():
            cross = member.cross_fit(
                sample,
                preparation,
                folds=folds,
                seed=seed,
                shares=shares,
                checkpoint_dir=None if checkpoint_dir is None else checkpoint_dir / places[name],
                report=partial(report_member, report, name) if report else None,
            )
            mean, on_scale = average(cross)
            means.append(mean)
            scores.append(on_scale)
            history += [{**entry, "stage": f"{name}, {entry['stage']}"} for entry in cross.history]
        weights = weigh([each.join(folds) for each in scores], sample)
        pos, unl = mix(scores, weights.weight.tolist()).join_as_mean(folds)
        fitted = (
            FittedMember({"name": name, **_describe_member(member), **_describe_weight(weights, number)}, mean)
            for number, ((name, member), mean) in enumerate(zip(members.items(), means, strict=True))
        )
        return Outcome(
            EnsembleScorer(tuple(fitted)),
            HeldOut(pos, unl, sample.n_pos, sample.n_unl, sample.scenario, source="cross-fitted"),
            folds.rows,
            best_epoch=0,
            history=history,
            notes=(note,),
        )

    def describe(self) -> dict[str, Any]:
        """Return what a model's JSON says about options and training: members have their own networks."""
        return {"options": self.options, "encoder": {}, "settings": self.network}

    def check_storable(self) -> None:
        """Refuse members whose model could be fitted but not saved."""
        for member in self.candidates.values():
            member.check_storable()

    def key(self, sample: PUSample, seed: int) -> str:
        """Return a hash of data and settings: equal keys, equal models."""
        run = {"options": self.options, "members": {n: each.key(sample, seed) for n, each in self.candidates.items()}}
        return hashlib.sha256(json.dumps(run, sort_keys=True).encode()).hexdigest()

    def choose_members(self, rows: Rows, preparation: Preparation) -> Sequence[str]:
        """Return the members' names; by default those for this kind of rows."""
        if self.options["members"] != AUTO:
            return list(self.options["members"])
        if rows.kind == "sparse":
            return FOR_TEXT if _has_no_negative(rows) else [name for name in FOR_TEXT if name != "complement_nb"]
        return FOR_WIDE if rows.kind == "image" or preparation.out_shape[0] > WIDE else FOR_TABLES


def deal_folds(sample: PUSample, *, seed: int) -> tuple[Folds, str]:
    """Deal the rows into the folds that all methods share, with one sentence about them for the user."""
    plan = plan_validation(sample, rng=np.random.default_rng([seed, 0]), validation="folds")
    if not plan.splits:
        raise DataError(
            f"folds take two labelled positives and two unlabelled rows at least, got {sample.n_pos} and "
            f"{sample.n_unl}; collect more"
        )
    return Folds.of(sample, plan.splits), plan.note


def _has_no_negative(rows: Rows) -> bool:
    return all(not sp.issparse(block) or block.nnz == 0 or block.data.min() >= 0 for block in rows.chunks(65_536))


def _describe_member(member: Member) -> dict[str, Any]:
    return {"method": member.name, **member.describe()}


def _describe_weight(weights: Weights, number: int) -> dict[str, Any]:
    auc = None if weights.auc is None else float(weights.auc[number])
    return {WEIGHT: float(weights.weight[number]), "pu_auc": float(weights.pu_auc[number]), "auc": auc}


def report_member(report: ReportProgress, name: str, done: int, most: int, text: str) -> None:
    """Report progress with the name of the member that makes it."""
    report(done, most, f"{name}: {text}")
