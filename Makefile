# Each target makes the virtual environment that it needs; nothing has to be installed first except
# Python 3.11 or newer, git and make. Tests that compare with Spin also need `spin` and `cc`; without
# them pytest skips those tests and says so.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
C_FILES := $(shell find src/whorl/native/runtime tests/native/runtime -name '*.[ch]')
DEV := $(VENV)/.stamp-dev
DOCS := $(VENV)/.stamp-docs
PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test check-examples test-slow mutants campaign lint format bench bench-ltl bench-threads bench-cluster bench-gpu bench-reduction laboratory pictures docs clean

help: ## list the targets (the default)
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

$(DEV): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "whorl needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@

# After $(DEV), so that two runs of pip never work in one environment at a time.
$(DOCS): pyproject.toml $(DEV)
	$(PIP_INSTALL) --editable '.[docs]'
	@touch $@

# The checker leaves with status 1 when it finds a violation, and here it should find one.
demo: $(DEV) ## show a counterexample
	@$(BIN)/whorl check examples/peterson_broken.pml; status=$$?; \
	if [ $$status -eq 1 ]; then echo; echo "demo: the violation above is the one expected"; \
	else echo "demo: expected exit status 1, a violation, and got $$status" >&2; exit 1; fi

test: $(DEV) ## run the fast tests
	$(BIN)/python -m pytest -n auto --maxschedchunk 2

# The commands of docs/howto.md ("Use it in continuous integration"), which a test compares. Some of
# the examples are violated, so the status may be 1; what each promises is compared with the report.
check-examples: $(DEV) ## check the examples as a build does: reports in build/, verdicts as promised
	@mkdir -p build
	$(BIN)/whorl check --timeout 300 --github --junit build/whorl.xml --sarif build/whorl.sarif examples > build/github.txt || [ $$? -eq 1 ]
	$(BIN)/python .ci/expected.py build/whorl.xml examples
	$(BIN)/whorl check --timeout 300 --junit build/whorl.xml --gitlab build/whorl.json examples > build/gitlab.txt || [ $$? -eq 1 ]
	$(BIN)/python .ci/expected.py build/whorl.xml examples

test-slow: $(DEV) ## run the slow tests, with more random programs
	$(BIN)/python -m pytest -n auto --maxschedchunk 1 --timeout 5400 -m slow --hypothesis-profile=slow

mutants: $(DEV) ## plant wrong lines one at a time: the fast tests must notice (ARGS=--help)
	PYTHONPATH=tests $(BIN)/python -m mutants $(ARGS)

campaign: $(DEV) ## compare what every configuration stores with the full graph, on systematic programs (ARGS=--help)
	PYTHONPATH=tests $(BIN)/python -m systematic $(ARGS)

lint: $(DOCS) ## check style and types, the C of the runtime and the documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/clang-format --dry-run --Werror $(C_FILES)
	$(BIN)/mkdocs build --strict --quiet

format: $(DEV) ## format the Python and the C
	$(BIN)/clang-format -i $(C_FILES)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(DEV) ## compare with Spin: speed and memory (ARGS=--quick is short; see ARGS=--help)
	$(BIN)/python -m benchmarks $(ARGS)

bench-ltl: $(DEV) ## compare with Spin: LTL properties (ARGS=--help)
	$(BIN)/python -m benchmarks.liveness $(ARGS)

bench-threads: $(DEV) ## several threads beside as many searches at once (ARGS=--help)
	$(BIN)/python -m benchmarks.threads $(ARGS)

bench-cluster: $(DEV) ## workers of Ray beside one process: CPU, checkpoints, recovery, memory (ARGS=--help)
	$(BIN)/python -m benchmarks.cluster $(ARGS)

bench-gpu: $(DEV) ## the GPU engine on large models; needs a GPU and CuPy (ARGS=--help)
	$(BIN)/python -m benchmarks.gpu $(ARGS)

bench-reduction: $(DEV) ## compare with Spin: partial-order reduction (ARGS=--help)
	$(BIN)/python -m benchmarks.reduction $(ARGS)

laboratory: $(DEV) ## remake the laboratory's page: every table and drawing (half an hour)
	$(BIN)/python -m benchmarks.laboratory

pictures: $(DEV) ## remake the pictures of the documentation (ARGS=NAME makes one)
	PYTHONPATH=tests:. $(BIN)/python -m support.pictures $(ARGS)

docs: $(DOCS) ## build the documentation's HTML in site/, with the playground if there is npm
	@$(BIN)/python scripts/fetch_pyodide.py
	$(BIN)/mkdocs build --strict --quiet

clean: ## remove everything that the other targets made
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
