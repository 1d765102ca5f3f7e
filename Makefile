# Two commands: `make demo` and `make test`. Both make the environment in .venv first, once.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
TORCH := torch==2.13.0

.PHONY: demo results site test lint types layers fast bench-check bench slow prepared torture page lock clean

# Networks this small run faster on one thread than on several; the demo fits in two processes.
demo: $(STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python examples/demo.py --out demo-out

# Every table and figure of docs/results.md, from the committed CSV files and nothing else.
results: $(STAMP)
	$(BIN)/angularpu bench report

# The documentation site, into build/site; open build/site/index.html.
site: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build

test: lint types layers fast bench-check

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

layers: $(STAMP)
	$(BIN)/lint-imports

# One torch thread per worker: several processes with torch's default threads spin against each other.
fast: $(STAMP)
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal --ignore tests/benchmarks --ignore tests/examples

# Every script of benchmarks/ and examples/ on little data.
bench-check: $(STAMP)
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal tests/benchmarks tests/examples

# The speed benchmarks beside their rivals, which are installed into build/bench and nowhere else. Minutes to an hour;
# renews benchmarks/results/speed.csv and the chart of docs/benchmarks.md.
bench: build/bench/.stamp
	for script in step_overhead epochs memory_of_a_fit scores_in_memory scoring neighbours; do \
		OMP_NUM_THREADS=1 build/bench/bin/python benchmarks/$$script.py --save || exit 1; done
	build/bench/bin/python benchmarks/start.py
	build/bench/bin/python benchmarks/ratios_chart.py

build/bench/.stamp: pyproject.toml requirements.lock benchmarks/rivals.txt
	$(PYTHON) -m venv build/bench
	build/bench/bin/python -m pip --quiet install --require-hashes --requirement requirements.lock
	build/bench/bin/python -m pip --quiet install --no-deps $(TORCH)
	build/bench/bin/python -m pip --quiet install --no-deps --requirement benchmarks/rivals.txt
	build/bench/bin/python -m pip --quiet install --no-deps --no-build-isolation --editable .
	touch $@

slow: $(STAMP)
	$(BIN)/pytest -m slow

# Needs ANGULARPU_DATA, a directory with the benchmark data sets.
prepared: $(STAMP)
	$(BIN)/pytest -m prepared

# Kills, failing disks, damaged and forged input, several writers, much data: minutes, and 7 GB in /tmp unless TORTURE is
# --no-load. Writes torture/summary.json and docs/torture.md.
torture: $(STAMP)
	$(BIN)/python -m torture --save --keep build/failed $(TORTURE)

# The script and the styles of the workbench page, from workbench/ into the package. Needs Node 20 or later.
page:
	cd workbench && npm ci --no-fund --no-audit && npm run check && npm run build

.venv: $(STAMP)

# Three calls, because hashes are for all packages of a call or for none: the lock; torch, whose CPU build differs from
# machine to machine; the package itself. The stamp is written last: an environment without it is built again.
$(STAMP): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes --requirement requirements.lock
	$(PIP) install --no-deps $(TORCH)
	$(PIP) install --no-deps --no-build-isolation --editable .
	touch $@

# Renews requirements.lock within the ranges of pyproject.toml, and the list of licences. What is locked already stays,
# unless UPGRADE=--upgrade is given.
lock: $(STAMP)
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check pip-tools==7.6.2
	cp requirements.lock build/requirements.lock
	echo '$(TORCH)' > build/torch.txt
	build/lock/bin/pip-compile --quiet $(UPGRADE) --generate-hashes --strip-extras --no-annotate --no-header \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-allow-unsafe --unsafe-package torch \
		--constraint build/torch.txt --extra dev --build-deps-for editable --output-file build/requirements.lock pyproject.toml
	sed -e '/^angularpu @/d' -e '/^#/d' build/requirements.lock | cat -s > requirements.lock
	$(BIN)/python .ci/licences.py

clean:
	rm -rf $(VENV) demo-out build
