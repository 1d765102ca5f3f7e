"""What lies in a folder, to be compared."""

import hashlib
from pathlib import Path

Tree = dict[str, str]  # what each path holds, as a checksum


def read_tree(folder: Path) -> Tree:
    """Return a checksum of every file below a folder, by its path there; of a lock, which names its holder, none."""
    tree = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink() or path.is_dir():
            tree[name] = "link" if path.is_symlink() else "directory"
        else:
            lock = path.name == "lock" or path.name.endswith(".lock~")
            tree[name] = "lock" if lock else hashlib.sha256(path.read_bytes()).hexdigest()
    return tree


def part(tree: Tree, name: str) -> Tree:
    """Return what lies at and below one name of a folder, without what is unfinished by its own name."""
    return {
        path: content
        for path, content in tree.items()
        if (path == name or path.startswith(f"{name}/")) and not path.endswith("~")
    }


def name_state(tree: Tree) -> str:
    """Return a checksum of all that lies there."""
    return hashlib.sha256(repr(sorted(tree.items())).encode()).hexdigest()
