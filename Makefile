# The commands of README.md; CMake presets (CMakePresets.json) do the work.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := release
PREFIX ?= /usr/local
.PHONY: release setup install wheel demo test test-long bench bench-inductor format lint asan tsan fuzz clean

define configure_and_build
cmake --preset $(1) --log-level=WARNING -DCULPRIT_PYTHON="$$(cat build/python)"
cmake --build build/$(1) $(2)
endef

setup:
	@tools/setup

release: setup
	@$(call configure_and_build,release,--target culprit)

# The program, and what plug-ins and programs of one's own are built with: make install PREFIX=/opt/culprit DESTDIR=image
install: setup
	@$(call configure_and_build,release,--target culprit culprit_shared)
	@for component in program plugin library; do \
	  DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)' --component $$component; \
	done

# The Python package, in build/wheels, for environments with the same PyTorch. `pip install .` does the same.
wheel: setup
	@$$(cat build/python) -m pip wheel . --no-build-isolation --no-deps --quiet --disable-pip-version-check -w build/wheels
	@ls build/wheels/*.whl

demo: release
	@tools/demo

# Many tests wait for processes more than they compute, so one more runs at a time than there are processors.
test: setup
	@$(call configure_and_build,release)
	@$(call configure_and_build,fuzz)
	@ctest --test-dir build/release --output-on-failure --parallel $$(($$(nproc) + 1))

# The volume tests in full: every random graph, a million fuzz executions.
test-long: setup
	@$(call configure_and_build,release)
	@$(call configure_and_build,fuzz)
	@CULPRIT_TEST_VOLUME=full ctest --test-dir build/release --output-on-failure

# Alone on the machine, threads wait for each other awake, as libgomp lets them in any program.
bench: setup
	@$(call configure_and_build,release,--target culprit_bench)
	@build/release/bench/culprit_bench --benchmark_filter='-Native(Program|Model)'
	@OMP_WAIT_POLICY=active build/release/bench/culprit_bench --benchmark_filter='Native(Program|Model)'

bench-inductor: release
	@$$(cat build/python) bench/inductor_minifier.py build/release/culprit

format: setup
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

lint: setup
	@tools/lint

# Test programs with sanitizers: a sample of a few minutes; tools/sanitize asan --all runs all of them.
asan tsan: setup
	@tools/sanitize $@

# Fuzzes until interrupted; new inputs are kept in build/fuzz/corpus.
fuzz: setup
	@$(call configure_and_build,fuzz)
	@tools/fuzz

clean:
	@rm -rf build
