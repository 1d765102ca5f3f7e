# Two commands: `make demo` and `make test`. Both make the environment in .venv first, once.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp

.PHONY: demo results test lint types layers fast bench-check slow prepared clean

# Networks this small run faster on one thread than on several; the demo fits in two processes.
demo: $(STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python examples/demo.py --out demo-out

# Every table and figure of docs/results.md, from the committed CSV files and nothing else.
results: $(STAMP)
	$(BIN)/angularpu bench report

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

slow: $(STAMP)
	$(BIN)/pytest -m slow

# Needs ANGULARPU_DATA, a directory with the benchmark data sets.
prepared: $(STAMP)
	$(BIN)/pytest -m prepared

.venv: $(STAMP)

# The stamp is written last: an environment without it is built again.
$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) demo-out build
