"""The laboratory's commands, added to those of ``angularpu``."""

import typer

from angularpu_bench.cli.bench import bench_app
from angularpu_bench.cli.data import data_app
from angularpu_bench.cli.embed import embed


def add_commands(app: typer.Typer) -> None:
    """Add bench, data and embed to the command line."""
    app.command(epilog="Example: angularpu embed images.npy --weights vgg16.pth --out features.npy")(embed)
    app.add_typer(data_app, name="data")
    app.add_typer(bench_app, name="bench")
