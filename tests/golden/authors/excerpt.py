"""Definitions of a file, run without the imports around them: the authors' code needs CUDA, fastai or torchvision."""

import ast
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

Inputs = dict[str, Any]
Namespace = dict[str, Any]


def take(path: Path, *names: str, **given: Any) -> Namespace:
    """Run the named definitions of a file, "Class.method" as a plain function, with the given names defined."""
    tree = ast.parse(path.read_text())
    body = [_find(tree.body, name.split(".")) for name in names]
    exec(compile(ast.Module(body, []), str(path), "exec"), given)
    return given


def _find(body: list[ast.stmt], path: list[str]) -> ast.stmt:
    for node in body:
        if path[0] in _name(node):
            if len(path) == 1:
                return node
            inner = _find(node.body, path[1:])
            inner.decorator_list = []
            return inner
    raise SystemExit(f"no {path[0]} in this checkout; is it the commit that values.json names?")


def _name(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return [getattr(node, "name", "")]


def use_torch() -> Namespace:
    """Return the usual names of torch, on the CPU and in float64."""
    import torch

    torch.Tensor.cuda = lambda tensor: tensor
    torch.set_default_dtype(torch.float64)
    return {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "Tensor": torch.Tensor, "np": np, "math": math}


def list_cases(inputs: Inputs) -> Iterator[tuple[str, Any, Any]]:
    """Give the name, the logits of P and those of U of every case."""
    torch = use_torch()["torch"]
    for name, case in inputs["cases"].items():
        yield name, torch.tensor(case["pos"]), torch.tensor(case["unl"])
