/* main.c: the program. `ecrb ARGS` is the command line that lua/ecrb/cli.lua
** reads; `ecrb lua FILE ARGS` runs a Lua file with core.* and ecrb.* in reach.
** Only here may anything print, exit or touch signals. */
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "ecrb_host.h"

enum { EXIT_USE = 2 };

/* A signal handler has no other way to its host. */
static _Atomic(ecrb_host *) interrupted;

/* Outside a loop nothing is lost by ending at once, as any program would. */
static void on_interrupt(int number) {
  ecrb_host *host = atomic_load(&interrupted);
  if (host && ecrb_host_interrupt(host))
    return;
  signal(number, SIG_DFL);
  raise(number);
}

static void set_signals(ecrb_host *host) {
  struct sigaction action = {.sa_handler = on_interrupt};
  atomic_store(&interrupted, host);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a write that fails is reported, not deadly */
}

/* A connection takes a file, and most shells allow few where many may be had. */
static void allow_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/* Large blocks stay mapped one by one. The system's malloc gives that up at the
** first of them that is freed, and from then on an array that grows with a run
** leaves holes behind it. */
static void map_large_blocks(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
#endif
}

static int complain(const char *message) {
  fprintf(stderr, "ecrb: %s\n", message);
  return EXIT_USE;
}

static bool asks_for_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int run(ecrb_host *host, int argc, const char *const *argv) {
  static const char *const help[] = {"ecrb", "help", "lua"};
  int exit_code = 0, status;
  if (argc >= 2 && strcmp(argv[1], "lua") == 0) {
    if (argc == 2)
      return complain("lua: name a Lua file: ecrb lua FILE [ARGS]");
    status = asks_for_help(argv[2])
                 ? ecrb_host_main(host, 3, help, &exit_code)
                 : ecrb_host_file(host, argc - 2, argv + 2, &exit_code);
  } else {
    status = ecrb_host_main(host, argc, argv, &exit_code);
  }
  return status == ECRB_OK ? exit_code : complain(ecrb_host_message(host));
}

int main(int argc, char **argv) {
  ecrb_host *host;
  ecrb_err err;
  int exit_code;
  map_large_blocks();
  if (ecrb_host_new(NULL, &host, &err) != ECRB_OK)
    return complain(err.msg);
  set_signals(host);
  allow_files();
  exit_code = run(host, argc, (const char *const *)argv);
  atomic_store(&interrupted, NULL);
  ecrb_host_free(host);
  return exit_code;
}
