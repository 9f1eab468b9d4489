/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "samples.h"

#include <math.h>

#include "punctual.h"

#define IN_FLIGHT 5                     /* bins */
#define WAITING 15                      /* bins that a packet waits before departure, at most:
                                         * a second in the mux, two in the sender */

typedef struct {
  guint64 sent_bytes, received_bytes;
  guint left, arrived, late;            /* media packets that left in this bin; of those */
  double owd_sum, psnr_sum;
  guint frames, frozen;
  GArray *owd;                          /* float, ms; until the row is taken */
  /* of what came to the mux in this bin: all, those that left, those that came in time */
  guint coded[CALL_MEDIA], departed[CALL_MEDIA], on_time[CALL_MEDIA];
  guint waited[CALL_MEDIA];
  double wait_sum[CALL_MEDIA];          /* ms */
  gboolean seen_set;
  CallSnapshot seen;
} Bin;

typedef struct {
  GstClockTime sent;
  guint bin;
  gboolean media;
} Flying;

struct _CallSamples {
  GMutex lock;
  gboolean sees_sent, sees_received;
  GPtrArray *bins;
  guint taken;                          /* rows */
  guint seen;                           /* bins with a snapshot */
  GHashTable *flying;                   /* SSRC, sequence number -> Flying */
  CallMoments moments[CALL_MEDIA];      /* when packets came to the mux */
  guint newest[CALL_MEDIA];             /* bin in which the newest that has left came */
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
  GstClockTime when;

  if (packet->extra)
    return;
  g_mutex_lock (&s->lock);
  call_moments_add (&s->moments[medium], packet->ssrc, packet->timestamp, now);
  /* The whole frame is of one bin, for that is how its packets are found again. */
  when = call_moments_find (&s->moments[medium], packet->ssrc, packet->timestamp);
  bin_at (s, (guint) (when / CALL_BIN))->coded[medium]++;
  g_mutex_unlock (&s->lock);
}

/* Lock held.  When it came to the mux; GST_CLOCK_TIME_NONE: it is none of its. */
static GstClockTime
arrival_of (CallSamples *s, const CallPacket *packet, CallMedium *medium)
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
  when = arrival_of (s, packet, &medium);
  if (when != GST_CLOCK_TIME_NONE) {
    Bin *bin = bin_at (s, (guint) (now / CALL_BIN));

    bin->wait_sum[medium] += (double) (now - MIN (now, when)) / 1e6;
    bin->waited[medium]++;
  }
  g_mutex_unlock (&s->lock);
}

/* Lock held.  In the bin in which it came to the mux. */
static void
count_departed (CallSamples *s, const CallPacket *packet)
{
  CallMedium medium;
  const GstClockTime when = arrival_of (s, packet, &medium);
  const guint bin = (guint) (when / CALL_BIN);

  if (when == GST_CLOCK_TIME_NONE)
    return;
  bin_at (s, bin)->departed[medium]++;
  s->newest[medium] = MAX (s->newest[medium], bin);
}

/* Lock held.  @left: the bin in which it did. */
static void
count_on_time (CallSamples *s, GstClockTime now, const CallPacket *packet, guint left)
{
  CallMedium medium;
  const GstClockTime when = arrival_of (s, packet, &medium);

  if (when == GST_CLOCK_TIME_NONE)
    return;
  if (now <= when + CALL_EXPIRY)
    bin_at (s, (guint) (when / CALL_BIN))->on_time[medium]++;
  else
    bin_at (s, left)->late++;
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

  *f = (Flying) { now, (guint) (now / CALL_BIN), !packet->extra };
  g_mutex_lock (&s->lock);
  bin = bin_at (s, f->bin);
  bin->sent_bytes += packet->size;
  bin->left += f->media;
  count_departed (s, packet);
  if (s->sees_received)
    g_hash_table_insert (s->flying, g_memdup2 (&key, sizeof key), f);
  else
    g_free (f);
  g_mutex_unlock (&s->lock);
}

/* Lock held, without a sender.  A gap in the sequence numbers is what left and did not
 * come; padding that comes behind its time was taken for such media. */
static void
count_expected (CallSamples *s, Bin *bin, const CallPacket *packet)
{
  gpointer key = GUINT_TO_POINTER (packet->ssrc), value;
  gint16 step = 1;
  gint left;

  if (g_hash_table_lookup_extended (s->highest, key, NULL, &value))
    step = (gint16) (packet->seq - (guint16) GPOINTER_TO_UINT (value));
  left = MAX (step, 0) - (packet->extra ? 1 : 0);
  bin->left = (guint) MAX ((gint) bin->left + left, 0);
  bin->arrived += !packet->extra;
  if (step > 0)
    g_hash_table_insert (s->highest, key, GUINT_TO_POINTER (packet->seq));
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
}

/* Lock held, with a sender.  What comes twice counts once. */
static void
count_arrival (CallSamples *s, Bin *bin, GstClockTime now, const CallPacket *packet)
{
  const gint64 key = key_of (packet);
  const Flying *f = g_hash_table_lookup (s->flying, &key);

  if (!f)
    return;
  count_delay (s, bin, now, f);
  bin_at (s, f->bin)->arrived += f->media;
  count_on_time (s, now, packet, f->bin);
  g_hash_table_remove (s->flying, &key);
}

void
call_samples_received (CallSamples *s, GstClockTime now, const CallPacket *packet)
{
  Bin *bin;

  g_mutex_lock (&s->lock);
  bin = bin_at (s, (guint) (now / CALL_BIN));
  bin->received_bytes += packet->size;
  if (s->sees_sent)
    count_arrival (s, bin, now, packet);
  else
    count_expected (s, bin, packet);
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

/* Lock held.  Bins from here on may have packets in flight. */
static guint
settled (CallSamples *s)
{
  return s->sees_sent && s->seen > IN_FLIGHT ? s->seen - IN_FLIGHT : s->sees_sent ? 0
      : s->seen;
}

/* Lock held.  Whether what came in this bin has left, or never will: a medium's packets keep
 * their order, and none waits for longer than WAITING. */
static gboolean
is_over (const CallSamples *s, guint bin, CallMedium medium)
{
  return s->sees_sent && (bin < s->newest[medium] || bin + WAITING <= s->seen);
}

/* Lock held: what is known of the media of one bin. */
static void
add_media (CallSamples *s, guint i, CallSample *row)
{
  const Bin *bin = bin_at (s, i);
  RccLosses l = { 0 };

  for (CallMedium m = 0; m < CALL_MEDIA; m++) {
    if (!is_over (s, i, m))
      continue;
    l.offered += bin->coded[m];
    l.unsent += bin->coded[m] - MIN (bin->coded[m], bin->departed[m]);
    row->knows_offered = TRUE;
  }
  if (!s->sees_received || i < settled (s)) {
    l.left = bin->left;
    row->knows_left = TRUE;
  }
  if (s->sees_received && i < settled (s)) {
    l.lost = bin->left - MIN (bin->left, bin->arrived);
    l.late = bin->late;
    l.deadline = s->sees_sent;
    row->knows_lost = TRUE;
  }
  rcc_losses_add (&row->media, &l);
}

/* Lock held: bins [first, last) as one row, all but owd_p95 and what was seen. */
static void
add_up (CallSamples *s, guint first, guint last, CallSample *row)
{
  const double seconds = (last - first) * (CALL_BIN / 1e9);
  guint64 sent_bytes = 0, received_bytes = 0;
  guint frames = 0, frozen = 0, delays = 0;
  double owd = 0, psnr = 0;

  for (guint i = first; i < last; i++) {
    const Bin *bin = bin_at (s, i);

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
    .psnr = ratio (psnr, frames), .frozen = frames > 0 && frozen == frames,
  };
  for (guint i = first; i < last; i++)
    add_media (s, i, row);
  add_up_media (s, first, last, row->wait, row->on_time);
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
    if (s->taken >= settled (s))
      row->on_time[CALL_AUDIO] = row->on_time[CALL_VIDEO] = NAN;
    rcc_losses_add (&s->totals.media, &row->media);
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
  g_mutex_unlock (&s->lock);
}

void
call_totals_stand (CallTotals *t, double seconds, gint fps)
{
  const guint64 frames = seconds * fps >= 2 ? (guint64) (seconds * fps) : 0;

  if (t->frames == 0 || frames == 0)
    return;
  t->frames += frames;
  t->frozen += frames;
  t->longest_freeze = MAX (t->longest_freeze, seconds);
}
