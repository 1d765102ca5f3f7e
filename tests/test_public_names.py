"""What a user imports stands in angularpu or one level below, and is imported when it is asked for."""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import angularpu

ROOT = Path(__file__).parents[1]
PACKAGES = [
    "angularpu",
    *(f"angularpu.{each.name}" for each in pkgutil.iter_modules(angularpu.__path__) if each.ispkg),
    "angularpu_bench.catalogue",
]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "examples").glob("*.py"))]


def read_code(page: Path) -> list[str]:
    """Return the Python that a page or file shows."""
    text = page.read_text(encoding="utf-8")
    return [text] if page.suffix == ".py" else re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def list_imports(code: str) -> list[tuple[str, str]]:
    """Return every (module, name) that is imported from one of the two houses; the name may be empty."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom):
            found += [(node.module or "", alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
    return [(module, name) for module, name in found if module.split(".")[0] in {"angularpu", "angularpu_bench"}]


def list_typed(package: str) -> set[str]:
    """Return what a package shows to type checkers."""
    tree = ast.parse(Path(importlib.import_module(package).__file__).read_text(encoding="utf-8"))
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return {alias.asname for block in blocks for node in block.body for alias in node.names}


@pytest.fixture(params=[name for name in PACKAGES if hasattr(importlib.import_module(name), "__all__")])
def package(request):
    return request.param


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_the_docs_import_stands_at_most_one_level_deep(page):
    for code in read_code(page):
        for module, name in list_imports(code):
            assert module.count(".") <= 1, f"{page.name} imports {name} from {module}; export it one level below"
            assert not name or hasattr(importlib.import_module(module), name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_the_docs_name_in_full_can_be_imported(page):
    for module, name in re.findall(
        r"`(angularpu(?:_bench)?(?:\.[a-z]\w*)?)\.(\w+)[`(]", page.read_text(encoding="utf-8")
    ):
        where = importlib.import_module(module)
        assert hasattr(where, name) or importlib.util.find_spec(f"{module}.{name}"), f"{module}.{name}"


def test_the_docs_do_import_something():
    assert sum(len(list_imports(code)) for page in PAGES for code in read_code(page)) > 20


def test_every_public_name_is_there(package):
    module = importlib.import_module(package)
    assert set(module.__all__) - {"__version__"} <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name) is not None


def test_type_checkers_see_the_names_that_are_exported(package):
    made = {card.class_name for card in angularpu.METHODS.values()} - {"AngularPUClassifier"}
    assert list_typed(package) == set(importlib.import_module(package).__all__) - made - {"__version__"}


def test_no_public_name_is_hidden_by_a_module_of_that_name(package):
    module = importlib.import_module(package)
    assert not {each.name for each in pkgutil.iter_modules(module.__path__)} & set(module.__all__)


def test_what_is_not_there_is_refused_as_python_refuses_it(package):
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        _ = importlib.import_module(package).nothing


def test_importing_every_package_imports_nothing_heavy():
    heavy = {"torch", "sklearn", "numpy", "pyarrow", "scipy", "matplotlib"}
    code = f"import sys, {', '.join(PACKAGES)}; angularpu.__all__; dir(angularpu); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not heavy & set(run.stdout.split())


def test_a_star_brings_every_name():
    names: dict[str, object] = {}
    exec("from angularpu import *", names)
    assert set(angularpu.__all__) <= set(names)
