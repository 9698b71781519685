# What a contributor types. `make` alone lists it.
PYTHON = python3
FILE = tests
ARGS =
COMPILE = uv pip compile --universal --generate-hashes --no-header --no-annotate --no-emit-index-url

.PHONY: help install quick test all lint lock serve

help: ## list these commands
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' Makefile | expand -t 16

install: ## install everything into .venv; edits take effect at once
	$(PYTHON) -m venv .venv
	.venv/bin/pip install --editable '.[test]'

quick: ## run the tests that need no service
	.venv/bin/pytest

test: ## run one file or folder: make test FILE=tests/engine/test_state.py
	.venv/bin/pytest -n0 $(FILE)

all: ## run everything that must hold before a change is accepted
	.ci/run

lint: ## check style, types and imports
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports

lock: ## pin the versions of all requirements again, with uv
	$(COMPILE) --all-extras pyproject.toml -o requirements.lock
	$(COMPILE) --extra server --extra postgres --extra cluster --extra tracing -c requirements.lock pyproject.toml -o requirements-server.lock
	$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' | $(COMPILE) -c requirements.lock - -o requirements-build.lock

serve: ## serve on port 8000, and start again whenever a file changes
	.venv/bin/python -m tools.serve $(ARGS)
