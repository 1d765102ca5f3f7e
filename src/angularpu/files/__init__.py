"""Files and directories that are whole or absent, whatever is killed: the only place that renames and locks.

A name without a trailing ``~`` is finished. What a killed process left under a ``~`` name is swept by the next one that
writes there.
"""

from angularpu.files.directories import atomic_directory as atomic_directory
from angularpu.files.directories import lock_of as lock_of
from angularpu.files.directories import move as move
from angularpu.files.directories import remove as remove
from angularpu.files.directories import sweep as sweep
from angularpu.files.json_text import LARGEST_JSON as LARGEST_JSON
from angularpu.files.json_text import parse_json as parse_json
from angularpu.files.locking import lock as lock
from angularpu.files.reading import HeldDirectory as HeldDirectory
from angularpu.files.reading import read_directory as read_directory
from angularpu.files.single import atomic_file as atomic_file
from angularpu.files.single import dump_json as dump_json
from angularpu.files.single import read_json as read_json
from angularpu.files.single import sha256 as sha256
from angularpu.files.single import unfinished as unfinished
from angularpu.files.single import write_json as write_json
from angularpu.files.tensors import Outline as Outline
from angularpu.files.tensors import read_outlines as read_outlines
from angularpu.files.tensors import refuse_mismatch as refuse_mismatch
