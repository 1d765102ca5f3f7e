"""The adapter that makes a method of an algorithm: prepare -> encode -> score -> threshold, as one chain."""

import copy
import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from angularpu.algorithms.base import Algorithm
from angularpu.data.preparation import Preparation, fit_preparation
from angularpu.data.rows import Block, Rows
from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.decide.rules import parse_rule
from angularpu.methods import find_method
from angularpu.nets.build import build
from angularpu.nets.custom import wrap
from angularpu.nets.encoder import Encoder
from angularpu.nets.weights import load_weights
from angularpu.scenario.sample import PUSample
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.fitting import fit
from angularpu.train.loop import Report
from angularpu.train.scoring import embed_block, score_block
from angularpu.train.settings import Settings
from angularpu.train.source import make_source

BLOCK_ROWS = 65_536


@dataclass(frozen=True)
class EncoderChoice:
    """Which network encodes the rows.

    Attributes
    ----------
    encoder : str or nn.Module
        A name that nets.build knows, or a network of the user's own.
    d : int
        Dimension of the sphere's surrounding space; a user's own network has its own.
    dropout : float
    weights : str or None
        File with ImageNet weights for a VGG.
    """

    encoder: str | nn.Module = "mlp"
    d: int = 128
    dropout: float = 0.2
    weights: str | None = None

    def build(self, in_shape: tuple[int, ...]) -> Encoder:
        """Make the encoder; a user's own network is copied, so the original stays as it is."""
        if isinstance(self.encoder, nn.Module):
            return wrap(copy.deepcopy(self.encoder), in_shape)
        encoder = build(self.encoder, in_shape, d=self.d, dropout=self.dropout)
        if self.weights is not None:
            load_weights(encoder, Path(self.weights))
        return encoder

    def describe(self) -> dict[str, Any]:
        """Return what the model directory says about the encoder."""
        name = "custom" if isinstance(self.encoder, nn.Module) else self.encoder
        return {"encoder": name, "d": self.d, "dropout": self.dropout}

    def fingerprint(self) -> str:
        """Return a text that differs whenever training would start elsewhere."""
        digest = hashlib.sha256(json.dumps(self.describe(), sort_keys=True).encode())
        if self.weights is not None:
            digest.update(Path(self.weights).read_bytes())
        if isinstance(self.encoder, nn.Module):
            digest.update(repr(self.encoder).encode())
            for name, tensor in self.encoder.state_dict().items():
                digest.update(name.encode() + tensor.detach().cpu().numpy().tobytes())
        return digest.hexdigest()


@dataclass(frozen=True)
class Fitted:
    """A fitted method: one pure chain from raw rows to scores and a decision.

    Attributes
    ----------
    method : str
        Id of the method.
    options : dict
        The algorithm's options.
    encoder : dict
        The encoder's name, dimension and dropout.
    preparation : Preparation
    algorithm : Algorithm
        In eval mode.
    held : HeldOut
        Scores from which a threshold can be chosen again.
    decision : Decision
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
    """

    method: str
    options: dict[str, Any]
    encoder: dict[str, Any]
    preparation: Preparation
    algorithm: Algorithm
    held: HeldOut
    decision: Decision
    best_epoch: int
    history: list[dict[str, Any]] = field(repr=False)
    notes: tuple[str, ...] = ()
    classes: tuple[Any, Any] = (0, 1)
    columns: int | tuple[str, ...] = 0
    preset: str = "default"
    settings: dict[str, Any] = field(default_factory=dict)
    seed: int = 0

    def score(self, rows: Rows) -> NDArray[np.float32]:
        """Return the scores of raw rows; higher is more positive."""
        return np.concatenate([self.score_block(block) for block in rows.chunks(BLOCK_ROWS)])

    def embed(self, rows: Rows) -> NDArray[np.float32]:
        """Return the embeddings of raw rows."""
        return np.concatenate([embed_block(self.algorithm, self._prepare(block)) for block in rows.chunks(BLOCK_ROWS)])

    def score_block(self, block: Block) -> NDArray[np.float32]:
        """Return the scores of one block of raw rows."""
        return score_block(self.algorithm, self._prepare(block))

    def probability(self, score: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return sigma(score - threshold): monotone in the score and one half at the threshold, not yet calibrated."""
        margin = score.astype(np.float64) - self.decision.threshold
        return 1 / (1 + np.exp(-margin))

    def decide(self, rule: str) -> "Fitted":
        """Return the same model with its threshold chosen by another rule."""
        return replace(self, decision=parse_rule(rule).choose(self.held))

    def _prepare(self, block: Block) -> Tensor:
        return torch.from_numpy(self.preparation.apply(block))


@dataclass(frozen=True)
class NeuralMethod:
    """A method whose algorithm trains a network.

    Attributes
    ----------
    method : str
        Id of the method.
    options : dict
        The algorithm's options.
    encoder : EncoderChoice
    settings : Settings
    threshold : str
        The rule that chooses the threshold.
    preset : str
        Where the options came from.
    """

    method: str
    options: dict[str, Any] = field(default_factory=dict)
    encoder: EncoderChoice = field(default_factory=EncoderChoice)
    settings: Settings = field(default_factory=Settings)
    threshold: str = "lee-liu"
    preset: str = "default"

    def fit(
        self,
        sample: PUSample,
        *,
        seed: int,
        checkpoint_dir: Path | None = None,
        report: Report | None = None,
        classes: tuple[Any, Any] = (0, 1),
    ) -> Fitted:
        """Fit on a sample; with a checkpoint directory, go on from what is there."""
        rule = parse_rule(self.threshold)
        rule.check(n_pos=sample.n_pos, n_unl=sample.n_unl, scenario=sample.scenario)
        preparation = fit_preparation(sample.rows)
        checkpoint = Checkpoint(checkpoint_dir, key=self.key(sample, seed)) if checkpoint_dir else None
        trained = fit(
            lambda: self._make(preparation.out_shape),
            sample,
            source=make_source(sample.rows, preparation),
            settings=self.settings,
            seed=seed,
            checkpoint=checkpoint,
            report=report,
        )
        return Fitted(
            method=self.method,
            options=self.options,
            encoder=self.encoder.describe(),
            preparation=preparation,
            algorithm=trained.algorithm,
            held=trained.held,
            decision=rule.choose(trained.held),
            best_epoch=trained.best_epoch,
            history=trained.history,
            notes=preparation.notes + trained.notes,
            classes=classes,
            columns=_name_columns(sample.rows),
            preset=self.preset,
            settings=asdict(self.settings),
            seed=seed,
        )

    def _make(self, in_shape: tuple[int, ...]) -> Algorithm:
        return make_algorithm(self.method, self.options, encoder=self.encoder.build(in_shape))

    def key(self, sample: PUSample, seed: int) -> str:
        """Return a hash of data and settings: equal keys, equal models."""
        run = {
            "sample": sample.fingerprint(),
            "method": self.method,
            "options": self.options,
            "encoder": self.encoder.fingerprint(),
            "settings": asdict(self.settings),
            "seed": seed,
        }
        return hashlib.sha256(json.dumps(run, sort_keys=True).encode()).hexdigest()


def _name_columns(rows: Rows) -> int | tuple[str, ...]:
    names = getattr(rows.take(np.zeros(1, np.int64)), "column_names", None)
    return rows.shape[0] if names is None else tuple(names)


def make_algorithm(method: str, options: dict[str, Any], *, encoder: Encoder) -> Algorithm:
    """Make a method's algorithm around an encoder."""
    algorithm: Algorithm = find_method(method).load()(encoder, **options)
    return algorithm
