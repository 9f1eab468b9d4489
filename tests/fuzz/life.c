/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * life.c - seeded stories for fuzz-life.c, for a sanitizer build
 *
 * Half of a story is chance; the other half repeats a short piece of it, so that calls get
 * somewhere.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "fuzz-life.h"
#include "fuzz-wire.h"

#define LONGEST 3000

static uint64_t seed = 1, story_number;

static void
on_abort (int number)
{
  fprintf (stderr, "story of --seed %llu --first %llu --runs 1\n", (unsigned long long) seed,
      (unsigned long long) story_number);
}

static size_t
tell_story (uint8_t *out)
{
  RccRng r;
  size_t size, piece;

  rcc_rng_init (&r, seed, story_number);
  size = 100 + rcc_rng_u32 (&r) % (LONGEST - 100);
  piece = 4 + rcc_rng_u32 (&r) % 60;
  for (size_t i = 0; i < size; i++)
    out[i] = (uint8_t) rcc_rng_u32 (&r);
  for (size_t i = size / 4; i + 2 * piece < size; i += piece)
    if (rcc_rng_u32 (&r) % 4 > 0)
      memmove (out + i, out, piece);
  return size;
}

int
main (int argc, char **argv)
{
  static const char *const names[] = { "sent", "outcomes", "reported", "limited", "feedback" };
  uint64_t runs = 20000, first = 0;
  int failed = 0;

  for (int i = 1; i + 1 < argc; i += 2)
    if (!strcmp (argv[i], "--runs"))
      runs = strtoull (argv[i + 1], NULL, 0);
    else if (!strcmp (argv[i], "--seed"))
      seed = strtoull (argv[i + 1], NULL, 0);
    else if (!strcmp (argv[i], "--first"))
      first = strtoull (argv[i + 1], NULL, 0);
    else
      argc = 0;
  if (argc % 2 == 0) {
    fprintf (stderr, "usage: fuzz-life [--runs N] [--seed S] [--first N]\n");
    return 2;
  }
  signal (SIGABRT, on_abort);
  for (story_number = first; story_number - first < runs; story_number++) {
    uint8_t *out = malloc (LONGEST);
    const size_t size = tell_story (out);

    LLVMFuzzerTestOneInput (out, size);
    free (out);
  }
  printf ("%llu stories, seed %llu:", (unsigned long long) runs, (unsigned long long) seed);
  for (unsigned i = 0; i < RCC_LIFE_EVENTS; i++) {
    printf (" %s %llu", names[i], (unsigned long long) rcc_life_events[i]);
    failed |= runs >= 100 && rcc_life_events[i] < runs;
  }
  printf ("%s\n", failed ? "\nsomething hardly came to pass: this run shows nothing of it" : "");
  return failed;
}
