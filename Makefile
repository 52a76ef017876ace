# Everything is run from this folder. `make` alone says what there is.

PYTHON ?= python3
VENV ?= .venv
RUN := $(VENV)/bin/python
# Each lock is copied into the environment once installed, and so is installed again only when
# it has changed.
RUNTIME := $(VENV)/requirements.lock
DEV := $(VENV)/requirements-dev.lock
# Modules are compiled when first imported: most never are, and compiling all doubles the wait.
INSTALL := $(RUN) -m pip install --quiet --disable-pip-version-check --no-compile \
	--require-hashes --requirement
COMPILE := $(VENV)/bin/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	--custom-compile-command "make lock"

# The older versions of `datasets` that the dataset must load with, each in its environment.
DATASETS := 3.6.0 4.0.0
DATASETS_PYTHONS := $(DATASETS:%=$(VENV)-datasets-%/bin/python)

# What `make demo` runs: each planner over each mini.
PLANNERS := respond_now flatten do_nothing mark_done carry_on blind_retry random_repair restart oracle
CONFIGS := level1_mini level2_mini
DEMO_RUNS := runs/demo
DEMO := $(foreach config,$(CONFIGS),$(PLANNERS:%=$(DEMO_RUNS)/$(config)-%))
LEADERBOARD := leaderboard.json
HEAT_MAP := heat_map.svg
REPORT := report

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test test-demo test-datasets test-llm lint types clean lock

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(RUNTIME) ## make the environment .venv with the locked packages

demo: $(RUNTIME) ## build the minis, run the scripted planners, check, verify, score, rank, report
	rm -rf $(DEMO_RUNS)
	$(RUN) -m build --mini
	@$(MAKE) --no-print-directory --jobs 2 $(DEMO:%=%/checks.jsonl)
	$(RUN) -m eval.leaderboard $(DEMO) --out $(LEADERBOARD) --heat-map $(HEAT_MAP)
	$(RUN) -m eval.report $(DEMO) --leaderboard $(LEADERBOARD) --out $(REPORT)
	@echo
	@echo "Open $(REPORT)/index.html in a browser: scores, and every instance with every answer."
	@echo "Run your own model (its key in the environment, as litellm names both):"
	@echo "  $(RUN) -m eval.run --model openai/gpt-4o-mini --config level1_mini --out runs/mine"
	@echo "  $(RUN) -m eval.report runs/mine $(DEMO_RUNS)/level1_mini-* --out $(REPORT)"

# One planner over one config, run and checked; two at once, so each in one process.
$(DEMO_RUNS)/%/checks.jsonl:
	$(RUN) -m eval.run --agent $(word 2,$(subst -, ,$*)) --config $(word 1,$(subst -, ,$*)) \
		--out $(DEMO_RUNS)/$*
	$(RUN) -m eval.checks $(DEMO_RUNS)/$* --processes 1 > /dev/null

test-demo: $(DEV) demo ## the demo, and that README shows what it prints
	DEMO_LEADERBOARD=$(abspath $(LEADERBOARD)) $(RUN) -m pytest tests/test_demo.py

test: $(DEV) ## run all tests
	$(RUN) -m pytest -n 2

test-datasets: $(DEV) $(DATASETS_PYTHONS) ## load the dataset with old and new versions of datasets
	DATASETS_PYTHONS="$(abspath $(DATASETS_PYTHONS))" \
		$(RUN) -m pytest -n 2 tests/test_datasets_versions.py

test-llm: $(DEV) ## the whole loop with a real small model (compiles llama.cpp: minutes)
	test -x $(VENV)-llm/bin/python || $(RUN) -m venv $(VENV)-llm
	$(VENV)-llm/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements-llm.txt
	LLM_PYTHON=$(abspath $(VENV)-llm/bin/python) $(RUN) -m pytest tests/llm/whole_loop.py

lint: $(DEV) ## check style and format
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

types: $(DEV) ## check types
	$(RUN) -m mypy

clean: ## remove the environment, what was built, run and cached
	rm -rf $(VENV) $(VENV)-datasets-* $(VENV)-llm pararecover runs analysis examined $(LEADERBOARD) $(HEAT_MAP) $(REPORT) .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

lock: $(DEV) ## make the locks again after a change of requirements*.txt (LOCK=--upgrade: newest)
	$(COMPILE) $(LOCK) requirements.txt --output-file requirements.lock
	$(COMPILE) $(LOCK) requirements-dev.txt --constraint requirements.lock \
		--output-file requirements-dev.lock

$(RUNTIME): requirements.lock | $(RUN)
	$(INSTALL) $<
	@cp $< $@

$(DEV): requirements-dev.lock | $(RUN)
	$(INSTALL) $<
	@cp $< $@

$(VENV)-datasets-%/bin/python: | $(RUN)
	$(RUN) -m venv $(@D)/..
	$@ -m pip install --quiet --disable-pip-version-check --no-compile datasets==$*

$(RUN):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		version=$$($(PYTHON) -c 'import sys; print(sys.version.split()[0])' 2>/dev/null); \
		echo "ParaRecover needs Python 3.11 or newer; $(PYTHON) is $${version:-not there}." \
			"Try: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; \
		exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make environments: install its venv package" \
			"(Debian, Ubuntu: apt install python3-venv)" >&2; \
		exit 1; }
	$(PYTHON) -m venv $(VENV)
