"""What an experiment is, as its TOML file says it."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from angularpu.bench.protocol import Track
from angularpu.bench.synthetic import SYNTHETIC
from angularpu.data.catalog import find_entry
from angularpu.errors import SettingError
from angularpu.methods import find_method
from angularpu.presets import find_preset
from angularpu.scenario.sample import Scenario

GivenPrior = Literal["true", "bbe"]


@dataclass(frozen=True, kw_only=True)
class Draw:
    """Which rows are labelled and which unlabelled ones are kept; None leaves it to the protocol.

    Attributes
    ----------
    labelled : int or float, optional
        Labelled positives: a number, or a share of the positives, of which at most 5000 are labelled.
    unlabelled : int, optional
        Unlabelled rows to keep; by default all.
    alpha : float in (0, 1), optional
        Share of positives among the unlabelled rows; by default as it comes.
    """

    labelled: int | float | None = None
    unlabelled: int | None = None
    alpha: float | None = None

    def __post_init__(self) -> None:
        if self.labelled is not None and not (0 < self.labelled < 1 or float(self.labelled).is_integer()):
            raise SettingError(f"labelled must be a number of rows, or a share below 1, got {self.labelled}")
        if self.alpha is not None and not 0 < self.alpha < 1:
            raise SettingError(f"alpha must lie in (0, 1), got {self.alpha}; it is a share of the unlabelled rows")

    def draw(self) -> dict[str, Any]:
        """Return what is not left open."""
        every = ((part.name, getattr(self, part.name)) for part in dataclasses.fields(Draw))
        return {name: value for name, value in every if value is not None}


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What the networks of an experiment, or those of one data set, have in common; None is the package's default."""

    epochs: int | None = None
    batch_size: int | None = None
    learning_rate: float | None = None
    weight_decay: float | None = None
    optimizer: str | None = None
    decay: str | None = None
    patience: int | None = None
    selection: str | None = None
    encoder: str | None = None
    d: int | None = None
    dropout: float | None = None

    def options(self) -> dict[str, Any]:
        """Return what is not left open, as options."""
        return {name: value for name, value in dataclasses.asdict(self).items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class DatasetChoice(Draw):
    """A data set, the track it is run on, and what its networks have in common."""

    name: str
    track: Track
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name not in SYNTHETIC:
            find_entry(self.name)


@dataclass(frozen=True, kw_only=True)
class Variant(Draw):
    """One row of a table: a method, with some things set otherwise.

    Attributes
    ----------
    name : str
        How the table calls it; by default the preset's name.
    method : str
        Id of the method; by default the preset's.
    preset : str
    options : mapping of str to object
        Options of the method, its network and its training; "none" stands for None, which TOML lacks.
    """

    name: str = ""
    method: str = ""
    preset: str = "default"
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        preset = find_preset(self.preset)
        if self.preset != "default":
            object.__setattr__(self, "name", self.name or self.preset)
        object.__setattr__(self, "method", self.method or preset.method)
        object.__setattr__(self, "options", _read_none(self.options))
        find_method(self.method)
        if self.preset != "default" and self.method != preset.method:
            raise SettingError(f"preset {self.preset!r} is one of {preset.method!r}, not of {self.method!r}")
        if "/" in self.name:
            raise SettingError(f"the name of a variant is part of a path, so it cannot hold a slash, got {self.name!r}")


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """One option over several values: as many variants for each method.

    Attributes
    ----------
    option : str
        An option of the method, its network or its training, or one of ``labelled``, ``unlabelled`` and ``alpha``.
    values : tuple
    methods : tuple of str
    options : mapping of str to object
        What else differs from the defaults.
    """

    option: str
    values: tuple[Any, ...]
    methods: tuple[str, ...] = ("angular",)
    options: Mapping[str, Any] = field(default_factory=dict)

    def list_variants(self) -> tuple[Variant, ...]:
        """Return one variant for each method and value.

        >>> [v.name for v in Sweep(option="kappa", values=(0.1, 3.0)).list_variants()]
        ['kappa=0.1', 'kappa=3']
        """
        drawn = {part.name for part in dataclasses.fields(Draw)}
        made = []
        for method in self.methods:
            for value in self.values:
                name = f"{self.option}={value if isinstance(value, str) else format(value, 'g')}"
                if self.option in drawn:
                    made.append(Variant(name=name, method=method, options=self.options, **{self.option: value}))
                else:
                    made.append(Variant(name=name, method=method, options={**self.options, self.option: value}))
        return tuple(made)


@dataclass(frozen=True, kw_only=True)
class Spec:
    """An experiment: data sets x (methods, variants, sweeps) x seeds.

    Attributes
    ----------
    name : str
        The file's name, and that of its results.
    title : str
    datasets : tuple of DatasetChoice
    seeds : tuple of int
        Given as a list, or as how many.
    methods : tuple of str
        Ids, each with its own options.
    variants : tuple of Variant
    sweeps : tuple of Sweep
    scenario : {"one-sample", "two-sample"}
    prior : {"true", "bbe"}
        What methods that need the share of positives are given: the true one, or an estimate.
    threshold : str
        The rule that cuts without true classes. It is the same for all, so that a true prior helps none of them here.
    budget : Budget
    boosting_rounds : int
        Trees of the boosting inside a classical method; on sparse rows it stands around logistic regression.
    backbone : str
        The network whose frozen features are the rows of the track "features".
    input_size : int, optional
        Pixels at which images enter it.
    options : mapping of method to mapping
        Options of single methods.
    """

    name: str
    title: str = ""
    datasets: tuple[DatasetChoice, ...]
    seeds: tuple[int, ...]
    methods: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
    scenario: Scenario = "one-sample"
    prior: GivenPrior = "true"
    threshold: str = "pu-f1,prior=bbe"
    budget: Budget = field(default_factory=Budget)
    boosting_rounds: int = 30
    backbone: str = "vgg16"
    input_size: int | None = None
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", {name: _read_none(own) for name, own in self.options.items()})
        for name in (*self.methods, *self.options, *(name for sweep in self.sweeps for name in sweep.methods)):
            find_method(name)
        if not (self.datasets and self.seeds and self.list_rows()):
            raise SettingError("a spec needs datasets, seeds, and methods, variants or sweeps; one of these is empty")

    def list_rows(self) -> tuple[Variant, ...]:
        """Return every method as it is, every variant, and every value of every sweep."""
        plain = tuple(Variant(method=method) for method in self.methods)
        return plain + self.variants + tuple(v for sweep in self.sweeps for v in sweep.list_variants())


def _read_none(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: None if value == "none" else value for name, value in options.items()}
