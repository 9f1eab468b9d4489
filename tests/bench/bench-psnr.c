/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What one PSNR of an I420 pair costs, for each kernel, beside a plain read of
 * both pictures.  The kernels take turns round by round, so that a busy machine
 * slows all of them; the median of the rounds counts.  "hot": the same pair
 * again and again; "memory": pairs in turn that together exceed the caches.
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "psnr/psnr.h"
#include "psnr/sse.h"
#include "psnr/ssim.h"

#define ROUNDS 201
#define COLD_BYTES (256u << 20)

typedef struct {
  guint width, height;
  gsize size;                   /* of one picture */
  guint pairs;
  guint8 *memory;
} Set;

static volatile guint64 sink;

static double
cpu_us (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec * 1e6 + (double) t.tv_nsec / 1e3;
}

static guint64
measure (const PsnrSse *sse, const guint8 *a, const guint8 *b, guint width, guint height)
{
  gsize luma = (gsize) width * height, chroma = luma / 4;

  return sse->plane (a, width, b, width, width, height)
      + sse->plane (a + luma, width / 2, b + luma, width / 2, width / 2, height / 2)
      + sse->plane (a + luma + chroma, width / 2, b + luma + chroma, width / 2,
      width / 2, height / 2);
}

/* The limit: a sum of both pictures' words in chains that do not wait for each
 * other, in the widest registers there are. */
#define READ_BOTH(name, target, bytes) \
  target static guint64 \
  name (const guint8 *a, const guint8 *b, gsize size) \
  { \
    typedef guint64 Wide __attribute__ ((vector_size (bytes), aligned (1))); \
    Wide s0 = { 0 }, s1 = { 0 }, s2 = { 0 }, s3 = { 0 }; \
    guint64 sum = 0; \
    for (gsize i = 0; i + 2 * bytes <= size; i += 2 * bytes) { \
      s0 += *(const Wide *) (a + i); \
      s1 += *(const Wide *) (b + i); \
      s2 += *(const Wide *) (a + i + bytes); \
      s3 += *(const Wide *) (b + i + bytes); \
    } \
    s0 += s1 + s2 + s3; \
    for (guint k = 0; k < bytes / 8; k++) \
      sum += s0[k]; \
    return sum; \
  }

READ_BOTH (read_narrow, , 16)
#if defined (__x86_64__) || defined (__i386__)
READ_BOTH (read_wide, __attribute__ ((target ("avx2"))), 32)
#else
#define read_wide read_narrow
#endif

static guint64
read_both (const guint8 *a, const guint8 *b, gsize size)
{
  return psnr_sse_avx2 () ? read_wide (a, b, size) : read_narrow (a, b, size);
}

enum { READ, REFERENCE, PLAIN, AVX2, SSIM, N_KERNELS };
static const char *names[] = { "read both", "reference (-O2, 64 bit)", "plain C (-O3)",
  "AVX2", "SSIM (luma)" };

static gboolean
run (guint kernel, const Set *set, guint pair)
{
  const guint8 *a = set->memory + 2 * pair * set->size, *b = a + set->size;
  const PsnrSse *sse = kernel == REFERENCE ? psnr_sse_reference ()
      : kernel == PLAIN ? psnr_sse_plain () : psnr_sse_avx2 ();

  if (kernel == READ)
    sink += read_both (a, b, set->size);
  else if (kernel == SSIM)
    sink += (guint64) (1000 * psnr_ssim (a, set->width, b, set->width, set->width,
            set->height));
  else if (sse)
    sink += measure (sse, a, b, set->width, set->height);
  return kernel == READ || kernel == SSIM || sse;
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values)
{
  qsort (values, ROUNDS, sizeof *values, compare);
  return values[ROUNDS / 2];
}

static void
bench (const char *title, const Set *set, gboolean hot, double out[N_KERNELS])
{
  static double took[N_KERNELS][ROUNDS];
  guint pair = 0;

  for (guint round = 0; round < ROUNDS; round++)
    for (guint k = 0; k < N_KERNELS; k++) {
      double start;

      pair = hot ? 0 : (pair + 1) % set->pairs;
      if (hot)
        run (k, set, pair);
      start = cpu_us ();
      took[k][round] = run (k, set, pair) ? cpu_us () - start : -1;
    }
  printf ("\n%s\n", title);
  for (guint k = 0; k < N_KERNELS; k++) {
    out[k] = median (took[k]);
    if (out[k] < 0)
      printf ("  %-26s not on this CPU\n", names[k]);
    else
      printf ("  %-26s %8.1f us  %6.2f x read\n", names[k], out[k], out[k] / out[READ]);
  }
}

int
main (void)
{
  static const guint sizes[][2] = { {640, 480}, {1280, 720} };
  double us[N_KERNELS];

  printf ("us per I420 pair, median of %d interleaved rounds, thread CPU time", ROUNDS);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    Set set = { .width = sizes[i][0], .height = sizes[i][1] };
    char title[64];

    set.size = (gsize) set.width * set.height * 3 / 2;
    set.pairs = (guint) (COLD_BYTES / (2 * set.size));
    set.memory = g_malloc (2 * set.pairs * set.size);
    for (gsize k = 0; k < 2 * set.pairs * set.size; k++)
      set.memory[k] = (guint8) (k * 2654435761u >> 13);
    snprintf (title, sizeof title, "%ux%u hot", set.width, set.height);
    bench (title, &set, TRUE, us);
    snprintf (title, sizeof title, "%ux%u memory", set.width, set.height);
    bench (title, &set, FALSE, us);
    g_free (set.memory);
  }
  return 0;
}
