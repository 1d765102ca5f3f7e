"""What frozen features cost: images from uint8 to a file on disk, against the network's bare forward pass in torch.

    python benchmarks/embedding.py [--weights FILE] [--sizes 32 64 96] [--images 256] [--rounds 5] [--quick] [--json]

The bare pass has its images ready as float32 tensors, in whichever of torch's two layouts is faster, and throws its
output away. All take turns within one run, with the same batches; the ratio is the median over the rounds, and above
0.9 is what the project promises. Without ``--weights`` they are random, which takes as long.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from command_line import make_parser, parse, print_header, print_row
from numpy.typing import NDArray
from small_files import write_vgg16
from torch import nn

from angularpu.nets.vgg import VGG
from angularpu.nets.weights import load_weights
from angularpu_bench.catalogue.backbone import Backbone, load_backbone
from angularpu_bench.catalogue.features import keep_features

LAYOUTS = {"channels first": torch.contiguous_format, "channels last": torch.channels_last}


def embed(images: NDArray[np.uint8], backbone: Backbone) -> None:
    with tempfile.TemporaryDirectory() as folder:
        keep_features(images, backbone, cache=Path(folder))


def run_bare(batches: list[torch.Tensor], layers: nn.Module) -> None:
    with torch.inference_mode():
        for x in batches:
            layers(x)


def measure(weights: Path, size: int, *, n: int, rounds: int) -> dict[str, float]:
    images = np.random.default_rng(0).integers(0, 256, (n, 3, size, size), np.uint8)
    backbone = load_backbone("vgg16", weights)
    runs: dict[str, Callable[[], None]] = {"ours": lambda: embed(images, backbone)}
    for layout, memory_format in LAYOUTS.items():
        encoder = VGG("vgg16", (3, size, size)).eval()
        load_weights(encoder, weights)
        layers = encoder.get_submodule("features").to(memory_format=memory_format)
        x = (torch.from_numpy(images).float() / 255).contiguous(memory_format=memory_format)
        batches = [batch.contiguous(memory_format=memory_format) for batch in x.split(backbone.count_batch(images))]
        runs[layout] = lambda batches=batches, layers=layers: run_bare(batches, layers)
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(rounds + 1):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            if turn:  # the first round warms up
                seconds[name].append(time.perf_counter() - start)
    speed = {name: n / statistics.median(taken) for name, taken in seconds.items()}
    bare = max(LAYOUTS, key=lambda layout: speed[layout])
    ratio = statistics.median(b / a for a, b in zip(seconds["ours"], seconds[bare], strict=True))
    return {"size": size, "images_per_second": speed["ours"], **{name: speed[name] for name in LAYOUTS}, "ratio": ratio}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", help="pixels of a side")
    parser.add_argument("--images", type=int, help="at 32 pixels; as many pixels at other sizes")
    parser.add_argument("--rounds", type=int)
    full = {"sizes": [32, 64, 96], "images": 256, "rounds": 5}
    options = parse(parser, full=full, quick={"sizes": [32], "images": 8, "rounds": 1})
    with tempfile.TemporaryDirectory() as folder:
        weights = options.weights or write_vgg16(Path(folder))
        table = [
            measure(weights, size, n=max(1, options.images * 32**2 // size**2), rounds=options.rounds)
            for size in options.sizes
        ]
    if options.json:
        print(json.dumps(table, indent=1))
        return
    print_header("pixels of a side", "ours, images a second", *(f"bare, {layout}" for layout in LAYOUTS), "ours / bare")
    for row in table:
        speeds = [f"{row[name]:.1f}" for name in ("images_per_second", *LAYOUTS)]
        print_row(row["size"], *speeds, f"{row['ratio']:.3f}")


if __name__ == "__main__":
    main()
