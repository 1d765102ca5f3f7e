"""Adam with little around its fused kernel: on small networks the preparations of a step take longer than the step."""

import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.optim import Adam

Listed = list[tuple[dict[str, Any], list[Tensor], tuple[list[Tensor], ...]]]


class LeanAdam(Adam):
    """Adam on the CPU, fused, whose tensors are listed once instead of at every step.

    What it computes and what it stores are those of ``torch.optim.Adam(fused=True)``, to the bit. Hooks that are
    registered on a step are not called.

    Nor is torch's compiler imported, which the methods of ``Adam`` do the first time to say that it must pass over
    them: that takes a second and 70 MB, and nothing is compiled here.
    """

    _listed: Listed | None = None

    add_param_group = inspect.unwrap(Adam.add_param_group)
    state_dict = inspect.unwrap(Adam.state_dict)

    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Take a step by the gradients as they are."""
        if closure is not None:
            loss: float = super().step(closure)
            return loss
        with torch.no_grad():
            for group, params, (average, square, count) in self._list_tensors():
                slopes = [p.grad for p in params if p.grad is not None]
                beta1, beta2 = group["betas"]
                torch._foreach_add_(count, 1)
                torch._fused_adam_(
                    params,
                    slopes,
                    average,
                    square,
                    [],
                    count,
                    lr=group["lr"],
                    beta1=beta1,
                    beta2=beta2,
                    weight_decay=group["weight_decay"],
                    eps=group["eps"],
                    amsgrad=False,
                    maximize=False,
                )
        return None

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients; the next ones are written, not added."""
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = None

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a stored state; its tensors are listed anew."""
        inspect.unwrap(Adam.load_state_dict)(self, state_dict)
        self._listed = None

    def _list_tensors(self) -> Listed:
        """Return of every group what has a gradient, and its moments, made where it has one for the first time."""
        complete = all(p.grad is not None for group in self.param_groups for p in group["params"])
        if self._listed is not None and complete:
            return self._listed
        listed: Listed = []
        for group in self.param_groups:
            params, slopes, average, square, largest, count = ([] for _ in range(6))  # type: ignore[var-annotated]
            self._init_group(group, params, slopes, average, square, largest, count)  # type: ignore[no-untyped-call]
            if params:
                listed.append((group, params, (average, square, count)))
        self._listed = listed if complete else None
        return listed


LeanAdam.step.hooked = True  # type: ignore[attr-defined]  # torch would wrap the step to time it and to call hooks
