# make                 build ./ecrb
# make demo            set up, build, run M2 on the bundled benchmark
# make test            set up, build, run every test; ONLY=word runs a part
# make SAN=1 ...       the same with ASan and UBSan, in .build/san
# make SAN=thread ...  the same with ThreadSanitizer, in .build/tsan
# make memcheck        the C units under valgrind
# make setup           install what is missing (apt; asks sudo if not root)
# make examples        build examples/*.c
# make lint            luacheck, clang's warnings, the rules of the layers
# make fuzz SECONDS=n  every fuzz target for n seconds
# make bench           measure against the goals: tests/bench/README.md
# make data            rebuild the bundled benchmark from its sources
# make install         to PREFIX (/usr/local): bin, share/ecrb, lib, include
# make clean           remove what was built

CC      ?= cc
SAN     ?=
SECONDS ?= 60
PREFIX  ?= /usr/local
ONLY    ?=
BUILD   := .build/$(if $(filter thread,$(SAN)),tsan,$(if $(SAN),san,opt))
PROGRAM := $(if $(SAN),$(BUILD)/ecrb,ecrb)

WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
           -Wmissing-prototypes -Wwrite-strings -Wvla -Werror
CHECKS  := address,undefined
SANITIZE := -O1 -fsanitize=$(if $(filter thread,$(SAN)),thread,$(CHECKS)) \
           -fno-sanitize-recover=undefined -fno-omit-frame-pointer
OPT     := $(if $(SAN),$(SANITIZE),-O2)
# A package that is missing must not stop `make setup`: no flags then.
PKGS    := lua5.4 libpcre2-8 zlib libedit
CPKGS   := $(shell pkg-config --cflags $(PKGS) libcurl 2>/dev/null)
LPKGS   := $(shell pkg-config --libs $(PKGS) 2>/dev/null)
FLAGS   := -std=c11 -g -D_GNU_SOURCE $(WARN) -MMD -MP -Icore $(CPKGS)
LIBS    := $(LPKGS) -lmd -lm -ldl -lpthread

CORE    := $(patsubst %.c,$(BUILD)/%.o,$(wildcard core/*.c))
HOST    := $(patsubst %.c,$(BUILD)/%.o,$(filter-out lua/main.c,\
             $(wildcard lua/*.c))) $(BUILD)/reference.o
EMBED   := $(BUILD)/libecrb_host.a $(BUILD)/libecrb.a
UNITS   := $(patsubst tests/core/%.c,$(BUILD)/tests/%,\
             $(wildcard tests/core/test_*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,.build/fuzz/%,\
             $(wildcard tests/fuzz/fuzz_*.c))
EXAMPLES := $(patsubst %.c,$(BUILD)/%,$(wildcard examples/*.c))
FUZZCORE := $(patsubst %.c,.build/fuzz/%.o,$(wildcard core/*.c))
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,\
             $(wildcard tests/bench/bench_*.c))
QUIET   := @

all: $(PROGRAM) lua/argparse.luac
	@:

lua/argparse.luac: lua/compile.lua | $(PROGRAM)
	@echo "  LUAC $@"
	$(QUIET)./$(PROGRAM) lua lua/compile.lua argparse $@

$(PROGRAM): $(BUILD)/lua/main.o $(EMBED)
	@echo "  LD   $@"
	$(QUIET)$(CC) $(OPT) -rdynamic -o $@ $^ $(LDFLAGS) $(LIBS)

# The documentation of core.*, carried by the program for `ecrb help core`.
$(BUILD)/reference.c: lua/apidoc.lua $(wildcard lua/*.c)
	@echo "  DOC  $@"
	@mkdir -p $(@D)
	$(QUIET)lua5.4 lua/apidoc.lua $(wildcard lua/*.c) >$@.new \
	  && mv $@.new $@

$(BUILD)/reference.o: $(BUILD)/reference.c
	@echo "  CC   $<"
	$(QUIET)$(CC) $(FLAGS) -Ilua $(OPT) $(CFLAGS) -c -o $@ $<

$(BUILD)/libecrb.a: $(CORE)
	@echo "  AR   $@"
	$(QUIET)rm -f $@ && ar rcs $@ $^

# For programs that embed the whole host: lua/ecrb_host.h.
$(BUILD)/libecrb_host.a: $(HOST)
	@echo "  AR   $@"
	$(QUIET)rm -f $@ && ar rcs $@ $^

$(BUILD)/%.o: %.c
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -c -o $@ $<

$(BUILD)/examples/%: examples/%.c $(EMBED)
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -Ilua -rdynamic -o $@ $< $(EMBED) \
	  $(LIBS)

$(BUILD)/tests/%: tests/core/%.c $(EMBED)
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -Ilua -Itests -rdynamic -o $@ $< \
	  $(EMBED) -lcmocka $(LIBS)

$(BUILD)/bench/%: tests/bench/%.c $(BUILD)/libecrb.a
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -Itests -o $@ $< \
	  $(BUILD)/libecrb.a $(LIBS)

.build/fuzz/core/%.o: core/%.c
	@echo "  FUZZ $<"
	@mkdir -p $(@D)
	$(QUIET)clang $(FLAGS) -O1 -fsanitize=fuzzer-no-link,$(CHECKS) -c -o $@ $<

.build/fuzz/%: tests/fuzz/%.c $(FUZZCORE)
	@echo "  FUZZ $<"
	$(QUIET)clang $(FLAGS) -Itests -O1 -fsanitize=fuzzer,$(CHECKS) -o $@ $< \
	  $(FUZZCORE) $(LIBS)

$(BUILD)/tests/faultd: $(wildcard tests/support/fault*) $(BUILD)/libecrb.a
	@echo "  CC   tests/support/faultd.c"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(filter-out -MMD -MP,$(FLAGS)) $(OPT) $(CFLAGS) -o $@ \
	  $(filter %.c,$^) $(BUILD)/libecrb.a $(LIBS)

units: $(UNITS) $(BUILD)/tests/faultd
	@:

examples: $(EXAMPLES)
	@:

# What make could not see before the installation it must look at again, so
# everything that follows `setup` is a make of its own.
setup:
	@.ci/setup demo

demo: setup
	@$(MAKE) --no-print-directory all
	@./ecrb methods/m2_agentic.lua --split price

test:
	@.ci/setup demo test
	@$(MAKE) --no-print-directory all units examples
	@tests/run $(PROGRAM) $(BUILD)/tests $(ONLY)

memcheck:
	@.ci/setup demo test
	@$(MAKE) --no-print-directory units
	@MEMCHECK=1 tests/run $(PROGRAM) $(BUILD)/tests $(ONLY)

lint: all
	@tests/lint

fuzz: $(FUZZERS)
	@for target in $(FUZZERS); do \
	  tests/fuzz/run $$target $(SECONDS) || exit; done

bench: all $(BENCHES) $(BUILD)/tests/faultd
	@ROUNDS='$(ROUNDS)' ITEMS='$(ITEMS)' NPM='$(NPM)' \
	  tests/bench/run $(PROGRAM) $(BUILD)/bench $(ONLY)

data:
	@.ci/setup data
	@lua5.4 data/build.lua
	@lua5.4 data/check.lua

install: all
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/ecrb/lua"
	install -d "$(DESTDIR)$(PREFIX)/lib" "$(DESTDIR)$(PREFIX)/include"
	install -m 755 ecrb "$(DESTDIR)$(PREFIX)/bin/ecrb"
	install -m 644 $(EMBED) "$(DESTDIR)$(PREFIX)/lib/"
	install -m 644 core/ecrb.h lua/ecrb_host.h "$(DESTDIR)$(PREFIX)/include/"
	cp -R lua/ecrb lua/argparse.luac "$(DESTDIR)$(PREFIX)/share/ecrb/lua/"
	cp -R prompts methods data "$(DESTDIR)$(PREFIX)/share/ecrb/"

clean:
	rm -rf .build ecrb lua/argparse.luac

help:
	@sed -n '/^# make/s/^# //p;/^$$/q' Makefile

.SECONDARY: $(FUZZCORE)
.PHONY: all units examples setup demo test memcheck lint fuzz bench data install clean help
-include $(CORE:.o=.d) $(HOST:.o=.d) $(UNITS:=.d) $(BENCHES:=.d) \
  $(FUZZCORE:.o=.d) $(FUZZERS:=.d) $(EXAMPLES:=.d)
