# Everything runs in a virtual environment of the checkout. It is made on first use and brought up to date
# whenever pyproject.toml or constraints.txt change.

PYTHON ?= python3
VENV ?= .venv
LOWEST ?= .venv-lowest
GAMES ?= 200
OUT ?= runs/demo
WARM ?= 1

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
INSTALLED := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help install demo test quick lowest lint wheel bench site clean

help: ## Show what can be made
	@sed -n 's/^\([a-z]*\):.*## /  make \1@/p' $(MAKEFILE_LIST) | column -t -s @ 2>/dev/null \
		|| sed -n 's/^\([a-z]*\):.*## /  make \1: /p' $(MAKEFILE_LIST)
	@echo "Settings: PYTHON=$(PYTHON) VENV=$(VENV) GAMES=$(GAMES) OUT=$(OUT) WARM=$(WARM)"

install: $(INSTALLED) ## Make the virtual environment and compile for the published boards (WARM=0: do not compile)
ifneq ($(WARM),0)
	$(BIN)/thurn warm --stage game bots --jobs 0
endif

demo: $(INSTALLED) ## Train a policy for two minutes and let it play the bots (GAMES=200 OUT=runs/demo)
	$(BIN)/thurn train --preset quick --out $(OUT)/policy $(if $(wildcard $(OUT)/policy/*.pickle),--resume)
	$(BIN)/thurn tournament --agents random sensible-random greedy heuristic ppo:$(OUT)/policy/best.npz \
		--players 2 --games $(GAMES) --seed 1 --out $(OUT)/tournament
	@echo "Next: $(BIN)/thurn report $(OUT)/tournament makes a page of this tournament, the games included;"
	@echo "      $(BIN)/thurn play --agents human ppo:$(OUT)/policy/best.npz lets you play against the policy;"
	@echo "      $(BIN)/tensorboard --logdir $(OUT)/policy shows how it learned; docs/training.md tells how to go on."

# The tests of the rules look at single positions of very many tables: as plain Python they take a minute, compiled for
# every one of these tables a quarter of an hour. All other tests run compiled, and so does test_horses_hidden.py, which
# deals the cards of one table thousands of times.
RULES := $(filter-out tests/rules/test_horses_hidden.py,$(wildcard tests/rules/test_*.py))
PLAIN := $(RULES) tests/zug_um_zug/rules tests/test_board.py tests/test_board_errors.py tests/test_heuristic.py

# Tests start hundreds of Python processes, and each of them would compile the package again if byte code were not kept.
test quick: export PYTHONDONTWRITEBYTECODE :=
# The workers share the cores: with a thread of torch on every core, each waits for the others.
test quick: export OMP_NUM_THREADS ?= 1

# The compiled tests often wait for a process or a page: with two workers, cores would be idle. Every worker loads
# everything anew: with four, the tests took longer than with three.
test: $(INSTALLED) ## Run the tests
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(PLAIN)
	$(BIN)/python -m pytest -n 3 $(PLAIN:%=--ignore=%)

# What changes most often breaks first: the rules, single games, many games, the faces, records, and how things are
# compiled and kept.
QUICK := tests/rules/test_horses_hidden.py \
	tests/test_game.py tests/test_batch_calls.py tests/test_batch_seeds.py tests/test_legal_list.py \
	tests/test_gymnasium.py tests/test_learner_batch.py tests/test_records.py tests/test_replays.py \
	tests/test_mutated_records.py tests/test_session.py \
	tests/test_kernel_cache.py tests/test_compiler.py tests/test_cli.py tests/test_floors.py tests/test_dependencies.py

quick: $(INSTALLED) ## Run the most important tests in a short time
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(RULES)
	$(BIN)/python -m pytest $(QUICK)

lowest: ## Run the tests with the lowest versions that pyproject.toml allows
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct -e ".[all]"
	@touch $(LOWEST)/.installed
	$(MAKE) test VENV=$(LOWEST)

lint: $(INSTALLED) ## Check style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

wheel: $(INSTALLED) ## Build a wheel for this system with compiled kernels, in dist/
	$(BIN)/python -m release.wheel --out dist

bench: $(INSTALLED) ## Measure the engine's speed
	$(BIN)/thurn bench

site: $(INSTALLED) ## Make the documentation as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "Open site/index.html, or look at it with the search: $(BIN)/python -m http.server --directory site"

clean: ## Remove caches and built files (keeps the virtual environment and runs)
	rm -rf build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -not -path './.*' -prune -exec rm -rf {} +

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "thurn-env needs Python 3.11 or newer, but '$(PYTHON)' is missing or older." >&2; \
		echo "Name another one: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e ".[all]"
	@# Compile to byte code on all cores, as pip does not; templates in some packages are no code.
	@$(BIN)/python -m compileall -qq -j 0 \
		"$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" || true
	@touch $@
