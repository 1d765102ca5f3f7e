"""A checkpoint on disk: one file, replaced atomically, in a directory that belongs to one run."""

import json
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from angularpu import files
from angularpu.errors import ModelError, quote

FILE = "checkpoint"
KEY_FILE = "run.json"


class Checkpoint:
    """The state of an unfinished run, or of one of its stages, in a directory of its own.

    Parameters
    ----------
    directory : Path
        Made if absent.
    key : str
        A hash of the run's data and settings; a directory that holds another key is refused.
    name : str
        The file's name, without ".safetensors".
    """

    def __init__(self, directory: Path, *, key: str, name: str = FILE) -> None:
        self.directory, self._key = directory, key
        self.path = directory / f"{name}.safetensors"
        self._claim(key)

    def of_stage(self, stage: str) -> "Checkpoint":
        """Return the checkpoint of one stage of the run, in the same directory.

        >>> import tempfile
        >>> Checkpoint(Path(tempfile.mkdtemp()), key="k").of_stage("fold 1 of 5").path.name
        'fold-1-of-5.safetensors'
        """
        return Checkpoint(self.directory, key=self._key, name=stage.replace(" ", "-"))

    def save(self, tensors: dict[str, Tensor], info: dict[str, Any]) -> None:
        """Replace the saved state, in one step that either happens or does not."""
        with files.atomic_file(self.path) as temporary:
            contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
            try:
                save_file(contiguous, temporary, metadata={"info": json.dumps(info)})
            except SafetensorError as error:  # a full disk
                raise OSError(f"{self.directory / FILE} cannot be written: {error}") from error

    def load(self) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """Return the saved state, or None when nothing was saved yet."""
        if not self.path.exists():
            return None
        try:
            with safe_open(self.path, framework="pt") as file:
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
                info = json.loads(file.metadata()["info"])
                if not isinstance(info, dict):
                    raise TypeError(f"its description is {quote(info)}")
                return tensors, info
        except (SafetensorError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise ModelError(
                f"{self.path} is not a checkpoint ({error}); restart to throw it away (--restart)"
            ) from error
        except RuntimeError as error:  # as torch, which opens the file once more, says that the disk fails
            raise OSError(f"{self.path} cannot be read: {str(error).rpartition(': ')[2]}") from error

    def _claim(self, key: str) -> None:
        path = self.directory / KEY_FILE
        if path.exists():
            try:
                held = files.read_json(path)["key"]
            except (ValueError, KeyError, TypeError) as error:
                raise ModelError(f"{path} is damaged; restart to throw the unfinished run away (--restart)") from error
            if held != key:
                raise ModelError(
                    f"{self.directory} holds an unfinished run with other data or settings, or by an earlier version; "
                    "use those again to resume it, or restart to throw it away (--restart)"
                )
            return
        self.directory.mkdir(parents=True, exist_ok=True)
        files.write_json(path, {"key": key})
