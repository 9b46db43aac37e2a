/* test_host.c: the host inside another program: two at once, its errors, and
** what becomes of it when memory runs out anywhere. */
#include "ecrb_host.h"
#include "failing.h"
#include "unit.h"

#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char script_path[] = "/tmp/ecrb-host-XXXXXX";

/* The script with that text, as argv[0]. */
static const char *script(const char *text) {
  FILE *file = fopen(script_path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  return script_path;
}

static int make_path(void **state) {
  int fd = mkstemp(script_path);
  (void)state;
  return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state) {
  (void)state;
  return unlink(script_path);
}

static ecrb_host *open_host(void) {
  ecrb_host *host;
  ecrb_err err;
  if (ecrb_host_new(NULL, &host, &err) != ECRB_OK)
    fail_msg("%s", err.msg);
  return host;
}

static int run(ecrb_host *host, const char *text, int *exit_code) {
  const char *argv[] = {script(text), "one", "two"};
  return ecrb_host_file(host, 3, argv, exit_code);
}

static void passes_arguments_and_exit_code(void **state) {
  ecrb_host *host = open_host();
  int exit_code = 0;
  (void)state;
  assert_int_equal(run(host,
                       "assert(arg[0] and #arg == 2 and arg[2] == 'two')\n"
                       "local one, two = ...\n"
                       "assert(one == 'one' and two == 'two')\n"
                       "return 7",
                       &exit_code),
                   ECRB_OK);
  assert_int_equal(exit_code, 7);
  assert_int_equal(run(host, "", &exit_code), ECRB_OK);
  assert_int_equal(exit_code, 0);
  ecrb_host_free(host);
}

static void explains_errors_in_one_line(void **state) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"\nerror 'broken'", ":2: broken"},
      {"error({ message = 'what \\27[2J' })", "what \\x1B[2J"},
      {"error({})", "an error value that is a table without a message"},
      {"return = 1", ":1: unexpected symbol near '='"},
      {"require 'core.nonsense'", "module 'core.nonsense' not found"},
  };
  ecrb_host *host = open_host();
  (void)state;
  unsetenv("ECRB_DEBUG");
  for (size_t i = 0; i < COUNT(cases); i++) {
    assert_int_equal(run(host, cases[i].text, NULL), ECRB_EFORMAT);
    assert_non_null(strstr(ecrb_host_message(host), cases[i].message));
    assert_null(strstr(ecrb_host_message(host), "traceback"));
  }
  setenv("ECRB_DEBUG", "1", 1);
  run(host, "error 'broken'", NULL);
  assert_non_null(strstr(ecrb_host_message(host), "stack traceback"));
  unsetenv("ECRB_DEBUG");
  ecrb_host_free(host);
}

static void lives_beside_another(void **state) {
  ecrb_host *a = open_host(), *b = open_host();
  int exit_code;
  (void)state;
  assert_int_equal(run(a, "shared = 1", NULL), ECRB_OK);
  assert_int_equal(run(b, "return shared or 5", &exit_code), ECRB_OK);
  assert_int_equal(exit_code, 5);
  assert_int_equal(run(a, "return shared", &exit_code), ECRB_OK);
  assert_int_equal(exit_code, 1);
  ecrb_host_free(a);
  ecrb_host_free(b);
}

static void takes_functions_of_the_program(void **state) {
  ecrb_host *host = open_host();
  int exit_code;
  (void)state;
  lua_pushinteger(ecrb_host_state(host), 42);
  lua_setglobal(ecrb_host_state(host), "answer");
  assert_int_equal(run(host, "return answer", &exit_code), ECRB_OK);
  assert_int_equal(exit_code, 42);
  ecrb_host_free(host);
}

static void names_a_home_that_is_none(void **state) {
  ecrb_host *host;
  ecrb_err err;
  (void)state;
  assert_int_equal(ecrb_host_new("/nonexistent", &host, &err), ECRB_ENONE);
  assert_null(host);
  assert_non_null(strstr(err.msg, "/nonexistent: no folder lua/ecrb in it"));
  setenv("ECRB_HOME", "/tmp", 1);
  assert_int_equal(ecrb_host_new(NULL, &host, &err), ECRB_ENONE);
  unsetenv("ECRB_HOME");
  ecrb_host_free(NULL);
}

static void has_no_loop_to_interrupt(void **state) {
  ecrb_host *host = open_host();
  (void)state;
  assert_false(ecrb_host_interrupt(host));
  ecrb_host_free(host);
}

static void opens_whole_or_not_at_all(void **state) {
  (void)state;
  for (long n = 1;; n++) {
    ecrb_host *host;
    ecrb_err err;
    int status;
    allocations_until_failure = n;
    status = ecrb_host_new(NULL, &host, &err);
    if (allocations_until_failure > 0) {
      allocations_until_failure = 0;
      assert_int_equal(status, ECRB_OK);
      ecrb_host_free(host);
      return;
    }
    assert_true(status == ECRB_OK ? host != NULL : host == NULL);
    ecrb_host_free(host);
  }
}

/* Everything that allocates outside of Lua too. */
static const char *const busy_script =
    "local sched, text = require 'core.sched', require 'core.text'\n"
    "local sandbox, vote = require 'core.sandbox', require 'core.vote'\n"
    "local gate, given, ended = sched.gate(1), 0, 0\n"
    "sched.loop():run { width = 3,\n"
    "  next = function ()\n"
    "    given = given + 1\n"
    "    if given > 4 then return nil end\n"
    "    return function ()\n"
    "      gate:enter()\n"
    "      sched.sample(2, function (i) sched.sleep(0) return i end)\n"
    "      gate:leave()\n"
    "      return text.find('a1', '(\\\\d)', given)\n"
    "    end, given\n"
    "  end,\n"
    "  done = function () ended = ended + 1 end }\n"
    "sandbox.run(nil, sandbox.compile('s', 'return 1'), {})\n"
    "vote.prefix { { '1' }, {} }\n"
    "text.printable(text.sha256('x'))\n"
    "return ended";

static void survives_any_failing_allocation(void **state) {
  ecrb_host *host;
  int exit_code = 0;
  (void)state;
  host = open_host();
  assert_int_equal(run(host, busy_script, &exit_code), ECRB_OK);
  assert_int_equal(exit_code, 4);
  for (long n = 1;; n++) {
    const char *argv[] = {script_path};
    bool all_went_well;
    allocations_until_failure = n;
    ecrb_host_file(host, 1, argv, &exit_code);
    all_went_well = allocations_until_failure > 0;
    allocations_until_failure = 0;
    if (all_went_well)
      break;
  }
  assert_int_equal(run(host, busy_script, &exit_code), ECRB_OK);
  assert_int_equal(exit_code, 4);
  ecrb_host_free(host);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(passes_arguments_and_exit_code),
      cmocka_unit_test(explains_errors_in_one_line),
      cmocka_unit_test(lives_beside_another),
      cmocka_unit_test(takes_functions_of_the_program),
      cmocka_unit_test(names_a_home_that_is_none),
      cmocka_unit_test(has_no_loop_to_interrupt),
      cmocka_unit_test(opens_whole_or_not_at_all),
      cmocka_unit_test(survives_any_failing_allocation),
  };
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
