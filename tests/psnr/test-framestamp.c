/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <string.h>
#include "psnr/framestamp.h"

static void
reads_what_it_drew (void)
{
  static const guint widths[] = { 80, 81, 119, 160, 320, 640, 1279, 1920, 7680 };
  static const guint32 numbers[] = { 0, 1, 2, 255, 65535, 65536, 0x7FFFFF, 0x800000,
    0xFFFFFE, 0xFFFFFF };

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (guint bottom = 0; bottom < 2; bottom++)
      for (guint rows = 2; rows <= 17; rows += 5) {
        guint width = widths[w], stride = width + 7, height = 20;
        guint8 *luma = g_malloc (stride * height);
        FrameStampStrip strip;

        g_assert_true (framestamp_strip (width, height, rows, bottom, &strip));
        for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
          guint32 number = 77;

          memset (luma, 128, stride * height);
          framestamp_draw (luma, stride, width, &strip, numbers[i]);
          g_assert_true (framestamp_read (luma, stride, width, &strip, &number));
          g_assert_cmpuint (number, ==, numbers[i]);
          for (guint y = 0; y < height; y++)
            for (guint x = 0; x < stride; x++) {
              gboolean inside = x < width && y >= strip.row && y < strip.row + rows;

              g_assert_true (inside == (luma[y * stride + x] != 128));
            }
        }
        g_free (luma);
      }
}

static void
draws_modulo_2_24 (void)
{
  guint8 luma[80 * 2];
  FrameStampStrip strip = { 0, 2 };
  guint32 number;

  framestamp_draw (luma, 80, 80, &strip, 0x5000123);
  g_assert_true (framestamp_read (luma, 80, 80, &strip, &number));
  g_assert_cmpuint (number, ==, 0x123);
}

static void
refuses_pictures_that_cannot_hold_it (void)
{
  guint8 luma[79 * 16] = { 0 };
  FrameStampStrip strip = { 0, 16 };
  guint32 number = 5;

  g_assert_false (framestamp_strip (79, 16, 16, FALSE, &strip));
  g_assert_false (framestamp_strip (80, 15, 16, FALSE, &strip));
  g_assert_false (framestamp_strip (80, 15, 1, FALSE, &strip));
  g_assert_false (framestamp_strip (1, 1, 16, TRUE, &strip));
  g_assert_false (framestamp_read (luma, 79, 79, &strip, &number));
  g_assert_cmpuint (number, ==, 5);
}

static void
nothing_drawn_is_nothing_read (void)
{
  guint8 luma[640 * 16];
  FrameStampStrip strip = { 0, 16 };
  GRand *rand = g_rand_new_with_seed (3);
  guint32 number = 5;
  guint accepted = 0;

  for (guint value = 0; value < 256; value++) {
    memset (luma, (int) value, sizeof luma);
    g_assert_false (framestamp_read (luma, 640, 640, &strip, &number));
  }
  for (guint i = 0; i < sizeof luma; i++)
    luma[i] = (guint8) g_rand_int (rand);
  g_assert_false (framestamp_read (luma, 640, 640, &strip, &number));
  g_assert_cmpuint (number, ==, 5);
  /* The worst: high contrast in every cell, and only the CRC to tell.  65536
   * tries of chance 2^-16: 12 or more would be one in ten million. */
  for (guint i = 0; i < 65536; i++) {
    for (guint cell = 0; cell < 40; cell++)
      memset (luma + cell * 2, g_rand_boolean (rand) ? 235 : 16, 2);
    memcpy (luma + 80, luma, 80);
    strip.height = 2;
    accepted += framestamp_read (luma, 80, 80, &strip, &number);
  }
  g_assert_cmpuint (accepted, <, 12);
  g_rand_free (rand);
}

/* Cells of one frame among those of another, as a lost slice leaves them: every
 * cut, for frames close to each other and far away. */
static void
a_mix_of_two_frames_is_refused (void)
{
  static const guint32 apart[] = { 1, 2, 3, 7, 30, 300, 4095 };
  guint8 old[80 * 2], mixed[80 * 2];
  FrameStampStrip strip = { 0, 2 };
  guint wrong = 0, tries = 0;

  for (guint32 n = 1000; n < 1200; n++)
    for (guint i = 0; i < G_N_ELEMENTS (apart); i++)
      for (guint cut = 1; cut < 40; cut++) {
        guint32 number = n;

        framestamp_draw (old, 80, 80, &strip, n);
        framestamp_draw (mixed, 80, 80, &strip, n + apart[i]);
        for (guint row = 0; row < 2; row++)
          memcpy (mixed + 80 * row, old + 80 * row, 2 * cut);
        tries++;
        if (framestamp_read (mixed, 80, 80, &strip, &number)
            && number != n && number != n + apart[i])
          wrong++;
      }
  g_assert_cmpuint (tries, ==, 200 * 7 * 39);
  g_assert_cmpuint (wrong, <=, 4);      /* 54600 / 65536 expected of chance */
}

static void
survives_noise_and_dimming_then_fails_cleanly (void)
{
  guint8 clean[320 * 16], luma[320 * 16];
  FrameStampStrip strip = { 0, 16 };
  GRand *rand = g_rand_new_with_seed (5);

  for (guint32 n = 0; n < 2000; n++) {
    guint32 number = G_MAXUINT32;

    framestamp_draw (clean, 320, 320, &strip, n * 8191);
    for (guint i = 0; i < sizeof luma; i++) {
      gint value = clean[i] + g_rand_int_range (rand, -60, 61);

      luma[i] = (guint8) CLAMP (value, 0, 255);
    }
    g_assert_true (framestamp_read (luma, 320, 320, &strip, &number));
    g_assert_cmpuint (number, ==, (n * 8191) & FRAMESTAMP_MASK);
  }
  for (guint fade = 0; fade <= 100; fade += 5) {
    guint32 number = 77;

    framestamp_draw (clean, 320, 320, &strip, 4711);
    for (guint i = 0; i < sizeof luma; i++)
      luma[i] = (guint8) ((clean[i] * (100 - fade) + 126 * fade) / 100);
    if (framestamp_read (luma, 320, 320, &strip, &number)) {
      g_assert_cmpuint (fade, <, 75);
      g_assert_cmpuint (number, ==, 4711);
    } else {
      g_assert_cmpuint (fade, >, 60);
      g_assert_cmpuint (number, ==, 77);
    }
  }
  g_rand_free (rand);
}

static void
unwraps_to_the_closest (void)
{
  const gint64 turn = 1 << 24;

  g_assert_cmpint (framestamp_unwrap (0, 5), ==, 5);
  g_assert_cmpint (framestamp_unwrap (5, 0), ==, 0);
  g_assert_cmpint (framestamp_unwrap (turn - 1, 0), ==, turn);
  g_assert_cmpint (framestamp_unwrap (turn + 1, 0xFFFFFF), ==, turn - 1);
  g_assert_cmpint (framestamp_unwrap (1, 0xFFFFFF), ==, -1);
  g_assert_cmpint (framestamp_unwrap (-1, 0), ==, 0);
  g_assert_cmpint (framestamp_unwrap (9 * turn + 100, 90), ==, 9 * turn + 90);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/framestamp/reads-what-it-drew", reads_what_it_drew);
  g_test_add_func ("/framestamp/modulo", draws_modulo_2_24);
  g_test_add_func ("/framestamp/too-small", refuses_pictures_that_cannot_hold_it);
  g_test_add_func ("/framestamp/nothing-drawn", nothing_drawn_is_nothing_read);
  g_test_add_func ("/framestamp/mixed", a_mix_of_two_frames_is_refused);
  g_test_add_func ("/framestamp/noise-and-fade", survives_noise_and_dimming_then_fails_cleanly);
  g_test_add_func ("/framestamp/unwraps", unwraps_to_the_closest);
  return g_test_run ();
}
