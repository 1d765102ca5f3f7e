"""Pipelines: columns standardised, then a classifier."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sklearn.pipeline import Pipeline

from angularpu.classical.storage.kind import CLASSES, Arrays, Fields, Kind, Pieces, Role
from angularpu.files import Outline

LAST = "classifier"


class Chain:
    """A pipeline that was read: it has the functions of its classifier, which takes what the scalers give.

    Parameters
    ----------
    scalers : sequence of scaler
    classifier : classifier
    """

    classes_ = CLASSES

    def __init__(self, scalers: Sequence[Any], classifier: Any) -> None:
        self.scalers, self.classifier = scalers, classifier

    def __getattr__(self, name: str) -> Callable[[Any], Any]:
        if name not in {"predict_proba", "decision_function"}:
            raise AttributeError(name)
        ask: Callable[[Any], Any] = getattr(self.classifier, name)  # it may have but one of them
        return lambda x: ask(self._scale(x))

    def _scale(self, x: Any) -> Any:
        for scaler in self.scalers:
            x = scaler.transform(x)
        return x


class PipelineKind(Kind):
    """A pipeline of scalers and a classifier."""

    name = "pipeline"
    types = (Pipeline, Chain)

    def split(self, model: Any) -> Pieces:
        """Give the scalers numbers."""
        *scalers, classifier = _list_steps(model)
        children = {f"scaler_{number}": scaler for number, scaler in enumerate(scalers)}
        return Pieces({}, {}, {**children, LAST: classifier})

    def outline(self, fields: Fields, columns: int) -> dict[str, Outline]:
        """Return no arrays: all of them are inside."""
        return {}

    def list_children(self, count: int) -> dict[str, Role]:
        """Return scalers and one classifier."""
        return {**{f"scaler_{number}": "scaler" for number in range(count - 1)}, LAST: "classifier"}

    def join(self, fields: Fields, arrays: Arrays, *, children: Mapping[str, Any], columns: int) -> Chain:
        """Put the steps in a row."""
        return Chain([children[f"scaler_{number}"] for number in range(len(children) - 1)], children[LAST])

    def list_unfitted(self, model: Any) -> list[Any]:
        """Return the steps."""
        return _list_steps(model)


def _list_steps(model: Any) -> list[Any]:
    if isinstance(model, Chain):
        return [*model.scalers, model.classifier]
    return [step for _, step in model.steps]
