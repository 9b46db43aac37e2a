/* test_memory.c: a whole host in a program whose memory runs out: open, run,
** score, close, with a model and with open questions. Once and for all: at an allocation, a copy of the program is made
** (fork) in which that one and all that follow fail; it must come to its end
** with an error and without a block left. And for a moment: that one allocation
** alone fails.
**
** Of some 8,000 allocations of either every fifth is tried; ECRB_TEST_STRIDE=1
** tries all, which takes twenty seconds of the processor. Left out is what goes on inside
** lua-cjson: it ends the process where its buffers cannot grow. */
#include "ecrb_host.h"
#include "failing.h"
#include "unit.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOMENTS = 40, PATIENCE = 60, FILES = 64, FRAMES = 64 };

static char folder[] = "/tmp/ecrb-memory-XXXXXX";

/* Where lua-cjson's code lies. It is kept there, so that what the loader holds
** for it is no block that was forgotten. */
static const char *cjson_first, *cjson_last;

static int find_cjson(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size, (void)data;
  if (cjson_first || !strstr(object->dlpi_name, "/cjson.so"))
    return 0;
  assert_non_null(dlopen(object->dlpi_name, RTLD_LAZY));
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const char *first =
        (const char *)(uintptr_t)object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && (part->p_flags & PF_X)) {
      cjson_first = first;
      cjson_last = first + part->p_memsz;
    }
  }
  return 0;
}

static bool inside_cjson(void) {
  void *frames[FRAMES];
  int n = backtrace(frames, FRAMES);
  for (int i = 0; i < n; i++) {
    const char *at = frames[i];
    if (at >= cjson_first && at < cjson_last)
      return true;
  }
  return false;
}

static int model(void *data, const ecrb_question *question, ecrb_span *reply,
                 ecrb_err *err) {
  (void)data, (void)question, (void)err;
  dl_iterate_phdr(find_cjson, NULL);
  *reply = ecrb_span_of("ANSWER: 1.1.1.1");
  return ECRB_OK;
}

static bool each(void *data, const ecrb_result *result) {
  (void)data;
  return result->calls == 1;
}

/* The loader's own, where it has no memory for its lists. */
__attribute__((visibility("default"))) const char *
__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void) {
  return "leak:_dl_map_object_deps";
}

static bool no_more_blocks_than(long before) {
  return !BLOCKS_ADD_UP || blocks_alive == before;
}

static bool closing; /* whose failure nobody is told of */

static bool questions_are_open; /* the form of the run */

static int answer_all(ecrb_run *run) {
  ecrb_question question;
  ecrb_span reply;
  int status;
  while ((status = ecrb_run_next(run, 0, each, &question, NULL)) == ECRB_OK) {
    model(NULL, &question, &reply, NULL);
    status = ecrb_run_answer(run, question.ticket, reply, NULL);
    if (status != ECRB_OK)
      break;
  }
  return status == ECRB_ENONE ? ECRB_OK : status;
}

static int life(void) {
  ecrb_run_spec spec = {.method = "b0",
                        .split = "price",
                        .limit = 1,
                        .model = questions_are_open ? NULL : model,
                        .open = questions_are_open};
  ecrb_host *host;
  ecrb_run *run = NULL;
  ecrb_summary mean;
  int status;
  closing = false;
  status = ecrb_host_new(NULL, &host, NULL);
  if (status == ECRB_OK)
    status = ecrb_run_open(host, &spec, &run, NULL);
  if (status == ECRB_OK)
    status =
        questions_are_open ? answer_all(run) : ecrb_run_all(run, each, NULL);
  if (status == ECRB_OK)
    status = ecrb_run_score(run, &mean, NULL, NULL);
  closing = true;
  ecrb_run_close(run);
  ecrb_host_free(host);
  return status;
}

/* {====================================================================
** The copies
** ===================================================================== */

static long allocations, stride, failures, first_failure;
static long blocks_before;
static bool is_copy, fails_at_close;

/* A copy shares the places in open files with the program: it gets its own. */
static void part_files(void) {
  for (int fd = 3; fd < FILES; fd++) {
    char path[32];
    struct stat st;
    off_t place = lseek(fd, 0, SEEK_CUR);
    int own;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
      continue;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    own = open(path, fcntl(fd, F_GETFL) & ~(O_CREAT | O_TRUNC));
    if (own < 0 || lseek(own, place, SEEK_SET) != place || dup2(own, fd) != fd)
      _exit(4);
    close(own);
  }
}

static void watch(void) {
  pid_t copy;
  int status;
  before_allocation = NULL;
  if (allocations++ % stride == 0 && !inside_cjson()) {
    fails_at_close = closing;
    copy = fork();
    if (copy == 0) {
      is_copy = true;
      part_files();
      allocations_until_failure = -1;
      alarm(PATIENCE); /* it must end */
      return;
    }
    if (copy < 0 || waitpid(copy, &status, 0) != copy || status != 0) {
      if (failures++ == 0)
        first_failure = allocations;
    }
  }
  before_allocation = watch;
}

static void end_copy(int status) {
  allocations_until_failure = 0;
  if ((status == ECRB_OK) != fails_at_close)
    _exit(2);
  _exit(no_more_blocks_than(blocks_before) ? 0 : 3);
}

/* Under a sanitizer or valgrind a copy takes long. */
static long stride_here(void) {
  if (getenv("ECRB_TEST_STRIDE"))
    return atol(getenv("ECRB_TEST_STRIDE"));
  return getenv("MEMCHECK") || !BLOCKS_ADD_UP ? 997 : 5;
}

static void memory_may_be_out_from_any_allocation_on(void **state) {
  int status;
  questions_are_open = *state;
  allocations = failures = 0;
  for (int i = 0; i < 2; i++) /* then what libraries keep is there */
    assert_int_equal(life(), ECRB_OK);
  stride = stride_here();
  inside_cjson(); /* loads what walks the stack */
  blocks_before = blocks_alive;
  before_allocation = watch;
  status = life();
  before_allocation = NULL;
  if (is_copy)
    end_copy(status);
  assert_int_equal(status, ECRB_OK);
  assert_true(no_more_blocks_than(blocks_before));
  print_message("%ld allocations\n", allocations);
  if (failures > 0)
    fail_msg("%ld copies did not end well, the first at allocation %ld",
             failures, first_failure);
}
/* }==================================================================== */

static void one_allocation_may_fail(void **state) {
  long before;
  questions_are_open = *state;
  assert_int_equal(life(), ECRB_OK);
  before = blocks_alive;
  for (int i = 0; i < MOMENTS; i++) {
    allocations_until_failure = 1 + i * (allocations / MOMENTS);
    life();
    allocations_until_failure = 0;
    assert_true(no_more_blocks_than(before));
  }
  assert_int_equal(life(), ECRB_OK);
}

static bool open_form = true;

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) && setenv("TMPDIR", folder, 1) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
  char command[64];
  (void)state;
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_may_be_out_from_any_allocation_on),
      cmocka_unit_test(one_allocation_may_fail),
      cmocka_unit_test_prestate(memory_may_be_out_from_any_allocation_on,
                                &open_form),
      cmocka_unit_test_prestate(one_allocation_may_fail, &open_form),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
