# make demo   the two-minute tour
# make test   all tests but those that take a second and more each (make test-slow)
# make lint   style and types
# make mutation BOOK=sakura   would anybody notice if a rule of the book were missing? It may be stopped, and goes on
# make mutation-codegen   would the agreement tests notice a mistake in code generation? 200 of them, one at a time; goes on
#               where it was if it is stopped (CODEGEN='--count 20 --quick')
# make mutation-stored   would verify notice if something else were stored, or if a rule that a stored play carries out were missing? (EDITS='--each 5')
# make digest BOOK=hanayome   docs/hanayome.md and .ja.md anew: what the stored cases show about the book
# make oracle    are the checks right about worlds by lot? (ORACLE='--draw cards --worlds 20000 --seed 1 --jobs 2 --questions 50')
# make planted   do the questions about every position find twenty defects put into copies of the books? (PLANTED='both-burn')
# make certificates   has everything that the shipped scenarios and stored cases tell a certificate that is accepted? (CERTIFICATES='sakura --jobs 2')
# make fuzz      accidents and inputs by lot: files, documents, texts of strangers, writes that are disturbed (FUZZ='--seed 1 --seconds 600'; docs/trust.md)
# make mutation-certificates   does the checker of certificates refuse a thousand that are wrong? (CERTIFICATES='--seed 2')
# Each makes what it needs in .venv: nothing but Python 3.11 (or newer) and make has to be there.
SHELL := /bin/sh
.DEFAULT_GOAL := demo
.PHONY: demo test test-slow certificates digest fuzz mutation mutation-certificates mutation-codegen mutation-stored oracle planted lint style types clean

VENV ?= .venv
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip --disable-pip-version-check -qq install
PYTEST_ARGS ?= -q -n auto --dist worksteal -m "not slow"

demo: $(VENV)/.ready-to-run
	@$(RUN) -m rulewright.checks demo

test: $(VENV)/.ready-to-test
	@$(RUN) -m pytest $(PYTEST_ARGS)

test-slow: $(VENV)/.ready-to-test
	@$(RUN) -m pytest -q -n auto -m slow $(SLOW)

BOOK ?= sakura
digest: $(VENV)/.ready-to-run
	@$(RUN) -m rulewright.checks.commands.digest $(BOOK)

mutation: $(VENV)/.ready-to-test
	@$(RUN) -m tests.mutation.removal $(BOOK) --survivors $(MUTATION)

mutation-codegen: $(VENV)/.ready-to-test
	@$(RUN) tests/mutation/codegen.py --keep $(VENV)/codegen.jsonl $(CODEGEN)

oracle: $(VENV)/.ready-to-test
	@$(RUN) -m tests.oracle.run $(ORACLE)

certificates: $(VENV)/.ready-to-test
	@$(RUN) -m tests.checks.certify.every $(CERTIFICATES)

fuzz: $(VENV)/.ready-to-test
	@$(RUN) -m tests.fuzz $(FUZZ)

mutation-certificates: $(VENV)/.ready-to-test
	@$(RUN) -m tests.mutation.certificates $(CERTIFICATES)

mutation-stored: $(VENV)/.ready-to-test
	@$(RUN) -m tests.mutation.edits --silent $(EDITS)
	@$(RUN) -m tests.mutation.stored_plays

planted: $(VENV)/.ready-to-test
	@$(RUN) -m tests.mutation.planted --keep $(VENV)/planted.json $(PLANTED)

lint: style types

style: $(VENV)/.ready-to-test
	@$(RUN) -m ruff check --quiet --output-format concise .

types: $(VENV)/.ready-to-test
	@$(RUN) -m pyright --pythonpath $(RUN)

clean:
	rm -rf $(VENV) build dist *.egg-info

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "Rulewright needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "Preparing $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.ready-to-run: $(VENV)/.made pyproject.toml
	@$(PIP) -e .
	@touch $@

$(VENV)/.ready-to-test: $(VENV)/.made pyproject.toml tests/requirements.lock
	@$(PIP) -c tests/requirements.lock -e '.[test,dev]'
	@touch $@ $(VENV)/.ready-to-run
