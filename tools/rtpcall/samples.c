/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "samples.h"

#include <math.h>

#include "punctual.h"

#define IN_FLIGHT 5                     /* bins */

typedef struct {
  guint64 sent_bytes, received_bytes;
  guint sent, arrived;                  /* packets of this bin that were sent, came */
  double owd_sum, psnr_sum;
  guint frames, frozen;
  GArray *owd;                          /* float, ms; until the row is taken */
  guint coded[CALL_MEDIA], on_time[CALL_MEDIA], waited[CALL_MEDIA];
  double wait_sum[CALL_MEDIA];          /* ms */
  gboolean seen_set;
  CallSnapshot seen;
} Bin;

typedef struct {
  GstClockTime sent;
  guint bin;
} Flying;

struct _CallSamples {
  GMutex lock;
  gboolean sees_sent, sees_received;
  GPtrArray *bins;
  guint taken;                          /* rows */
  guint seen;                           /* bins with a snapshot */
  GHashTable *flying;                   /* SSRC, sequence number -> Flying */
  CallMoments moments[CALL_MEDIA];      /* when packets came to the mux */
  GHashTable *highest;                  /* SSRC -> sequence number, without a sender */
  GArray *owd;
  double owd_sum, psnr_sum, freeze_start;
  CallTotals totals;
};

static void
bin_free (gpointer data)
{
  Bin *bin = data;

  if (bin->owd)
    g_array_unref (bin->owd);
  g_free (bin);
}

CallSamples *
call_samples_new (gboolean sees_sent, gboolean sees_received)
{
  CallSamples *s = g_new0 (CallSamples, 1);

  g_mutex_init (&s->lock);
  s->sees_sent = sees_sent;
  s->sees_received = sees_received;
  s->bins = g_ptr_array_new_with_free_func (bin_free);
  s->flying = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  s->highest = g_hash_table_new (NULL, NULL);
  s->owd = g_array_new (FALSE, FALSE, sizeof (float));
  s->freeze_start = NAN;
  return s;
}

void
call_samples_free (CallSamples *s)
{
  g_ptr_array_unref (s->bins);
  g_hash_table_unref (s->flying);
  g_hash_table_unref (s->highest);
  g_array_unref (s->owd);
  g_mutex_clear (&s->lock);
  g_free (s);
}

/* Lock held. */
static Bin *
bin_at (CallSamples *s, guint index)
{
  while (s->bins->len <= index)
    g_ptr_array_add (s->bins, g_new0 (Bin, 1));
  return g_ptr_array_index (s->bins, index);
}

void
call_samples_coded (CallSamples *s, GstClockTime now, const CallPacket *packet,
    CallMedium medium)
{
  g_mutex_lock (&s->lock);
  call_moments_add (&s->moments[medium], packet->ssrc, packet->timestamp, now);
  bin_at (s, (guint) (now / CALL_BIN))->coded[medium]++;
  g_mutex_unlock (&s->lock);
}

/* Lock held.  When it came to the mux; GST_CLOCK_TIME_NONE: it is none of its. */
static GstClockTime
came (CallSamples *s, const CallPacket *packet, CallMedium *medium)
{
  GstClockTime when = GST_CLOCK_TIME_NONE;

  for (*medium = 0; !packet->extra && *medium < CALL_MEDIA; (*medium)++) {
    when = call_moments_find (&s->moments[*medium], packet->ssrc, packet->timestamp);
    if (when != GST_CLOCK_TIME_NONE)
      return when;
  }
  return when;
}

void
call_samples_chosen (CallSamples *s, GstClockTime now, const CallPacket *packet)
{
  CallMedium medium;
  GstClockTime when;

  g_mutex_lock (&s->lock);
  when = came (s, packet, &medium);
  if (when != GST_CLOCK_TIME_NONE) {
    Bin *bin = bin_at (s, (guint) (now / CALL_BIN));

    bin->wait_sum[medium] += (double) (now - MIN (now, when)) / 1e6;
    bin->waited[medium]++;
  }
  g_mutex_unlock (&s->lock);
}

/* Lock held. */
static void
count_on_time (CallSamples *s, GstClockTime now, const CallPacket *packet)
{
  CallMedium medium;
  const GstClockTime when = came (s, packet, &medium);

  if (when != GST_CLOCK_TIME_NONE && now <= when + CALL_EXPIRY)
    bin_at (s, (guint) (when / CALL_BIN))->on_time[medium]++;
}

static gint64
key_of (const CallPacket *packet)
{
  return (gint64) (((guint64) packet->ssrc << 16) | packet->seq);
}

void
call_samples_sent (CallSamples *s, GstClockTime now, const CallPacket *packet)
{
  const gint64 key = key_of (packet);
  Flying *f = g_new (Flying, 1);
  Bin *bin;

  *f = (Flying) { now, (guint) (now / CALL_BIN) };
  g_mutex_lock (&s->lock);
  bin = bin_at (s, f->bin);
  bin->sent_bytes += packet->size;
  bin->sent++;
  s->totals.sent++;
  if (s->sees_received)
    g_hash_table_insert (s->flying, g_memdup2 (&key, sizeof key), f);
  else
    g_free (f);
  g_mutex_unlock (&s->lock);
}

/* Lock held.  A gap in the sequence numbers is what was sent and did not come. */
static void
count_expected (CallSamples *s, Bin *bin, guint32 ssrc, guint16 seq)
{
  gpointer key = GUINT_TO_POINTER (ssrc), value;
  gint16 step = 1;

  if (g_hash_table_lookup_extended (s->highest, key, NULL, &value))
    step = (gint16) (seq - (guint16) GPOINTER_TO_UINT (value));
  if (step > 0) {
    bin->sent += (guint) step;
    s->totals.sent += (guint64) step;
    g_hash_table_insert (s->highest, key, GUINT_TO_POINTER (seq));
  }
  bin->arrived++;
}

/* Lock held. */
static void
count_delay (CallSamples *s, Bin *bin, GstClockTime now, const Flying *f)
{
  float ms = (float) (now - MIN (now, f->sent)) / 1e6f;

  if (!bin->owd)
    bin->owd = g_array_new (FALSE, FALSE, sizeof (float));
  g_array_append_val (bin->owd, ms);
  g_array_append_val (s->owd, ms);
  bin->owd_sum += ms;
  s->owd_sum += ms;
  s->totals.owd_max = MAX (s->totals.owd_max, ms);
  bin_at (s, f->bin)->arrived++;
}

void
call_samples_received (CallSamples *s, GstClockTime now, const CallPacket *packet)
{
  const gint64 key = key_of (packet);
  Flying *f;
  Bin *bin;

  g_mutex_lock (&s->lock);
  bin = bin_at (s, (guint) (now / CALL_BIN));
  bin->received_bytes += packet->size;
  count_on_time (s, now, packet);
  s->totals.received++;
  if (!s->sees_sent)
    count_expected (s, bin, packet->ssrc, packet->seq);
  else if ((f = g_hash_table_lookup (s->flying, &key))) {
    count_delay (s, bin, now, f);
    g_hash_table_remove (s->flying, &key);
  }
  g_mutex_unlock (&s->lock);
}

void
call_samples_frame (CallSamples *s, const CallFrame *frame)
{
  CallTotals *t = &s->totals;
  Bin *bin;

  g_mutex_lock (&s->lock);
  bin = bin_at (s, (guint) (frame->time * GST_SECOND / CALL_BIN));
  bin->psnr_sum += frame->psnr;
  bin->frames++;
  bin->frozen += frame->frozen;
  s->psnr_sum += frame->psnr;
  t->frames++;
  t->frozen += frame->frozen;
  if (!isnan (s->freeze_start))
    t->longest_freeze = MAX (t->longest_freeze, frame->time - s->freeze_start);
  if (!frame->frozen)
    s->freeze_start = NAN;
  else if (isnan (s->freeze_start))
    s->freeze_start = frame->time;
  g_mutex_unlock (&s->lock);
}

void
call_samples_snapshot (CallSamples *s, GstClockTime now, const CallSnapshot *seen)
{
  g_mutex_lock (&s->lock);
  for (; s->seen < now / CALL_BIN; s->seen++) {
    Bin *bin = bin_at (s, s->seen);

    bin->seen = *seen;
    bin->seen_set = TRUE;
  }
  g_mutex_unlock (&s->lock);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const float *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

double
call_percentile (GArray *floats, double share)
{
  guint index;

  if (!floats || !floats->len)
    return NAN;
  g_array_sort (floats, compare);
  index = (guint) ceil (share * floats->len);
  return g_array_index (floats, float, index ? index - 1 : 0);
}

static double
ratio (double part, double whole)
{
  return whole > 0 ? part / whole : NAN;
}

/* Lock held: of bins [first, last). */
static void
add_up_media (CallSamples *s, guint first, guint last, double *wait, double *on_time)
{
  for (CallMedium m = 0; m < CALL_MEDIA; m++) {
    guint coded = 0, in_time = 0, waited = 0;
    double sum = 0;

    for (guint i = first; i < last; i++) {
      const Bin *bin = bin_at (s, i);

      coded += bin->coded[m];
      in_time += bin->on_time[m];
      waited += bin->waited[m];
      sum += bin->wait_sum[m];
    }
    wait[m] = ratio (sum, waited);
    on_time[m] = s->sees_sent && s->sees_received ? ratio (in_time, coded) : NAN;
  }
}

/* Lock held: bins [first, last) as one row, all but owd_p95 and what was seen. */
static void
add_up (CallSamples *s, guint first, guint last, CallSample *row)
{
  const double seconds = (last - first) * (CALL_BIN / 1e9);
  guint64 sent = 0, arrived = 0, sent_bytes = 0, received_bytes = 0;
  guint frames = 0, frozen = 0, delays = 0;
  double owd = 0, psnr = 0;

  for (guint i = first; i < last; i++) {
    const Bin *bin = bin_at (s, i);

    sent += bin->sent;
    arrived += bin->arrived;
    sent_bytes += bin->sent_bytes;
    received_bytes += bin->received_bytes;
    frames += bin->frames;
    frozen += bin->frozen;
    psnr += bin->psnr_sum;
    owd += bin->owd_sum;
    delays += bin->owd ? bin->owd->len : 0;
  }
  *row = (CallSample) {
    .time = last * (CALL_BIN / 1e9),
    .sent = s->sees_sent ? sent_bytes * 8 / seconds : NAN,
    .received = s->sees_received ? received_bytes * 8 / seconds : NAN,
    .owd = ratio (owd, delays), .owd_p95 = NAN,
    .loss = s->sees_received ? MAX (0, 1 - ratio (arrived, sent)) : NAN,
    .psnr = ratio (psnr, frames), .frozen = frames > 0 && frozen == frames,
  };
  if (s->sees_received && !sent)
    row->loss = NAN;
  add_up_media (s, first, last, row->wait, row->on_time);
}

/* Lock held.  Bins from here on may have packets in flight. */
static guint
settled (CallSamples *s)
{
  return s->sees_sent && s->seen > IN_FLIGHT ? s->seen - IN_FLIGHT : s->sees_sent ? 0
      : s->seen;
}

gboolean
call_samples_next (CallSamples *s, GstClockTime now, CallSample *row)
{
  gboolean due;

  g_mutex_lock (&s->lock);
  due = s->taken < s->seen && (now == GST_CLOCK_TIME_NONE
      || (s->taken + 1) * CALL_BIN + CALL_MATURE <= now);
  if (due) {
    Bin *bin = bin_at (s, s->taken);

    add_up (s, s->taken, s->taken + 1, row);
    row->owd_p95 = call_percentile (bin->owd, 0.95);
    row->seen = bin->seen;
    if (!s->sees_received)
      row->loss = bin->seen.loss;
    else if (s->taken >= settled (s))
      row->loss = row->on_time[CALL_AUDIO] = row->on_time[CALL_VIDEO] = NAN;
    g_clear_pointer (&bin->owd, g_array_unref);
    s->taken++;
  }
  g_mutex_unlock (&s->lock);
  return due;
}

void
call_samples_between (CallSamples *s, GstClockTime from, GstClockTime to, CallSample *row)
{
  g_mutex_lock (&s->lock);
  add_up (s, (guint) (from / CALL_BIN), (guint) (to / CALL_BIN), row);
  g_mutex_unlock (&s->lock);
}

void
call_samples_totals (CallSamples *s, CallTotals *totals)
{
  g_mutex_lock (&s->lock);
  *totals = s->totals;
  totals->owd_mean = ratio (s->owd_sum, s->owd->len);
  totals->owd_p95 = call_percentile (s->owd, 0.95);
  if (!s->owd->len)
    totals->owd_max = NAN;
  totals->psnr = ratio (s->psnr_sum, (double) totals->frames);
  add_up_media (s, 0, settled (s), totals->wait, totals->on_time);
  for (guint i = 0; i < settled (s); i++) {
    const Bin *bin = bin_at (s, i);

    totals->lost += bin->sent - MIN (bin->sent, bin->arrived);
  }
  g_mutex_unlock (&s->lock);
}
