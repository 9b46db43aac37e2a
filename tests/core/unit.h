/* unit.h: what every C unit needs: cmocka and its prerequisites. */
#ifndef ECRB_TESTS_UNIT_H
#define ECRB_TESTS_UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ecrb.h"

/* The number of elements of a table. */
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Equal but for rounding. */
#define assert_near(given, expected)                                           \
  assert_true(fabs((given) - (expected)) < 1e-12)

/* Ends a test that cannot run here, and says so to whoever counts. */
#define SKIP_BECAUSE(why)                                                      \
  do {                                                                         \
    print_message("SKIP " why "\n");                                           \
    skip();                                                                    \
  } while (0)

#endif
