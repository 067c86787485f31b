# The commands of this repository. Needs python3 (3.11 or newer), its venv module and make; nothing else.
#
#   make run      play on this machine: the terminal is the display, the keyboard the scanner
#   make test     every test               (needs the development tools: fetched, hash-locked)
#   make test-fast  the rules, the program and the devices without what is slow: half a minute
#   make check    format, lint, types, import rules, texts and their translations, lines of each part (-k: all, even
#                 if one fails); make format mends the format and what lint can
#   make web      serve the page for phones and televisions of the game that `make run` plays
#   make vendor   fetch what the page and its tests use from npm, by hash (npm)
#   make texts    find all texts in the source code, and bring the catalogues of the translators up to date
#   make bench    time, bytes and memory, each beside its limit
#   make soak     10,000 short matches on one device, half an hour: does it need more memory, files or threads as it goes
#   make pictures the pictures of the documentation that come from the program
#   make docs     these and all other generated text of the documentation: run it after a change of a text
#   make deb      the Debian packages of the box, its page, its bridge to a broker and the hub, into dist/
#                 (ARCH=arm64 for a Raspberry Pi)
#   make release  all that is published of the version that is tagged, into dist/: packages for both machines, wheel,
#                 sheets to print, checksums, notes; it says the command that publishes them (KEY=private.pem: the image
#                 as well, and the checksums signed; root; DRY=1: without a tag)
#   make try-deb  install it in a fresh Debian and try all of it    (SUITE=bookworm; root, mmdebstrap,
#                 systemd-container)
#   make image    the card of a Raspberry Pi as one file, and the same as an update, into dist/  (KEY=private.pem
#                 signs them; TRUST=public.pem: a box takes updates of that key, too; LOCK=1 takes today's versions
#                 of Debian's packages; root, and the packages of Debian that it names)
#   make try-image  boot that very file in an emulated Raspberry Pi, update it, break it, pull its plug
#   make lock     resolve the dependencies again and write packaging/locks/*.lock
#   make clean    remove everything that can be made again
#
# Another Python: make test PYTHON=python3.13

SHELL   := /bin/sh
PYTHON  ?= python3
VENV    := .venv
IN_VENV := $(VENV)/bin/python

# Which Python, so that another one makes another environment; empty where there is none.
TAG := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
ifeq ($(TAG),)
$(error "$(PYTHON)" is not to be found; choose one with: make PYTHON=/path/to/python3)
endif

RUNS := $(VENV)/run-$(TAG).stamp
WEBS := $(VENV)/web-$(TAG).stamp
DEVS := $(VENV)/dev-$(TAG).stamp

# Wheels only: a source package on the way would need a compiler, and would run code that no hash names.
PIP     := $(IN_VENV) -m pip --disable-pip-version-check --no-input
INSTALL := $(PIP) install --quiet --require-hashes --only-binary :all:

# The folder itself goes in without its dependencies (the lock has them) and without asking any index.
ITSELF  := $(PIP) install --quiet --no-index --no-deps --no-build-isolation --editable .

CATALOGUES := $(patsubst %.po,%.mo,$(wildcard firmware/text/catalogues/*/LC_MESSAGES/nimmt.po))

ARCH    ?= $(shell dpkg --print-architecture 2>/dev/null)
SUITE   ?= bookworm

.PHONY: run web vendor old-browser test test-fast check check-format check-lint check-types check-imports check-texts check-lines \
	format texts bench soak pictures docs deb release try-deb image try-image lock clean
.DELETE_ON_ERROR:

run: $(RUNS) $(CATALOGUES)
	@if [ -t 0 ]; then $(VENV)/bin/nimmt run || [ $$? -eq 130 ]; else exec $(VENV)/bin/nimmt demo --fast; fi

web: $(WEBS) $(CATALOGUES) vendor
	@$(VENV)/bin/nimmt web $(ARGS) || [ $$? -eq 130 ]

# Without npm the page reads no photos; everything else works.
vendor:
	@$(MAKE) --no-print-directory build/npm.stamp || echo "Without these files the page reads no photos." >&2

# zxing-wasm reads codes in a photo on the phone itself: no browser but Chromium on Android can by itself. With
# axe-core the tests look for what people who cannot see or point would miss. npm fetches the archives and runs nothing.
VENDOR := network/web/static/vendor
ZXING  := build/npm/zxing-wasm-3.1.4/package

build/npm.stamp: packaging/locks/npm.sha512
	rm -rf build/npm && mkdir -p build/npm $(VENDOR)/reader
	cd build/npm && npm pack --silent --ignore-scripts zxing-wasm@3.1.4 axe-core@4.14.1 >/dev/null
	cd build/npm && sha512sum --check --quiet --strict $(CURDIR)/$<
	cd build/npm && for archive in *.tgz; do tar -xzf $$archive --one-top-level || exit 1; done
	cp $(ZXING)/dist/es/reader/index.js $(VENDOR)/reader/zxing.js
	cp $(ZXING)/dist/es/share.js $(VENDOR)/share.js
	cp $(ZXING)/dist/reader/zxing_reader.wasm $(VENDOR)/zxing.wasm
	cp $(ZXING)/LICENSE $(VENDOR)/zxing.LICENSE.txt
	cp build/npm/axe-core-4.14.1/package/axe.min.js build/axe.min.js
	@touch $@

# Chromium 85, as televisions of 2022 have it, for tests of the page: npm has it for x86-64 only.
OLD := build/npm-old/chrome-aws-lambda-5.2.1/package/bin/chromium.br

build/chromium-85: packaging/locks/npm-old.sha512
	[ "$$(uname -m)" = x86_64 ]
	rm -rf build/npm-old && mkdir -p build/npm-old
	cd build/npm-old && npm pack --silent --ignore-scripts chrome-aws-lambda@5.2.1 >/dev/null
	cd build/npm-old && sha512sum --check --quiet --strict $(CURDIR)/$<
	cd build/npm-old && tar -xzf *.tgz --one-top-level
	node -e 'process.stdout.write(require("zlib").brotliDecompressSync(require("fs").readFileSync("$(OLD)")))' > $@
	chmod +x $@
	rm -rf build/npm-old

old-browser:
	@$(MAKE) --no-print-directory build/chromium-85 || echo "Without it no old browser is tried." >&2

# Tests run in several processes: auto is two for each core, for many wait for a device, and logical is one
# for each core and one more.
# WORKERS=0 runs them one after the other; NIMMT_EXAMPLES says how much is tried by chance.
# Compiled files are kept even where the environment forbids it: every process would compile everything again.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(IN_VENV) -m pytest --dist worksteal

test: $(DEVS) vendor old-browser
	@[ -d tests/whole/__pycache__ ] || $(PYTEST) --collect-only -qq > /dev/null || true  # once for all processes
	$(PYTEST) -n $(or $(WORKERS),auto) $(ARGS)

test-fast: $(DEVS)
	NIMMT_EXAMPLES=$${NIMMT_EXAMPLES:-0.1} \
		$(PYTEST) -n $(or $(WORKERS),logical) -m "not slow" tests/companion tests/firmware tests/hardware $(ARGS)

# `make -k check` runs all of them, also after the first that fails.
check: check-format check-lint check-types check-imports check-texts check-lines

check-format: $(DEVS)
	$(IN_VENV) -m ruff format --check .
check-lint: $(DEVS)
	$(IN_VENV) -m ruff check .
check-types: $(DEVS)
	$(IN_VENV) -m mypy --strict
check-imports: $(DEVS)
	PYTHONPATH=packaging $(VENV)/bin/lint-imports --no-logo
check-texts: $(DEVS)
	$(IN_VENV) -m tools.texts --check
check-lines: $(DEVS)
	$(IN_VENV) -m tools.budgets

format: $(DEVS)
	$(IN_VENV) -m ruff format .
	$(IN_VENV) -m ruff check --fix .

texts: $(DEVS)
	$(IN_VENV) -m tools.texts

bench: $(DEVS) $(CATALOGUES)
	$(IN_VENV) -m tools.bench $(ARGS)

soak: $(DEVS) $(CATALOGUES)
	$(IN_VENV) -m tools.bench.soak $(ARGS)

pictures: $(DEVS) $(CATALOGUES)
	$(IN_VENV) -m tools.pictures

docs: pictures | build
	$(IN_VENV) -m tools.pages
	$(IN_VENV) -m firmware.cli.doc > build/commands.md
	$(IN_VENV) -m firmware.config.doc > build/configuration.md
	mv build/commands.md build/configuration.md docs/

build:
	mkdir -p build

# What gettext reads of the catalogues of the translators. `make texts` compiles all; so do the tests.
%.mo: %.po
	@$(VENV)/bin/pybabel -q compile -i $< -o $@

# One environment serves both; each lock has its stamp. An environment of another Python is replaced.
# numpy is nearly as large as all the others together (17 of 39 MB), but without it the strongest robots of 6 nimmt! and
# the coach do not play. It has a lock of its own: a Raspberry Pi has Debian's.
$(RUNS): packaging/locks/run.lock packaging/locks/robots.lock packaging/locks/build.lock pyproject.toml
	$(call environment)
	$(INSTALL) $(patsubst %,--requirement packaging/locks/%.lock,run robots build)
	$(ITSELF)
	@touch $@

$(WEBS): packaging/locks/web.lock $(RUNS)
	$(INSTALL) --requirement packaging/locks/web.lock
	@touch $@

$(DEVS): packaging/locks/dev.lock pyproject.toml
	$(call environment)
	$(INSTALL) --requirement packaging/locks/dev.lock
	$(ITSELF)
	@touch $@

# On a Raspberry Pi the system's spidev is let in, of which there is no wheel.
define environment
@was=$$($(IN_VENV) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null); \
if [ "$$was" != "$(TAG)" ]; then \
	[ ! -e $(VENV) ] || echo "$(VENV) is made again: $(PYTHON) is now Python $(TAG), not $${was:-the one it was made with}."; \
	from=$$($(PYTHON) -c 'import sys; print(getattr(sys, "_base_executable", sys.executable))'); \
	if (cd / && "$$from" -c 'import importlib.util as u, sys; sys.exit(not u.find_spec("spidev"))'); \
	then share=--system-site-packages; else share=; fi; \
	echo "$$from -m venv $$share $(VENV)"; \
	"$$from" -m venv --clear $$share $(VENV) || { \
		echo "The venv module is missing. On Debian: apt install python3-venv" >&2; exit 1; }; \
fi
endef

# The wheels of another Python and another machine are chosen by uv: pip reads the conditions in a lock for the
# Python that runs it.
deb: $(RUNS) vendor build/uv/bin/uv
	packaging/debian/build $(IN_VENV) build/uv/bin/uv $(ARCH)

release: $(DEVS) $(CATALOGUES)
	PYTHONPATH=packaging $(IN_VENV) -m tools.release --check $(if $(DRY),--dry)
	$(MAKE) $(if $(KEY),image,deb ARCH=arm64)
	$(MAKE) deb ARCH=amd64
	cp build/deb/nimmt_companion-*.whl dist/
	if command -v lintian >/dev/null; then lintian --fail-on error,warning dist/*.deb; fi
	PYTHONPATH=packaging $(IN_VENV) -m tools.release $(if $(DRY),--dry) $(if $(KEY),--key $(KEY))

# uv itself comes by hash as well: it unpacks all that goes into the package.
build/uv/bin/uv: packaging/locks/uv.lock
	$(PYTHON) -m venv --clear build/uv
	build/uv/bin/python -m pip --disable-pip-version-check --no-input install --quiet \
		--require-hashes --only-binary :all: --requirement packaging/locks/uv.lock
	@touch $@

try-deb: $(DEVS) $(CATALOGUES)
	$(MAKE) deb
	$(IN_VENV) -m tests.systemd.package_trial --suite $(SUITE) dist/nimmt-companion_*_$(ARCH).deb

# The program is an ordinary package of Debian there, built for the same time.
image: $(RUNS) $(CATALOGUES)
	$(MAKE) deb ARCH=arm64
	PYTHONPATH=packaging $(IN_VENV) -m image $(if $(KEY),--key $(KEY)) $(TRUST:%=--trust %) $(if $(LOCK),--lock) $(ARGS) \
		$(foreach part,companion web camera opencv,dist/nimmt-$(part)_*_arm64.deb)

try-image: $(DEVS)
	PYTHONPATH=packaging $(IN_VENV) -m tests.packaging.try_image $(if $(KEY),--key $(KEY)) $(ARGS) dist/nimmt-*-arm64.img

# One lock for Python 3.11 to 3.13 on every machine. No line of it names a package index.
RESOLVE := build/uv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

lock: build/uv/bin/uv
	$(RESOLVE) --output-file packaging/locks/run.lock pyproject.toml
	echo numpy | $(RESOLVE) --output-file packaging/locks/robots.lock -
	$(RESOLVE) --output-file packaging/locks/web.lock --constraints packaging/locks/run.lock --extra web pyproject.toml
	$(RESOLVE) --output-file packaging/locks/mqtt.lock --constraints packaging/locks/run.lock --extra mqtt pyproject.toml
	$(RESOLVE) --output-file packaging/locks/camera.lock --constraints packaging/locks/run.lock --extra camera pyproject.toml
	$(RESOLVE) --output-file packaging/locks/hub.lock --constraints packaging/locks/run.lock --extra hub pyproject.toml
	$(RESOLVE) --output-file packaging/locks/build.lock --constraints packaging/locks/run.lock --group build
	$(RESOLVE) --output-file packaging/locks/dev.lock --constraints packaging/locks/run.lock --group dev pyproject.toml
	echo uv | $(RESOLVE) --output-file packaging/locks/uv.lock -

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis ./*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
