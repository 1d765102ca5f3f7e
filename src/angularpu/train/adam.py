"""Adam with little around its fused kernel: on small networks the preparations of a step take longer than the step."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.optim import Adam


class LeanAdam(Adam):
    """Adam on the CPU, fused, whose tensors are listed once instead of at every step.

    What it computes and what it stores are those of ``torch.optim.Adam(fused=True)``, to the bit. Hooks that are
    registered on a step are not called.
    """

    _listed: list[tuple[dict[str, Any], list[Tensor], list[list[Tensor]]]] | None = None

    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Take a step by the gradients as they are."""
        if closure is not None:
            loss: float = super().step(closure)
            return loss
        if self._listed is None or not self._all_have_gradients():
            super().step()  # makes the moments of what has a gradient for the first time
            self._listed = list(self._list_tensors()) if self._all_have_gradients() else None
            return None
        with torch.no_grad():
            for group, params, (average, square, count) in self._listed:
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
        super().load_state_dict(state_dict)
        self._listed = None

    def _all_have_gradients(self) -> bool:
        return all(p.grad is not None for group in self.param_groups for p in group["params"])

    def _list_tensors(self) -> Iterator[tuple[dict[str, Any], list[Tensor], list[list[Tensor]]]]:
        for group in self.param_groups:
            params = group["params"]
            yield group, params, [[self.state[p][name] for p in params] for name in ("exp_avg", "exp_avg_sq", "step")]


LeanAdam.step.hooked = True  # type: ignore[attr-defined]  # torch would wrap the step to time it and to call hooks
