/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mutate.c - a seeded mutator in front of fuzz-wire.c, for a sanitizer build
 *
 * Its inputs are mutator.h's.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__              /* as gcc says it; the other is clang's */
#define WITH_ASAN
#elif defined __has_feature
#if __has_feature (address_sanitizer)
#define WITH_ASAN
#endif
#endif

#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void) (address), (void) (size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void) (address), (void) (size))
#endif

#include "fuzz-wire.h"
#include "mutator.h"

/* The input ends with its allocation: one byte beyond is a report. */
static uint8_t *arena;
static size_t input_size;
static uint64_t seed = 1, input_number;

static void
print_input (void)
{
  fprintf (stderr, "input of --seed %llu --first %llu --runs 1, %zu bytes:",
      (unsigned long long) seed, (unsigned long long) input_number, input_size);
  for (size_t i = SIZE_MAX_INPUT - input_size; i < SIZE_MAX_INPUT; i++)
    fprintf (stderr, " %02x", arena[i]);
  fputc ('\n', stderr);
}

static void
on_abort (int number)
{
  print_input ();
}

static void
run_one (void)
{
  static uint8_t work[SIZE_MAX_INPUT];
  uint8_t *input;

  input_size = mutant (seed, input_number, work);
  input = arena + SIZE_MAX_INPUT - input_size;
  memcpy (input, work, input_size);
  ASAN_POISON_MEMORY_REGION (arena, SIZE_MAX_INPUT - input_size);
  LLVMFuzzerTestOneInput (input, input_size);
  ASAN_UNPOISON_MEMORY_REGION (arena, SIZE_MAX_INPUT - input_size);
}

/* Of the packets to start from, those alone whose name begins so. */
static bool
keep_seeds (const char *prefix)
{
  size_t kept = 0;

  for (size_t i = 0; i < n_seeds; i++)
    if (!strncmp (seeds[i].name, prefix, strlen (prefix)))
      seeds[kept++] = seeds[i];
  n_seeds = kept;
  return kept > 0;
}

/* A corpus for libFuzzer. */
static int
write_seeds (const char *directory)
{
  for (size_t i = 0; i < n_seeds; i++) {
    char path[1000];
    FILE *file;

    snprintf (path, sizeof path, "%s/%03zu-%s", directory, i, seeds[i].name);
    file = fopen (path, "wb");
    if (!file || fwrite (seeds[i].bytes.data, 1, seeds[i].bytes.size, file)
        != seeds[i].bytes.size || fclose (file) != 0) {
      fprintf (stderr, "cannot write %s: give --seeds a directory that exists\n", path);
      return 1;
    }
  }
  return 0;
}

int
main (int argc, char **argv)
{
  static const char *const names[] = { "rtp", "ext", "report", "remb", "tmmbr", "nack", "twcc", "ccfb",
    "xr", "rle", "times", "rtt", "outcomes", "ecn", "ulpfec", "flexfec", "repair", "reported",
    "echo", "peers" };
  uint64_t runs = 10000000, first = 0;
  const char *directory = NULL, *only = "";
  int failed = 0;

  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp (argv[i], "--runs"))
      runs = strtoull (argv[i + 1], NULL, 0);
    else if (!strcmp (argv[i], "--seed"))
      seed = strtoull (argv[i + 1], NULL, 0);
    else if (!strcmp (argv[i], "--first"))
      first = strtoull (argv[i + 1], NULL, 0);
    else if (!strcmp (argv[i], "--seeds"))
      directory = argv[i + 1];
    else if (!strcmp (argv[i], "--only"))
      only = argv[i + 1];
    else
      argc = 0;
  }
  if (argc % 2 == 0) {
    fprintf (stderr, "usage: fuzz-wire [--runs N] [--seed S] [--first N] [--seeds DIRECTORY]"
        " [--only PREFIX]\n");
    return 2;
  }
  build_seeds (seed);
  if (!keep_seeds (only)) {
    fprintf (stderr, "no packet is called %s...: --seeds writes them with their names\n", only);
    return 2;
  }
  if (directory)
    return write_seeds (directory);
  arena = malloc (SIZE_MAX_INPUT);
  signal (SIGABRT, on_abort);
#ifdef WITH_ASAN
  __sanitizer_set_death_callback (print_input);
#endif
  for (input_number = first; input_number - first < runs; input_number++)
    run_one ();
  printf ("%llu inputs, seed %llu; taken:", (unsigned long long) runs, (unsigned long long) seed);
  for (unsigned i = 0; i < RCC_FUZZ_PARSERS; i++) {
    printf (" %s %llu", names[i], (unsigned long long) rcc_fuzz_taken[i]);
    failed |= runs >= 10000 && *only == 0 && rcc_fuzz_taken[i] < runs / 1000;
  }
  printf ("%s\n", failed ? "\na parser was hardly reached: this run shows nothing of it" : "");
  free (arena);
  return failed;
}
