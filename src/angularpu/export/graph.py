"""A graph that grows node by node, front to back, and becomes an ONNX model at the end."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, compose, helper, inliner, numpy_helper

from angularpu import __version__

Value = str  # the name of what a node gives
ROWS = "rows"  # the length of every input and output that is not fixed
ML = "ai.onnx.ml"
# Of October 2024: TreeEnsemble on float64 came then, and onnxruntime reads these since 1.20.
OPSETS = {"": 20, ML: 5}
IR_VERSION = 10


class Graph:
    """Inputs, nodes and outputs in the order in which a row passes them.

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.add_input("x", np.float64, 3)
    >>> graph.add_output("twice", graph.add("Mul", x, graph.hold(np.float64(2))), np.float64, 3)
    >>> graph.finish({}).graph.node[0].op_type
    'Mul'
    """

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._names: set[str] = set()

    def add_input(self, name: str, dtype: Any, *shape: int) -> Value:
        """Add an input of this name, of any number of rows of this shape."""
        self._names.add(name)
        self._inputs.append(_describe(name, dtype, shape))
        return name

    def hold(self, array: Any) -> Value:
        """Add a constant, which keeps its type."""
        name = self._find_name("constant")
        self._constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def add(self, operator: str, *inputs: Value, domain: str = "", **attributes: Any) -> Value:
        """Add a node and return what it gives."""
        name = self._find_name(operator)
        self._nodes.append(helper.make_node(operator, inputs, [name], domain=domain, **attributes))
        return name

    def cast(self, value: Value, dtype: Any) -> Value:
        """Return the value as numbers of another type."""
        return self.add("Cast", value, to=_find_type(dtype))

    def scale(self, value: Value, slope: float, shift: float = 0.0) -> Value:
        """Return slope value + shift of a float64 value."""
        scaled = self.add("Mul", value, self.hold(np.float64(slope)))
        return self.add("Add", scaled, self.hold(np.float64(shift))) if shift else scaled

    def average(self, values: Sequence[Value]) -> Value:
        """Return the mean of float64 values."""
        return self.add("Div", self.add_up(values), self.hold(np.float64(len(values))))

    def add_up(self, values: Sequence[Value]) -> Value:
        """Return the sum of values, from the first to the last."""
        return self.add("Sum", *values)

    def insert(self, model: Any, value: Value, *, numbers: Mapping[str, NDArray[Any]]) -> Value:
        """Add all nodes of another model with one input and one output, and return what it gives for a value.

        Constants of the model that ``numbers`` names have those numbers instead of their own.
        """
        prefix = self._find_name("network") + "/"
        inner = compose.add_prefix(inliner.inline_local_functions(model), prefix).graph
        for node in inner.node:
            del node.metadata_props[:]  # where in our files a node comes from: other bytes on other machines
            node.doc_string = ""
        self._nodes.append(helper.make_node("Identity", [value], [inner.input[0].name]))
        self._nodes.extend(inner.node)
        own = {f"{prefix}{name}": numpy_helper.from_array(array, f"{prefix}{name}") for name, array in numbers.items()}
        self._constants.extend(own.get(each.name, each) for each in inner.initializer)
        return str(inner.output[0].name)

    def add_output(self, name: str, value: Value, dtype: Any, *shape: int) -> None:
        """Make a value, which is no input, an output of this name."""
        for node in self._nodes:
            for names in (node.input, node.output):
                names[:] = [name if each == value else each for each in names]
        self._outputs.append(_describe(name, dtype, shape))

    def finish(self, about: Mapping[str, str]) -> Any:
        """Return the graph as an ONNX model that has been checked, with what is to be known about it."""
        graph = helper.make_graph(self._nodes, "angularpu", self._inputs, self._outputs, self._constants)
        opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
        model.producer_name, model.producer_version = "angularpu", __version__
        helper.set_model_props(model, dict(about))
        onnx.checker.check_model(model, full_check=True)
        return model

    def _find_name(self, stem: str) -> str:
        """Return a name that no input, whose names are a user's, and no other value has."""
        number = len(self._names)
        while (name := f"/{stem}_{number}") in self._names:
            number += 1
        self._names.add(name)
        return name


def _find_type(dtype: Any) -> int:
    return TensorProto.STRING if dtype is str else int(helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))


def _describe(name: str, dtype: Any, shape: Sequence[int]) -> Any:
    return helper.make_tensor_value_info(name, _find_type(dtype), [ROWS, *shape])


def as_constant(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array of words as one of objects, the only kind of text that a tensor takes."""
    return array.astype(object) if array.dtype.kind == "U" else array
