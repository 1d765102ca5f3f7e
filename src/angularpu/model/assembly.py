"""A fitted model made of the files of its directory, once its JSON and the outlines of its tensors agree."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray
from safetensors.numpy import load as from_bytes
from torch import nn

from angularpu import files
from angularpu.data.prepare.preparation import restore_preparation
from angularpu.decide.calibrate import Calibration
from angularpu.decide.decision import Decision
from angularpu.decide.held_out import HeldOut
from angularpu.files.finite import refuse_infinite
from angularpu.methods.fitted import Fitted
from angularpu.methods.remembered import Remembered
from angularpu.methods.stored import outline_scorer, restore_scorer
from angularpu.model.description import Contents, Outlines
from angularpu.model.held_scores import GROUPS, HELD, read_held
from angularpu.model.prepared_arrays import check_preparation, outline_preparation
from angularpu.model.schema import SKOPS, TENSORS

LEARNT, PREPARED, REMEMBERED = "algorithm/", "preparation/", "remembered/"  # in front of the arrays' names


def compare_outlines(description: Mapping[str, Any], outlines: Outlines, *, encoder: nn.Module | None) -> None:
    """Refuse tensors that are not those the JSON asks for, before any is read or made.

    Parameters
    ----------
    description : mapping
        A model's JSON, checked.
    outlines : mapping of str to Outline
        What the tensors' file says it holds.
    encoder : nn.Module or None
        A network of the user's own.
    """
    content = description["preparation"]
    prepared = outline_preparation(content)
    expected = {f"{PREPARED}{name}": outline for name, outline in prepared.items()}
    expected |= {f"{HELD}{name}": files.Outline((None,), "float32") for name in GROUPS}
    expected |= {name: outline for name, outline in _outline_remembered(outlines).items() if name in outlines}
    present = {name: outline for name, outline in outlines.items() if not name.startswith(LEARNT)}
    files.refuse_mismatch(present, expected)
    in_shape = _find_shape(content, outlines)
    typical = f"{REMEMBERED}typical"
    if typical in outlines:
        expected[typical] = files.Outline(in_shape, "float32")
    found = {name.removeprefix(LEARNT): outline for name, outline in outlines.items() if name.startswith(LEARNT)}
    learnt = outline_scorer(description, found, in_shape=in_shape, encoder=encoder)
    files.refuse_mismatch(outlines, expected | {f"{LEARNT}{name}": outline for name, outline in learnt.items()})


def assemble(description: Mapping[str, Any], contents: Contents, *, encoder: nn.Module | None) -> Fitted:
    """Make the model of its JSON, which is checked, and its files, whose outlines have been compared with it."""
    arrays = from_bytes(contents[TENSORS])
    refuse_infinite(arrays)

    def part(prefix: str) -> dict[str, NDArray[Any]]:
        return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}

    check_preparation(description["preparation"], part(PREPARED))
    held = read_held(description, arrays)
    preparation = restore_preparation(part(PREPARED), description["preparation"])
    return Fitted(
        method=description["method"],
        options=description["options"],
        encoder=description["encoder"],
        preparation=preparation,
        scorer=restore_scorer(
            description,
            part(LEARNT),
            in_shape=preparation.out_shape,
            encoder=encoder,
            archive=contents.get(SKOPS),
        ),
        held=held,
        remembered=_restore_remembered(part(REMEMBERED), held),
        decision=Decision.from_json(description["decision"]),
        # Models of 0.1.0 had no calibration and stated rule and prior in the decision alone.
        threshold=description.get("threshold", description["decision"]["rule"]),
        calibration=Calibration.from_json(calibration) if (calibration := description.get("calibration")) else None,
        prior=description.get("prior", "bbe"),
        alpha=description.get("alpha"),
        labelling=description.get("labelling"),
        best_epoch=description["best_epoch"],
        history=description["history"],
        notes=tuple(description["notes"]),
        classes=(description["classes"][0], description["classes"][1]),
        columns=columns if isinstance(columns := description["columns"], int) else tuple(columns),
        preset=description["preset"],
        settings=description["settings"],
        seed=description["seed"],
        estimator=description.get("estimator"),
        audit=description.get("audit"),
    )


def _outline_remembered(outlines: Outlines) -> dict[str, files.Outline]:
    """Return the arrays that a model may have kept of its rows; earlier versions kept none."""
    scores = {name: outlines[f"{HELD}{name}"] for name in GROUPS if f"{HELD}{name}" in outlines}
    hashes = {f"{REMEMBERED}hash_{name}": files.Outline(outline.shape, "int64") for name, outline in scores.items()}
    return {f"{REMEMBERED}typical": files.Outline((None,), "float32"), **hashes}


def _restore_remembered(arrays: dict[str, NDArray[Any]], held: HeldOut) -> Remembered:
    if held.source != "cross-fitted" or not {"hash_pos", "hash_unl"} <= set(arrays):
        return Remembered(arrays.get("typical"))
    return Remembered(**arrays)


def _find_shape(content: Mapping[str, Any], outlines: Outlines) -> tuple[int, ...]:
    """Return the shape of a prepared row, which the preparation's JSON and outlines know without its arrays."""
    if content["kind"] == "image":
        return tuple(content["shape"])
    places = (outlines.get(f"{PREPARED}{name}") for name in ("kept", "flagged"))
    numbers = sum(each.shape[0] or 0 for each in places if each is not None)
    texts = sum(len(each["levels"]) + each["other"] + each["missing"] for each in content.get("categories", []))
    return (numbers + texts,)
