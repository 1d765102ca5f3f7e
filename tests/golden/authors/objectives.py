"""The authors' objectives beyond a PU risk, on the inputs of values.json."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from excerpt import Inputs, list_cases, take, use_torch


def run_vpu(checkout: Path, inputs: Inputs) -> Any:
    """Draw the mixing share and the partners as values.json says: no other choice of the code is touched."""
    torch, nn = use_torch()["torch"], use_torch()["nn"]

    class Fixed:
        """Torch without chance."""

        distributions = SimpleNamespace(
            beta=SimpleNamespace(Beta=lambda *_: SimpleNamespace(sample=lambda: torch.tensor(inputs["gamma"])))
        )
        randperm = staticmethod(lambda n: torch.arange(n))

        def __getattr__(self, name: str) -> Any:
            return getattr(torch, name)

    class Model(nn.Module):
        """g = w x, as log-probabilities of two classes."""

        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.tensor(inputs["weight"]))

        def forward(self, x: Any) -> Any:
            g = x @ self.weight
            return torch.log_softmax(torch.stack([torch.zeros_like(g), g], 1), 1)

    class Meter:
        """Keeps the last value."""

        def update(self, value: float, *_: Any) -> None:
            self.avg = value

    class Loader:
        """A loader of one batch, as of the time when iterators had a method next."""

        def __init__(self, rows: Any) -> None:
            self.next = lambda: (rows, None)

        def __iter__(self) -> "Loader":
            return self

        def __next__(self) -> Any:
            return self.next()

    given = use_torch() | {"torch": Fixed(), "AverageMeter": Meter}
    code = take(checkout / "vpu.py", "train", "cal_val_kl", **given)
    pos, every = torch.tensor(inputs["pos"]), torch.tensor(inputs["all"])
    config = SimpleNamespace(val_iterations=1, mix_alpha=0.3, lam=inputs["lambda"])
    model = Model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    total, variational, consistency, *_ = code["train"](
        config, model, optimizer, Loader(pos), Loader(every[: len(pos)])
    )
    return {
        "train": {"loss": total, "variational": variational, "consistency": consistency},
        "validation": code["cal_val_kl"](model, [(pos, None)], [(pos, None), (every, None)]),
    }


def run_dist_pu(checkout: Path, inputs: Inputs) -> Any:
    torch = use_torch()["torch"]
    given = take(checkout / "losses" / "distributionLoss.py", "LabelDistributionLoss", **use_torch())
    given = take(checkout / "losses" / "entropyMinimization.py", "loss_entropy", **given)
    given = take(checkout / "losses" / "factory.py", "CLASS_PRIOR", "create_loss", **given)
    given = take(checkout / "customized" / "mixup.py", "mixup_bce", **given)
    outputs: Inputs = {}
    for name, pos, unl in list_cases(inputs):
        label = torch.cat([torch.ones(len(pos)), torch.zeros(len(unl))])
        for key, entropy in (("alignment", 0), ("warm_up", 1)):
            args = SimpleNamespace(dataset="cifar-10", loss="Dist-PU", device="cpu", entropy=entropy, co_mu=0.002)
            value = given["create_loss"](args)(torch.cat([pos, unl]), label)
            outputs.setdefault(name, {})[key] = value.item()
        score = torch.cat([pos, unl]).sigmoid()
        first, second = (torch.tensor(inputs[key]) for key in ("first_labels", "second_labels"))
        outputs[name]["mixed_entropy"] = given["loss_entropy"](score).item()
        outputs[name]["mixup"] = given["mixup_bce"](score, first, second, inputs["share"]).item()
    return outputs


def run_punce(checkout: Path, inputs: Inputs) -> Any:
    torch = use_torch()["torch"]
    names = "SelfSupConLoss", "SupConLoss", "PUinfoNCELoss", "PUConLoss"
    helpers = "compute_inner_pdt_mtx", "compute_sfx_mtx", "get_self_aug_mask"
    code = take(checkout / "losses.py", *names, *helpers, **use_torch())
    views = torch.tensor(inputs["first_view"]), torch.tensor(inputs["second_view"])
    losses = {
        "punce": code["PUinfoNCELoss"](inputs["temperature"], inputs["prior"]),
        "pucl": code["PUConLoss"](inputs["temperature"]),
    }
    outputs: Inputs = {}
    for n_pos in inputs["n_pos"]:
        label = (torch.arange(len(views[0])) < n_pos).long()
        runs = losses if n_pos else {"punce": losses["punce"]}  # PUConLoss stops with an error without a label
        outputs[str(n_pos)] = {name: loss(*views, label).item() for name, loss in runs.items()}
    return outputs


def run_pico(checkout: Path, inputs: Inputs) -> Any:
    torch, nn = use_torch()["torch"], use_torch()["nn"]
    code = take(checkout / "utils" / "utils_loss.py", "partial_loss", "SupConLoss", **use_torch())
    given = use_torch() | {"concat_all_gather": lambda tensor: tensor}
    network = take(checkout / "model.py", "PiCO", **given)["PiCO"]

    class Split(nn.Module):
        """A row is the logits of two classes and an embedding on the sphere."""

        def __init__(self, **_: Any) -> None:
            super().__init__()

        def forward(self, x: Any) -> Any:
            return x[:, :2], x[:, 2:]

    q, k, queue = (torch.tensor(inputs[key]) for key in ("q", "k", "queue"))
    n, (start, end) = len(q), inputs["kept"]
    args = SimpleNamespace(dataset="", num_class=2, low_dim=q.shape[1], arch="", moco_queue=n, moco_m=0.999)
    args.proto_m, args.epochs, args.conf_ema_range = inputs["momentum"], 1, (start, end)
    model = network(args, Split)
    model._batch_shuffle_ddp, model._batch_unshuffle_ddp = lambda x: (x, None), lambda x, _: x
    model.prototypes = torch.tensor(inputs["prototypes"])
    model.queue, model.queue_pseudo = queue, torch.tensor(inputs["queue_labels"])
    logits, candidates = torch.tensor(inputs["logits"]), torch.tensor(inputs["candidates"])
    rows, altered = torch.cat([logits, q], 1), torch.cat([logits, k], 1)
    output, features, labels, score = model(rows, altered, candidates, args)
    classify = code["partial_loss"](torch.tensor(inputs["beliefs"]))
    classify.set_conf_ema_m(inputs["progress"], args)
    classify.confidence_update(score, torch.arange(n), candidates)
    contrast = code["SupConLoss"](temperature=inputs["temperature"])
    return {
        "labels": labels[:n].tolist(),
        "prototypes": model.prototypes.tolist(),
        "kept": classify.conf_ema_m,
        "beliefs": classify.confidence.tolist(),
        "classification": classify(output, torch.arange(n)).item(),
        "contrast": contrast(features, mask=labels[:n, None] == labels[None], batch_size=n).item(),
        "first_epoch": contrast(features, batch_size=n).item(),
    }
