import subprocess
import sys

import pytest

from angularpu_bench import catalogue


@pytest.mark.parametrize("name", catalogue.__all__)
def test_every_public_name_is_a_function_of_that_name(name):
    assert getattr(catalogue, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'load_dataste'"):
        catalogue.load_dataste  # noqa: B018 - asking for it is the test


def test_the_package_loads_nothing_before_a_name_is_used():
    code = "import sys, angularpu_bench.catalogue; sys.exit(bool({'numpy', 'torch', 'pyarrow'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
