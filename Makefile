# make          build ./ecrb
# make demo     set up, build, run M2 on the price split of the bundled benchmark
# make test     set up, build, run every test
# make help     the other targets

CC      ?= cc
LUA     := lua5.4
SAN     ?=
BUILD   := .build/$(if $(SAN),san,opt)
PROGRAM := $(if $(SAN),$(BUILD)/ecrb,ecrb)

WARN    := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
           -Wmissing-prototypes -Wwrite-strings -Wvla -Werror
OPT     := $(if $(SAN),-O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer,-O2)
CFLAGS  += -std=c11 -g -D_GNU_SOURCE $(OPT) $(WARN) -MMD -MP -Icore
PKGS    := lua5.4 libpcre2-8 zlib
# Compiler flags of packages that are not there yet must not stop `make setup`.
CFLAGS  += $(shell pkg-config --cflags $(PKGS) libcurl 2>/dev/null)
LDLIBS  += $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lmd -lm -ldl -lpthread

CORE    := $(patsubst %.c,$(BUILD)/%.o,$(wildcard core/*.c))
HOST    := $(patsubst %.c,$(BUILD)/%.o,$(wildcard lua/*.c))
UNITS   := $(patsubst tests/core/%.c,$(BUILD)/tests/%,$(wildcard tests/core/test_*.c))
QUIET   := @

all: $(PROGRAM)

$(PROGRAM): $(HOST) $(BUILD)/libecrb.a
	@echo "  LD   $@"
	$(QUIET)$(CC) $(OPT) -rdynamic -o $@ $^ $(LDLIBS)

$(BUILD)/libecrb.a: $(CORE)
	@echo "  AR   $@"
	$(QUIET)rm -f $@ && ar rcs $@ $^

$(BUILD)/%.o: %.c
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(CFLAGS) -c -o $@ $<

$(BUILD)/tests/%: tests/core/%.c $(BUILD)/libecrb.a
	@echo "  CC   $<"
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(CFLAGS) -Itests -o $@ $< $(BUILD)/libecrb.a -lcmocka $(LDLIBS)

units: $(UNITS)

clean:
	rm -rf .build ecrb

.PHONY: all units clean
-include $(CORE:.o=.d) $(HOST:.o=.d) $(UNITS:=.d)
