/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/insert.h"

#include <glib.h>

#define NUMBERS 70000

/* Every third of 70000 packets, over a wrap, is followed by one of ours: no number twice,
 * none left out, and what is asked for is found as far back as is remembered. */
static void
test_numbers (void)
{
  RccInsert i = { 0 };
  RccInsertRequests requests = { 0 };
  static uint16_t left[NUMBERS];
  uint16_t next = 65000, former;
  unsigned found = 0;

  for (unsigned k = 0; k < NUMBERS; k++) {
    left[k] = rcc_insert_leaves (&i, (uint16_t) (65000 + k));
    g_assert_cmpuint (left[k], ==, next++);
    if (k % 3 == 2)
      rcc_insert_put (&i, next++);
  }
  for (unsigned k = NUMBERS - 1; k > NUMBERS - 2000; k--) {
    if (!rcc_insert_request (&i, &requests, left[k], &former))
      break;
    g_assert_cmpuint (former, ==, (uint16_t) (65000 + k));
    found++;
  }
  g_assert_cmpuint (found, >=, 3 * (RCC_INSERT_MAX - 1));
  g_assert_cmpuint (found, <=, 3 * (RCC_INSERT_MAX + 1));
  g_assert_false (rcc_insert_request (&i, &requests, (uint16_t) (next - 1 - NUMBERS % 3),
          &former));            /* ours */
}

/* Nothing put in: every number is what it was, and nothing is remembered of it. */
static void
test_untouched (void)
{
  RccInsert i = { 0 };
  RccInsertRequests requests = { 0 };
  uint16_t former, left;

  for (unsigned seq = 0; seq < 65536; seq += 7) {
    g_assert_cmpuint (rcc_insert_leaves (&i, (uint16_t) seq), ==, seq);
    g_assert_true (rcc_insert_request (&i, &requests, (uint16_t) seq, &former));
    g_assert_cmpuint (former, ==, seq);
  }
  g_assert_false (rcc_insert_answer (&requests, 7, &left));
}

/* The newest of two requests for packets of one former number counts. */
static void
test_answers (void)
{
  RccInsert a = { 0 }, b = { 0 };
  RccInsertRequests requests = { 0 };
  uint16_t former, left;

  rcc_insert_put (&a, 100);
  rcc_insert_put (&b, 50);
  rcc_insert_put (&b, 51);
  g_assert_true (rcc_insert_request (&a, &requests, 111, &former));
  g_assert_cmpuint (former, ==, 110);
  g_assert_true (rcc_insert_answer (&requests, 110, &left));
  g_assert_cmpuint (left, ==, 111);
  g_assert_true (rcc_insert_request (&b, &requests, 112, &former));
  g_assert_cmpuint (former, ==, 110);
  g_assert_true (rcc_insert_answer (&requests, 110, &left));
  g_assert_cmpuint (left, ==, 112);
  g_assert_false (rcc_insert_answer (&requests, 111, &left));
  for (unsigned k = 0; k < RCC_INSERT_REQUESTS; k++)
    g_assert_true (rcc_insert_request (&a, &requests, (uint16_t) (200 + k), &former));
  g_assert_false (rcc_insert_answer (&requests, 110, &left));
  g_assert_true (rcc_insert_answer (&requests, 199, &left));
  g_assert_cmpuint (left, ==, 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/insert/numbers", test_numbers);
  g_test_add_func ("/insert/untouched", test_untouched);
  g_test_add_func ("/insert/answers", test_answers);
  return g_test_run ();
}
