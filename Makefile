# `make` or `make help` lists what there is. Every target sets up .venv first, where it needs it.

# The interpreter to make .venv with; empty takes the first one that is new enough.
PYTHON ?=
export PYTHON

.DEFAULT_GOAL := help
.PHONY: help demo test fuzz powercuts compiled faults servicefaults mutation soak invariants differential tournament-soak bench bench-quick bench-profile venv proto format lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "  PYTHON=/path/to/python3.12 picks the interpreter (3.11 or newer)."
	@echo "  CHECK=mypy runs one check of \`make test\` alone; tools/check.sh lists them."

demo: ## Watch a referee and its bots play
	@bash tools/bootstrap.sh demo
	@.venv/bin/ronda demo

test: ## Run every check that CI runs
	@bash tools/bootstrap.sh dev
	@bash tools/check.sh $(CHECK)

fuzz: venv ## Ask the whole service everything: REQUESTS=100000 SEED=1, FIRST=0 to begin elsewhere
	@.venv/bin/python -m tests.fuzz --requests $(or $(REQUESTS),100000) --seed $(or $(SEED),1) --first $(or $(FIRST),0)

powercuts: venv ## Fail the power at every write and sync of a long run of the referee
	@POWER_CUTS=every .venv/bin/python -m pytest -q tests/referee/test_power_cuts.py

servicefaults: venv ## Plant every fault in a referee and see its check of the profile service find it
	@.venv/bin/python -m pytest -q tests/conformance/test_service_faults.py \
	  tests/conformance/every_service_fault.py

invariants: venv ## Play checked deals at random, for long: DEALS=200000 SEED=7
	@.venv/bin/python -m tools.invariants \
	  $(if $(DEALS),--deals=$(DEALS)) $(if $(SEED),--seed=$(SEED)) $(if $(JOBS),--jobs=$(JOBS))

differential: ## Hold the engine against the second one over DEALS random deals from SEED
	@bash tools/bootstrap.sh dev
	@.venv/bin/python -m tests.differential $(if $(DEALS),--deals=$(DEALS)) $(if $(SEED),--seed=$(SEED))

faults: venv ## Plant every fault of the catalogue and see that the suite finds it: FAULT='cap-*'
	@.venv/bin/python -m tests.faults $(if $(FAULT),--id='$(FAULT)')

compiled: venv ## Compile engine and referee, hold them against the pure ones: MATCHES=400 SEED=1
	@.venv/bin/python -m tests.compiled \
	  $(if $(MATCHES),--matches=$(MATCHES)) $(if $(SEED),--seed=$(SEED))

soak: venv ## Play MATCHES=2000 matches at once through KILLS=50 kills of the referee, by SEED=1
	@.venv/bin/python -m tests.soak $(if $(MATCHES),--matches=$(MATCHES)) \
	  $(if $(KILLS),--kills=$(KILLS)) $(if $(SEED),--seed=$(SEED)) $(SOAK)

mutation: venv ## Play the suite against every mutant of the rules: MODULE=capture, one alone
	@.venv/bin/python -m tests.mutation $(if $(MODULE),--module=$(MODULE)) $(MUTATION)

tournament-soak: venv ## Play a long tournament through kills of its runner: PAIRS=1000 KILLS=5
	@.venv/bin/python -m tests.tournament.soak $(if $(PAIRS),--pairs=$(PAIRS)) \
	  $(if $(KILLS),--kills=$(KILLS)) $(SOAK)

bench: ## Measure everything beside its peers, into docs/benchmarks.md: ONLY=engine, some of it
	@bash tools/bootstrap.sh bench
	@.venv/bin/python -m benchmarks --json benchmarks/results.json --write docs/benchmarks.md \
	  $(if $(ONLY),--only=$(ONLY) --with benchmarks/results.json) $(BENCH)

bench-quick: ## See in about a minute whether anything has become slower than was kept
	@bash tools/bootstrap.sh bench
	@.venv/bin/python -m benchmarks --quick $(if $(ONLY),--only=$(ONLY)) $(BENCH)

bench-profile: ## See what each part of the code takes, into docs/benchmarks.md: ONLY=play prints one
	@bash tools/bootstrap.sh bench
	@.venv/bin/python -m benchmarks.profiles $(if $(ONLY),--only=$(ONLY),--write docs/benchmarks.md)

venv: ## Set up .venv with everything for development
	@bash tools/bootstrap.sh dev

proto: venv ## Generate code, the scenario schema, pages and test vectors from their sources
	@.venv/bin/python tools/generate_protos.py
	@.venv/bin/python tools/generate_scenario_schema.py
	@.venv/bin/python tools/generate_rulings.py
	@.venv/bin/python tools/generate_comparison.py
	@.venv/bin/python -m tools.generate_coverage
	@.venv/bin/python -m tools.generate_vectors
	@.venv/bin/python -m tools.generate_typescript

format: venv ## Format the code and mend what can be mended by itself
	@.venv/bin/ruff check --fix-only --quiet
	@.venv/bin/ruff format --quiet

lock: ## Move constraints.txt to the newest versions
	@bash tools/lock.sh

clean: ## Remove everything that make and the tools have put here
	@rm -rf clients/typescript/node_modules clients/typescript/*/dist
	@rm -rf .venv dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
