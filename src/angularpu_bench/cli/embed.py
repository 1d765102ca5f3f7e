"""``angularpu embed``: turn images into features of a frozen network."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from angularpu.cli.options import AsJson


def embed(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="A data set by name, or uint8 images (n, channels, height, width): .npy or .npz."
        ),
    ],
    *,
    weights: Annotated[Path, typer.Option(metavar="FILE", help="torchvision's weights: .safetensors or .pth.")],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Features to write, .npy; for a data set FILE-train and FILE-test.")
    ],
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Directory of the data sets; by default the one in ANGULARPU_DATA."),
    ] = None,
    backbone: Annotated[str, typer.Option(metavar="NAME", help="vgg16 or vgg11_bn.")] = "vgg16",
    size: Annotated[
        int | None, typer.Option(metavar="N", help="Pixels of the shorter side, at least 32; by default its own.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
    as_json: AsJson = False,
) -> None:
    """Turn images into features of a frozen network.

    Every image becomes one row. After a kill, the same command resumes.
    """
    from angularpu.errors import DataError
    from angularpu.files import move, remove, unfinished
    from angularpu.progress import print_json, show_progress, tell
    from angularpu_bench.catalogue.backbone import load_backbone
    from angularpu_bench.catalogue.features import keep_features

    if out.suffix.lower() != ".npy":
        raise DataError(f"features are written as .npy, got {out}; choose such a name")
    parts = _read_images(source, out=out, directory=data)
    for path in parts:
        if path.exists() and not force:
            raise DataError(f"{path} already exists; choose another name or pass --force")
    network = load_backbone(backbone, weights, input_size=size)
    finished = {}
    for path, images in parts.items():
        with show_progress(shown=True) as report:
            finished[path] = keep_features(images, network, cache=unfinished(path), report=report)
    for path, images in parts.items():
        move(finished[path], path)
        remove(unfinished(path))
        tell(f"{len(images):,} images, {network.width} columns in {path}")
    if as_json:
        files = [{"file": str(path), "rows": len(images), "columns": network.width} for path, images in parts.items()]
        print_json({"features": files})


def _read_images(source: str, *, out: Path, directory: Path | None) -> dict[Path, Any]:
    """Return the images to embed, by the file for their features: arrays, or what is read as one piece by piece."""
    from angularpu.data.io.arrays import ARRAY_SUFFIXES, find_rows, open_arrays
    from angularpu.data.io.reading import refuse_path
    from angularpu.errors import DataError
    from angularpu.progress import warn
    from angularpu_bench.catalogue.datasets import find_directory, load_dataset
    from angularpu_bench.catalogue.features import take_images

    path = Path(source)
    if path.suffix.lower() in ARRAY_SUFFIXES:
        refuse_path(path, ARRAY_SUFFIXES)
        if out.exists() and out.samefile(path):
            raise DataError(f"{out} holds the images; write their features to another file")
        arrays = open_arrays(path)
        return {out: find_rows(arrays, path) if isinstance(arrays, Mapping) else arrays}
    dataset = load_dataset(source, find_directory(directory))
    for warning in dataset.warnings:
        warn(warning)
    return {out.with_stem(f"{out.stem}-{part}"): images for part, images in take_images(dataset).items()}
