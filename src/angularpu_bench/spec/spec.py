"""A spec: an experiment as its TOML file describes it."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from angularpu.checks import check_share
from angularpu.errors import SettingError
from angularpu.methods.presets import find_preset
from angularpu.methods.table import find_method
from angularpu.nets.names import EncoderName
from angularpu.scenario.sample import Scenario
from angularpu_bench.catalogue.datasets import find_entry
from angularpu_bench.spec.checks import (
    check_single,
    check_threshold,
    check_track,
    is_count,
    is_share,
    read_options,
)
from angularpu_bench.spec.protocol import WEIGHTS, Track
from angularpu_bench.spec.synthetic import SYNTHETIC

GivenPrior = Literal["true", "bbe"]
Labelling = Literal["random", "score"]
THRESHOLD = "pu-f1,prior=bbe"


@dataclass(frozen=True, kw_only=True)
class Draw:
    """How many rows are labelled and which unlabelled rows are kept; None means the protocol's choice.

    Attributes
    ----------
    labelled : int, or float in (0, 1), optional
        Labelled positives: their number, or the share of positives that is labelled, then at most 5000.
    unlabelled : int, optional
        Unlabelled rows to keep, at least 2; by default all.
    alpha : float in (0, 1), optional
        Share of positives among the unlabelled rows; by default the share in the data.
    """

    labelled: int | float | None = None
    unlabelled: int | None = None
    alpha: float | None = None

    def __post_init__(self) -> None:
        if not (self.labelled is None or is_count(self.labelled, least=1) or is_share(self.labelled)):
            raise SettingError(
                "labelled must be a number of rows, at least 1, or a share of the positives in (0, 1), got "
                f"{self.labelled!r}; write a number without a decimal point, 1000, and a share with one, 0.125"
            )
        if not (self.unlabelled is None or is_count(self.unlabelled, least=2)):
            raise SettingError(
                f"unlabelled must be a whole number from 2 on, got {self.unlabelled!r}; leave it out to keep all rows"
            )
        if self.alpha is not None:
            check_share("alpha", self.alpha, advice="it is the share of positives among the unlabelled rows")

    def drawn(self) -> dict[str, Any]:
        """Return the settings that are given."""
        every = ((part.name, getattr(self, part.name)) for part in dataclasses.fields(Draw))
        return {name: value for name, value in every if value is not None}


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Settings of all networks of an experiment, or of one data set; None means the package's default."""

    epochs: int | None = None
    batch_size: int | None = None
    learning_rate: float | None = None
    weight_decay: float | None = None
    optimizer: str | None = None
    decay: str | None = None
    patience: int | None = None
    selection: str | None = None
    encoder: EncoderName | None = None
    d: int | None = None
    dropout: float | None = None
    frozen_blocks: int | None = None
    precision: str | None = None

    def options(self) -> dict[str, Any]:
        """Return the settings that are given, as options."""
        return {name: value for name, value in dataclasses.asdict(self).items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class DatasetChoice(Draw):
    """A data set, the track it is run on, and settings of its networks."""

    name: str
    track: Track
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name not in SYNTHETIC:  # a synthetic set is checked when its rows are drawn
            check_track(find_entry(self.name), self.track)


@dataclass(frozen=True, kw_only=True)
class Variant(Draw):
    """One row of a table: a method with some of its settings changed.

    Attributes
    ----------
    name : str
        Its name in the table; by default the preset's name.
    method : str
        The method; by default the preset's.
    preset : str
    options : mapping of str to object
        Options of the method, its network and its training; "none" means None, which TOML does not have.
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
        object.__setattr__(self, "options", read_options(self.options, place="options"))
        find_method(self.method)
        if self.preset != "default" and self.method != preset.method:
            raise SettingError(
                f"preset {self.preset!r} belongs to {preset.method!r}, not to {self.method!r}; leave out the method"
            )
        if "/" in self.name:
            raise SettingError(
                f"the name of a variant is part of a path and cannot contain a slash, got {self.name!r}; choose another"
            )


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """One option with several values: one variant for each method and value.

    Attributes
    ----------
    option : str
        An option of the method, its network or its training, or one of ``labelled``, ``unlabelled`` and ``alpha``.
    values : tuple
    methods : tuple of str
    options : mapping of str to object
        Other options that differ from the defaults.
    """

    option: str
    values: tuple[Any, ...]
    methods: tuple[str, ...] = ("angular",)
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for value in self.values:
            check_single(value, place=f"each value of {self.option}")
        self.list_variants()  # a wrong value is refused here, where its place in the file is known

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
        Written as a list, or as their number.
    methods : tuple of str
        Names of methods, with their default options.
    variants : tuple of Variant
    sweeps : tuple of Sweep
    scenario : {"one-sample", "two-sample"}
    labelling : {"random", "score"}
        Which positives get a label: each with the same chance (SCAR), or more often the further they lie in a direction
        that the seed draws (SAR, :func:`angularpu.scenario.labelling.label_by_score`).
    prior : {"true", "bbe"}
        The share of positives given to methods that need one: the true share, or an estimate.
    threshold : str
        The rule that chooses the threshold without true classes. It is the same for all methods, so being given the
        true prior is no advantage here.
    budget : Budget
    boosting_rounds : int
        Rounds of the boosted trees inside a classical method; on sparse rows it uses logistic regression instead.
    backbone : str
        The network whose frozen features are the rows of the track "features".
    input_size : int, optional
        Pixels of an image's shorter side at its input.
    options : mapping of method to mapping
        Options of individual methods.
    chosen_by : str
        The name of a spec beside this one that sweeps options of the same methods on the same data sets: what ranks its
        held-out rows best there, by PU-AUC, is set here. A method waits until all of its values have run.
    """

    name: str
    title: str = ""
    datasets: tuple[DatasetChoice, ...]
    seeds: tuple[int, ...]
    methods: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
    scenario: Scenario = "one-sample"
    labelling: Labelling = "random"
    prior: GivenPrior = "true"
    threshold: str = THRESHOLD
    budget: Budget = field(default_factory=Budget)
    boosting_rounds: int = 30
    backbone: str = "vgg16"
    input_size: int | None = None
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    chosen_by: str = ""

    def __post_init__(self) -> None:
        options = {name: read_options(own, place=f"options.{name}") for name, own in self.options.items()}
        object.__setattr__(self, "options", options)
        for name in (*self.methods, *self.options, *(name for sweep in self.sweeps for name in sweep.methods)):
            find_method(name)
        if not (self.datasets and self.seeds and self.list_rows()):
            raise SettingError(
                "a spec needs datasets, seeds, and methods, variants or sweeps; one of these is missing: add it"
            )
        if self.backbone not in WEIGHTS:
            raise SettingError(f"backbone must be one of {', '.join(WEIGHTS)}, got {self.backbone!r}; choose another")
        if self.threshold != THRESHOLD:  # the default is right, and parsing a rule takes seconds of imports
            check_threshold(self.threshold)

    def list_rows(self) -> tuple[Variant, ...]:
        """Return the rows of the table: every method with its defaults, every variant, every value of every sweep."""
        plain = tuple(Variant(method=method) for method in self.methods)
        return plain + self.variants + tuple(v for sweep in self.sweeps for v in sweep.list_variants())
