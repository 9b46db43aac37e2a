# make                 build ./ecrb
# make demo            set up, build, run M2 on the bundled benchmark
# make test            set up, build, run every test; ONLY=word runs a part
# make SAN=1 ...       the same with ASan and UBSan, in .build/san
# make SAN=thread ...  the same with ThreadSanitizer, in .build/tsan
# make memcheck        the C units under valgrind
# make coverage        lines of core/ that the C units run, by file
# make setup           install what is missing (apt; asks sudo if not root)
# make examples        build examples/*.c
# make lint            luacheck, clang's warnings, the rules of the layers
# make fuzz SECONDS=n  every fuzz target, or ONLY=one, for n seconds
# make bench           measure against the goals: tests/bench/README.md
# make data            rebuild the bundled benchmark from its sources
# make library         libecrb.a, libecrb.so, the Lua module, ecrb.pc, man page
# make dist            .build/ecrb-VERSION.tar.gz, the same bytes from a commit
# make install         to PREFIX (/usr/local), below DESTDIR
# make uninstall       remove what `make install` put there
# make clean           remove what was built

CC      ?= cc
NM      ?= nm
OBJCOPY ?= objcopy
SAN     ?=
SECONDS ?= 60
PREFIX  ?= /usr/local
ONLY    ?=
# The kind of build: opt, san (SAN=1), tsan (SAN=thread), cov (SAN=coverage).
KIND_thread := tsan
KIND_coverage := cov
KIND    := $(if $(SAN),$(or $(KIND_$(SAN)),san),opt)
BUILD   := .build/$(KIND)
PROGRAM := $(if $(SAN),$(BUILD)/ecrb,ecrb)

WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
           -Wmissing-prototypes -Wwrite-strings -Wvla -Werror
CHECKS  := address,undefined
# What makes an overrun an end and not an opening. It costs about 1% of the
# instructions; tests/install/binary.sh looks whether it is there.
HARDEN  := -fstack-protector-strong -fstack-clash-protection \
           -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
OPT_opt := -O2 $(HARDEN)
OPT_san := -O1 -fsanitize=$(CHECKS) -fno-sanitize-recover=undefined \
           -fno-omit-frame-pointer
OPT_tsan := -O1 -fsanitize=thread -fno-omit-frame-pointer
OPT_cov := -Og --coverage
OPT     := $(OPT_$(KIND))
# The same objects serve the program, the archive and the shared library, which
# shows what the public headers declare and nothing else.
SHARE   := -fPIC -fno-semantic-interposition -fvisibility=hidden
RELRO   := -Wl,-z,relro,-z,now
LINK    := -pie $(RELRO)
# A package that is missing must not stop `make setup`: no flags then.
PKGS    := lua5.4 libpcre2-8 zlib
# What is loaded when it is needed gives its headers alone.
CPKGS   := $(if $(LUA_INCDIR),-I$(LUA_INCDIR)) \
           $(shell pkg-config --cflags $(PKGS) libcurl libedit 2>/dev/null)
LPKGS   := $(shell pkg-config --libs $(PKGS) 2>/dev/null)
FLAGS   := -std=c11 -g -D_GNU_SOURCE $(WARN) $(SHARE) -MMD -MP -Icore $(CPKGS)
LIBS    := $(LPKGS) -lmd -lm -ldl -lpthread
MODULELIBS := $(shell pkg-config --libs libpcre2-8 zlib 2>/dev/null) -lmd -lm -ldl \
           -lpthread

CORE    := $(patsubst %.c,$(BUILD)/%.o,$(wildcard core/*.c))
HOST    := $(patsubst %.c,$(BUILD)/%.o,$(filter-out lua/main.c,\
             $(wildcard lua/*.c))) $(BUILD)/reference.o
EMBED   := $(BUILD)/libecrb.a
VERSION := $(shell sed -n 's/^\#define ECRB_VERSION "\(.*\)"$$/\1/p' core/ecrb.h)
SONAME  := libecrb.so.$(firstword $(subst ., ,$(VERSION)))
SHARED  := $(BUILD)/libecrb.so.$(VERSION)
MODULE  := $(BUILD)/module/ecrb/core.so
MADE    := $(addprefix $(BUILD)/,ecrb.pc ecrb.1 completion.bash completion.zsh)
LIBRARY := $(EMBED) $(SHARED) $(MODULE) $(MADE)
DIST    := .build/ecrb-$(VERSION).tar.gz
POLICY  := $(shell find lua methods -name '*.lua')
UNITS   := $(patsubst tests/core/%.c,$(BUILD)/tests/%,\
             $(wildcard tests/core/test_*.c))
TARGETS := $(basename $(notdir $(wildcard tests/fuzz/fuzz_*.c tests/fuzz/fuzz_*.lua)))
FUZZERS := $(TARGETS:%=.build/fuzz/%)
REPLAYS := $(TARGETS:%=$(BUILD)/tests/%)
EXAMPLES := $(patsubst %.c,$(BUILD)/%,$(wildcard examples/*.c))
FUZZCORE := $(patsubst %.c,.build/fuzz/%.o,$(wildcard core/*.c))
FUZZHOST := $(patsubst %.c,.build/fuzz/%.o,$(filter-out lua/main.c,\
             $(wildcard lua/*.c))) $(BUILD)/reference.o
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,\
             $(wildcard tests/bench/bench_*.c))
QUIET   := @

all: $(PROGRAM) lua/argparse.luac
	@:

lua/argparse.luac: lua/compile.lua | $(PROGRAM)
	@echo "  LUAC $@"
	$(QUIET)./$(PROGRAM) lua lua/compile.lua argparse $@

$(PROGRAM): $(BUILD)/lua/main.o $(CORE) $(HOST)
	@echo "  LD   $@"
	$(QUIET)$(CC) $(OPT) $(LINK) -rdynamic -o $@ $^ $(LDFLAGS) $(LIBS)

# The documentation of core.*, carried by the program for `ecrb help core`.
$(BUILD)/reference.c: lua/apidoc.lua $(wildcard lua/*.c)
	@echo "  DOC  $@"
	@mkdir -p $(@D)
	$(QUIET)lua5.4 lua/apidoc.lua $(wildcard lua/*.c) >$@.new \
	  && mv $@.new $@

$(BUILD)/reference.o: $(BUILD)/reference.c
	@echo "  CC   $<"
	$(QUIET)$(CC) $(FLAGS) -Ilua $(OPT) $(CFLAGS) -c -o $@ $<

# For programs that embed ecrb, whole: lua/README.md, "Inside your program".
# What a program does not use of the archive is not linked into it. An archive has
# no hidden names: what the files of lua/ call each other by would meet a program's
# own task_free or gate_open, so there it begins with ecrb_lua_.
$(BUILD)/libecrb.a: $(CORE) $(HOST)
	@echo "  AR   $@"
	$(QUIET)rm -f $@ $@.new && ar rcs $@.new $^
	$(QUIET)$(NM) -g --defined-only $@.new | awk 'NF == 3 && $$3 !~ \
	  /^(ecrb_|luaopen_)/ { print $$3, "ecrb_lua_" $$3 }' >$@.names
	$(QUIET)$(OBJCOPY) --redefine-syms=$@.names $@.new && mv $@.new $@

$(SHARED): $(CORE) $(HOST)
	@echo "  LD   $@"
	$(QUIET)$(CC) $(OPT) $(RELRO) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs \
	  -Wl,-Bsymbolic-functions -o $@ $^ $(LDFLAGS) $(LIBS)
	$(QUIET)ln -sf $(@F) $(BUILD)/$(SONAME) && ln -sf $(SONAME) $(BUILD)/libecrb.so

# For `require "ecrb"` in any Lua 5.4. It must not bring a Lua of its own.
$(MODULE): $(BUILD)/lua/module.o $(BUILD)/libecrb.a
	@echo "  LD   $@"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(OPT) $(RELRO) -shared -Wl,--exclude-libs,ALL -o $@ $^ \
	  $(LDFLAGS) $(MODULELIBS)

$(BUILD)/ecrb.pc: lua/ecrb.pc.in core/ecrb.h
	@echo "  PC   $@"
	@mkdir -p $(@D)
	$(QUIET)sed 's/@VERSION@/$(VERSION)/' $< >$@

# What the command line says of itself, for man and for the shells.
$(BUILD)/ecrb.1: $(PROGRAM) lua/argparse.luac $(POLICY)
	@echo "  MAN  $@"
	$(QUIET)./$(PROGRAM) lua lua/manual.lua >$@.new && mv $@.new $@

$(BUILD)/completion.%: $(PROGRAM) lua/argparse.luac $(POLICY)
	@echo "  LUA  $@"
	$(QUIET)./$(PROGRAM) lua lua/completion.lua $* >$@.new && mv $@.new $@

$(BUILD)/%.o: %.c Makefile
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -c -o $@ $<

$(BUILD)/examples/%: examples/%.c $(EMBED)
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -Ilua $(LINK) -rdynamic -o $@ $< \
	  $(EMBED) $(LIBS)

$(BUILD)/tests/%: tests/core/%.c $(EMBED)
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -Ilua -Itests $(LINK) -rdynamic -o $@ $< \
	  $(filter %.o,$^) $(EMBED) -lcmocka $(LIBS)

$(BUILD)/tests/test_pool: $(BUILD)/lua/pool.o

$(BUILD)/bench/%: tests/bench/%.c $(BUILD)/libecrb.a
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -Itests -o $@ $< \
	  $(BUILD)/libecrb.a $(LIBS)

# A target is linked twice: for libFuzzer, and to go once through its corpus.
FUZZED  := -O1 -fno-sanitize-recover=undefined -fsanitize=$(CHECKS),fuzzer

.build/fuzz/%.o: %.c
	@echo "  FUZZ $<"
	@mkdir -p $(@D)
	$(QUIET)clang $(FLAGS) $(FUZZED)-no-link -c -o $@ $<

.build/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZCORE)
	@echo "  FUZZ $<"
	$(QUIET)clang $(FLAGS) $(FUZZED) -o $@ $< $(FUZZCORE) $(LIBS)

.build/fuzz/host: tests/fuzz/host.c $(FUZZCORE) $(FUZZHOST)
	@echo "  FUZZ $<"
	$(QUIET)clang $(FLAGS) -Ilua $(FUZZED) -rdynamic -o $@ $< $(FUZZCORE) \
	  $(FUZZHOST) $(LIBS)

.build/fuzz/fuzz_%: tests/fuzz/fuzz_%.lua .build/fuzz/host
	$(QUIET)ln -sf host $@

$(BUILD)/tests/replay.o: tests/fuzz/replay.c
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -c -o $@ $<

$(BUILD)/tests/fuzz_%: tests/fuzz/fuzz_%.c $(BUILD)/tests/replay.o $(BUILD)/libecrb.a
	@echo "  CC   $<"
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -o $@ $< $(BUILD)/tests/replay.o \
	  $(BUILD)/libecrb.a $(LIBS)

$(BUILD)/tests/host: tests/fuzz/host.c $(BUILD)/tests/replay.o $(EMBED)
	@echo "  CC   $<"
	$(QUIET)$(CC) $(FLAGS) $(OPT) $(CFLAGS) -Ilua -rdynamic -o $@ $< \
	  $(BUILD)/tests/replay.o $(EMBED) $(LIBS)

$(BUILD)/tests/fuzz_%: tests/fuzz/fuzz_%.lua $(BUILD)/tests/host
	$(QUIET)ln -sf host $@

$(BUILD)/tests/faultd: $(wildcard tests/support/fault*) $(BUILD)/libecrb.a
	@echo "  CC   tests/support/faultd.c"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(filter-out -MMD -MP,$(FLAGS)) $(OPT) $(CFLAGS) -o $@ \
	  $(filter %.c,$^) $(BUILD)/libecrb.a $(LIBS)

units: $(UNITS) $(REPLAYS) $(BUILD)/tests/faultd
	@:

examples: $(EXAMPLES)
	@:

library: $(LIBRARY)
	@:

# What lua/ecrb-scm-1.rockspec builds and installs, with its own variables.
rock: $(MODULE)
	@:

install-rock: $(MODULE)
	install -d "$(LIBDIR)/ecrb" "$(LUADIR)/ecrb"
	install -m 755 $(MODULE) "$(LIBDIR)/ecrb/core.so"
	install -m 644 lua/ecrb/init.lua "$(LUADIR)/ecrb/init.lua"

# What make could not see before the installation it must look at again, so
# everything that follows `setup` is a make of its own.
setup:
	@.ci/setup demo

demo: setup
	@$(MAKE) --no-print-directory all
	@./ecrb methods/m2_agentic.lua --split price
	@echo 'What the lines mean: ./ecrb help score. How to go on: README.md, "A session".'

test:
	@.ci/setup demo test
	@$(MAKE) --no-print-directory all units examples
	@$(MAKE) --no-print-directory SAN= all library
	@tests/run $(PROGRAM) $(BUILD)/tests $(ONLY)

memcheck:
	@.ci/setup demo test
	@$(MAKE) --no-print-directory units
	@MEMCHECK=1 tests/run $(PROGRAM) $(BUILD)/tests $(ONLY)

# Counts are kept beside the objects and would add up from run to run.
coverage:
	@.ci/setup demo test coverage
	@$(MAKE) --no-print-directory SAN=coverage units
	@find .build/cov -name '*.gcda' -delete
	@tests/run .build/cov/ecrb .build/cov/tests tests/test_
	@tests/coverage .build/cov/core

lint: all
	@tests/lint

fuzz: $(FUZZERS)
	@for target in $(foreach t,$(FUZZERS),$(if $(findstring fuzz_$(ONLY),$t),$t)); do \
	  tests/fuzz/run $$target $(SECONDS) || exit; done

bench: all $(BENCHES) $(BUILD)/tests/faultd
	@ROUNDS='$(ROUNDS)' ITEMS='$(ITEMS)' NPM='$(NPM)' \
	  tests/bench/run $(PROGRAM) $(BUILD)/bench $(ONLY)

data:
	@.ci/setup data
	@lua5.4 data/build.lua
	@lua5.4 data/check.lua

dist:
	@mkdir -p .build
	$(QUIET)git archive --prefix=ecrb-$(VERSION)/ HEAD | gzip -9n >$(DIST).new
	$(QUIET)mv $(DIST).new $(DIST) && echo $(DIST)

INSTALL = PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" BUILD="$(BUILD)" \
  VERSION="$(VERSION)" SONAME="$(SONAME)" lua/install

install: all library
	@$(INSTALL) put

uninstall:
	@$(INSTALL) remove

clean:
	rm -rf .build ecrb lua/argparse.luac

help:
	@sed -n '/^# make/s/^# //p;/^$$/q' Makefile

.SECONDARY: $(FUZZCORE) $(FUZZHOST) $(BUILD)/tests/replay.o
.PHONY: all units examples library rock install-rock setup demo test memcheck coverage lint fuzz bench data dist \
  install uninstall clean help
-include $(CORE:.o=.d) $(HOST:.o=.d) $(UNITS:=.d) $(BENCHES:=.d) \
  $(FUZZCORE:.o=.d) $(FUZZHOST:.o=.d) $(FUZZERS:=.d) $(REPLAYS:=.d) $(EXAMPLES:=.d)
