/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random claims of who reports, in which format, and what it asks for, each held against what
 * reporters.h says, worked out anew from what was said each time.
 */
#include "wire-test.h"
#include "wire/reporters.h"
#include "../random.h"

#define LIVES 300
#define STEPS 300
#define MS RCC_MSEC

typedef struct {
  guint32 ssrc;
  gboolean proven, echoed, tells;
  RccTime proved, heard, telling, limiting;
  guint messages;
  struct { gboolean said; guint64 bps; RccTime at, every; guint times; } limits[RCC_LIMITS];
} Entry;

static RccReporters r;
static GArray *entries;
static struct { gboolean any; guint32 ssrc; guint8 format; RccTime heard, every; } source;
static guint64 ignored;
static guint n_unheard;
static RccTime unheard_since, now;
static gboolean said;

static Entry *
nth (guint i)
{
  return &g_array_index (entries, Entry, i);
}

static Entry *
find (guint32 ssrc)
{
  for (guint i = 0; i < entries->len; i++)
    if (nth (i)->ssrc == ssrc)
      return nth (i);
  return NULL;
}

/* 30 s since it last proved anything */
static gboolean
present (const Entry *e)
{
  return e != NULL && e->proven && now - e->proved < 30 * RCC_SEC;
}

static gboolean
anybody (gboolean echoed)
{
  for (guint i = 0; i < entries->len; i++)
    if (present (nth (i)) && (!echoed || nth (i)->echoed))
      return TRUE;
  return FALSE;
}

/* While somebody has echoed an SR, nobody else's reports count. */
static gboolean
trusted (guint32 ssrc)
{
  const Entry *e = find (ssrc);

  return present (e) && (e->echoed || !anybody (TRUE));
}

/* Four of its intervals without a message, 250 ms to 2 s: another may tell. */
static gboolean
source_present (void)
{
  return source.any && now - source.heard
      < (source.every == 0 ? 2 * RCC_SEC : CLAMP (4 * source.every, 250 * MS, 2 * RCC_SEC));
}

/* A REMB for as long as it is repeated, a TMMBR for as long as its owner is there. */
static gboolean
holds (const Entry *e, guint kind)
{
  const RccTime every = e->limits[kind].every;
  RccTime keep = 5 * RCC_SEC;

  if (!e->limits[kind].said)
    return FALSE;
  if (kind == RCC_LIMIT_TMMBR)
    return present (e) || now - e->limits[kind].at < 30 * RCC_SEC;
  if (every > 0)
    keep = CLAMP (5 * every, 2 * RCC_SEC, 15 * RCC_SEC);
  return now - e->limits[kind].at < keep;
}

static guint64
asked (const Entry *e)
{
  guint64 bps = G_MAXUINT64;

  for (guint k = 0; k < RCC_LIMITS; k++)
    if (holds (e, k))
      bps = MIN (bps, e->limits[k].bps);
  return bps;
}

static gboolean
limits_on (const Entry *e)
{
  for (guint k = 0; k < RCC_LIMITS; k++)
    if (holds (e, k) && e->limits[k].times >= 3 && e->limits[k].at - e->limiting >= 200 * MS)
      return TRUE;
  return FALSE;
}

static gboolean
listened_to (const Entry *e)
{
  return (present (e) && e->echoed) || limits_on (e)
      || (source_present () && source.ssrc == e->ssrc);
}

/* Room for 8: the one heard longest ago goes, of those who are not listened to if any. */
static Entry *
enter (guint32 ssrc)
{
  Entry *e = find (ssrc), *least = NULL;

  if (e != NULL)
    return e;
  if (entries->len < 8) {
    g_array_set_size (entries, entries->len + 1);
    least = nth (entries->len - 1);
  }
  for (guint pass = 0; pass < 2 && least == NULL; pass++)
    for (guint i = 0; i < 8; i++)
      if ((pass == 1 || !listened_to (nth (i))) && (least == NULL || nth (i)->heard < least->heard))
        least = nth (i);
  *least = (Entry) { .ssrc = ssrc };
  return least;
}

static void
prove (guint32 ssrc, gboolean echo)
{
  Entry *e = enter (ssrc);

  e->echoed = echo || (e->echoed && present (e));
  e->proven = TRUE;
  e->proved = e->heard = now;
}

static void
ignore (void)
{
  ignored++;
  if (anybody (FALSE)) {
    n_unheard = 0;
    return;
  }
  if (n_unheard++ == 0)
    unheard_since = now;
}

/* Who has echoed nothing while somebody has: three messages and 200 ms of proof */
static gboolean
enough (const Entry *e)
{
  return e->echoed || !anybody (TRUE) || (e->messages >= 3 && now - e->telling >= 200 * MS);
}

static Entry *
tell (guint32 ssrc)
{
  Entry *e;

  prove (ssrc, FALSE);
  e = find (ssrc);
  if (!e->tells)
    e->telling = now;
  e->tells = TRUE;
  e->messages++;
  return e;
}

/* Nobody has echoed, and another who has proved something goes on with limits. */
static gboolean
outrun (guint32 ssrc)
{
  gboolean another = FALSE;

  for (guint i = 0; i < entries->len; i++)
    another |= nth (i)->ssrc != ssrc && present (nth (i)) && limits_on (nth (i));
  return another && !anybody (TRUE);
}

static RccFeedbackSource
model_tells (guint32 ssrc, guint8 format, gboolean proved)
{
  const gboolean known = source.any;
  const Entry *mine = find (ssrc), *its = known ? find (source.ssrc) : NULL;

  if (known && source.ssrc == ssrc && source.format == format
      && (proved || source_present ())) {
    if (proved) {
      const RccTime gap = MIN (now - source.heard, 2 * RCC_SEC);

      tell (ssrc);
      source.every = MAX (gap, (RccTime) (0.75 * (gdouble) source.every));
      source.heard = now;
    }
    return RCC_SOURCE_SAME;
  }
  if (source_present ()) {
    const gboolean better = ssrc != source.ssrc && present (mine) && mine->echoed
        && !(present (its) && its->echoed);

    if (!better) {
      ignore ();
      return RCC_SOURCE_IGNORED;
    }
  }
  if (outrun (ssrc) || !proved || !enough (tell (ssrc))) {
    ignore ();
    return RCC_SOURCE_IGNORED;
  }
  source.any = TRUE;
  source.ssrc = ssrc;
  source.format = format;
  source.heard = now;
  source.every = 0;
  return known ? RCC_SOURCE_NEW : RCC_SOURCE_SAME;
}

static gboolean
led_by_proof (void)
{
  const Entry *e = find (source.ssrc);

  if (present (e) && source_present () && enough (e))
    return TRUE;
  for (guint i = 0; i < entries->len; i++)
    if (trusted (nth (i)->ssrc) && asked (nth (i)) != G_MAXUINT64)
      return TRUE;
  return FALSE;
}

static const Entry *
first_limiter (void)
{
  const Entry *first = NULL;

  for (guint i = 0; i < entries->len; i++)
    if (limits_on (nth (i)) && (first == NULL || nth (i)->limiting < first->limiting))
      first = nth (i);
  return first;
}

static gboolean
model_limit (guint32 ssrc, guint kind, guint64 bps)
{
  const Entry *first = first_limiter ();
  Entry *e;
  RccTime gap = 0;

  if (!trusted (ssrc) && (led_by_proof () || (first != NULL && first->ssrc != ssrc))) {
    ignore ();
    return FALSE;
  }
  e = enter (ssrc);
  if (asked (e) == G_MAXUINT64) {
    e->limiting = now;
    for (guint k = 0; k < RCC_LIMITS; k++)
      e->limits[k].times = 0;
  }
  if (e->limits[kind].said)
    gap = now - e->limits[kind].at;
  e->heard = now;
  e->limits[kind].every = MAX (MIN (gap, 15 * RCC_SEC),
      (RccTime) (0.75 * (gdouble) e->limits[kind].every));
  e->limits[kind].said = bps != G_MAXUINT64;
  e->limits[kind].bps = bps;
  e->limits[kind].at = now;
  e->limits[kind].times++;
  return TRUE;
}

/* The least of those who are believed; else of the one who goes on; else the mildest. */
static guint64
model_limit_bps (void)
{
  guint64 bps = G_MAXUINT64, mildest = 0;
  gboolean any = FALSE;

  if (led_by_proof ()) {
    for (guint i = 0; i < entries->len; i++)
      if (trusted (nth (i)->ssrc))
        bps = MIN (bps, asked (nth (i)));
    return bps;
  }
  if (first_limiter () != NULL)
    return asked (first_limiter ());
  for (guint i = 0; i < entries->len; i++)
    if (asked (nth (i)) != G_MAXUINT64) {
      any = TRUE;
      mildest = MAX (mildest, asked (nth (i)));
    }
  return any ? mildest : bps;
}

static void
same (void)
{
  g_assert_cmpuint (r.n, ==, entries->len);
  for (guint i = 0; i < 14; i++)
    g_assert_cmpint (rcc_reporters_trusts (&r, i, now), ==, trusted (i));
  g_assert_cmpint (rcc_reporters_any (&r, now), ==, anybody (FALSE));
  g_assert_cmpuint (rcc_reporters_limit_bps (&r, now), ==, model_limit_bps ());
  g_assert_cmpuint (r.unproven, ==, ignored);
  if (chance (0.2)) {                   /* five messages in 5 s, and nobody else: once */
    const gboolean tell_now = !said && n_unheard >= 5 && now - unheard_since >= 5 * RCC_SEC
        && !anybody (FALSE);

    g_assert_cmpint (rcc_reporters_unheard (&r, now), ==, tell_now);
    said |= tell_now;
  }
}

/* To where something ends, to the nanosecond, if not just on. */
static void
wait (void)
{
  static const RccTime ends[] = { 200 * MS, 250 * MS, 2 * RCC_SEC, 5 * RCC_SEC, 15 * RCC_SEC,
    30 * RCC_SEC };

  if (chance (0.5)) {
    now += below (chance (0.1) ? 20000 : 300) * MS;
  } else if (entries->len > 0) {
    const Entry *e = nth (below (entries->len));
    const RccTime from[] = { e->proved, e->heard, e->telling, e->limiting, source.heard,
      source.heard + 4 * source.every, e->limits[0].at, e->limits[1].at, unheard_since,
      e->limits[0].at + 5 * e->limits[0].every };
    const guint k = below (G_N_ELEMENTS (from));
    const RccTime end = from[k] + (k == 5 || k == 9 ? 0 : ends[below (G_N_ELEMENTS (ends))])
        - below (2);

    if (end < now + 31 * RCC_SEC)
      now = MAX (now, end);
  }
}

static void
live (void)
{
  const guint ssrcs = 1 + below (14);
  const gboolean strangers = chance (0.1);      /* nobody proves anything */

  rcc_reporters_init (&r);
  g_array_set_size (entries, 0);
  memset (&source, 0, sizeof source);
  ignored = n_unheard = 0;
  unheard_since = 0;
  said = FALSE;
  now = chance (0.1) ? 0 : 100 * RCC_SEC;
  for (guint i = 0; i < STEPS; i++) {
    const guint32 ssrc = below (ssrcs);
    const guint what = strangers ? 15 + below (2) : below (20);

    now++;                              /* no two are heard at once */
    if (what < 3) {
      const gboolean echo = chance (0.3);

      rcc_reporters_proved (&r, ssrc, echo ? RCC_PROOF_ECHO : RCC_PROOF_COUNT, now);
      prove (ssrc, echo);
    } else if (what < 9) {
      const guint8 format = chance (0.8) ? 15 : 11;
      const gboolean proved = chance (0.8);

      g_assert_cmpint (rcc_reporters_tells (&r, ssrc, format, proved, now), ==,
          model_tells (ssrc, format, proved));
    } else if (what < 15) {
      const guint kind = below (RCC_LIMITS);
      const guint64 bps = chance (0.05) ? G_MAXUINT64 : below (2000000);

      g_assert_cmpint (rcc_reporters_limit (&r, ssrc, (RccLimitKind) kind, bps, now), ==,
          model_limit (ssrc, kind, bps));
    } else if (what < 16) {
      rcc_reporters_ignore (&r, now);
      ignore ();
    } else {
      wait ();
    }
    same ();
  }
}

static void
whose_word_counts (void)
{
  entries = g_array_new (FALSE, TRUE, sizeof (Entry));
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, SEED, i);
    memset (&r, 0xa5, sizeof r);        /* init leaves nothing to chance */
    live ();
  }
  g_array_unref (entries);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reporters-random/whose-word-counts", whose_word_counts);
  return g_test_run ();
}
