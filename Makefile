# make course   notebooks -> library, student kit, graded sample class, site
# make test     everything that is checked
# make site     the course site alone
# make parity   every operation, module, optimizer and schedule against PyTorch, on drawn inputs
# make bench    times beside PyTorch, autograd and MyGrad, and of grading beside nbgrader
# make clean    what was generated and can be generated again; course/ with its gradebook stays
#
# Each sets up .venv by itself from constraints.txt, with the newest Python from 3.11 to 3.13 that it finds, or PYTHON=/path/to/python.

.PHONY: course test site parity bench clean
export PATH := $(CURDIR)/.venv/bin:$(PATH)
INSTALLERS = pip==26.3 setuptools==84.2.1 wheel==0.48.0

course: .venv/ready
	@tinytorch course

test: .venv/ready
	@python -m pytest tests

site: .venv/ready
	@tinytorch site

parity: .venv-parity/ready
	@PYTHONPATH=$(CURDIR):$(CURDIR)/tests/parity .venv-parity/bin/python -m pytest -p compare --confcutdir=tests/parity --rootdir=tests/parity -p no:cacheprovider -q tests/parity

bench: .venv/ready .venv-parity/ready
	@python bench/run.py

.venv-parity/ready: tests/parity/requirements.txt .venv/ready
	@echo "Setting up .venv-parity with PyTorch, once; this takes a few minutes."
	@.venv/bin/python -m venv --clear .venv-parity && \
	.venv-parity/bin/python -m pip install -qq --disable-pip-version-check -r tests/parity/requirements.txt && \
	touch .venv-parity/ready

clean:
	rm -rf _site _proc _cache build dist .pytest_cache .hypothesis
	find nbs tinytorch tests -name __pycache__ -prune -exec rm -rf {} +

.venv/ready: constraints.txt settings.ini setup.py
	@for python in $(or $(PYTHON),python3.13 python3.12 python3.11 python3 python); do \
	  if "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo "TinyTorch needs Python 3.11, 3.12 or 3.13; $(or $(PYTHON),python3) is $$($(or $(PYTHON),python3) --version 2>&1 | head -1)." >&2; \
	  echo "Install one and name it: make PYTHON=/path/to/python3.12" >&2; exit 1; \
	fi; \
	echo "Setting up .venv with $$("$$found" --version), once; this takes a few minutes."; \
	"$$found" -m venv --clear .venv && \
	.venv/bin/python -m pip install -qq --disable-pip-version-check $(INSTALLERS) && \
	.venv/bin/python -m pip install -qq --disable-pip-version-check --no-build-isolation -c constraints.txt -e '.[course,dev]' && \
	touch .venv/ready
