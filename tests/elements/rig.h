/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rig.h - what the tests of all elements share: an element in a harness on a test clock,
 * RTP packets, RTCP, statistics, and the program around the tests
 */
#ifndef RIG_H
#define RIG_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <string.h>

#include "wire/ccfb.h"
#include "wire/rtp.h"

#define RIG_START (1000 * GST_SECOND)   /* of the clock */

/* --- the program ---------------------------------------------------------- */

static struct {
  void (*add[64]) (TCase *);
  guint n;
} tests_;

#define TEST_(name, add_it) \
static void name##_body (int __i__); \
\
GST_START_TEST (name) \
{ \
  name##_body (__i__); \
} \
\
GST_END_TEST; \
\
static void \
name##_add (TCase *tc) \
{ \
  add_it; \
} \
\
static void __attribute__ ((constructor)) \
name##_announce (void) \
{ \
  g_assert (tests_.n < G_N_ELEMENTS (tests_.add)); \
  tests_.add[tests_.n++] = name##_add; \
} \
\
static void \
name##_body (int G_GNUC_UNUSED __i__)

/* A test, by the braces that follow.  It adds itself to the program: there is no list. */
#define TEST(name) TEST_ (name, tcase_add_test (tc, name))

/* The same @times over: __i__ counts from 0.  @times is read when the program starts. */
#define TEST_EACH(name, times) TEST_ (name, tcase_add_loop_test (tc, name, 0, times))

/* The program of the tests, and in braces what is set before them, of @tc or of all. */
#define SUITE(name) \
static void name##_set_up (TCase *tc); \
\
static Suite * \
name##_suite (void) \
{ \
  Suite *s = suite_create (#name); \
  TCase *tc = tcase_create ("all"); \
\
  suite_add_tcase (s, tc); \
  name##_set_up (tc); \
  for (guint i = 0; i < tests_.n; i++) \
    tests_.add[i] (tc); \
  return s; \
} \
\
GST_CHECK_MAIN (name); \
\
static void \
name##_set_up (TCase *tc)

/* Where there is nothing to be set. */
#define TEST_MAIN(name) SUITE (name) { } struct name##_ends_with_a_semicolon

/* Of what other threads do; how long it takes decides nothing.  @condition may read tries_. */
#define wait_at_most(condition, times, us) G_STMT_START { \
  guint tries_ = 0; \
  while (!(condition)) { \
    fail_unless (tries_++ < (times), "never happened: " #condition); \
    g_usleep (us); \
  } \
} G_STMT_END
#define wait_for(condition) wait_at_most (condition, 50000, 100)

/* --- what an element says ------------------------------------------------- */

static inline guint64
number_in (const GstStructure *s, const gchar *name)
{
  const GValue *value = gst_structure_get_value (s, name);

  fail_unless (value != NULL, "no field %s", name);
  if (G_VALUE_HOLDS_BOOLEAN (value))
    return (guint64) g_value_get_boolean (value);
  return G_VALUE_HOLDS_UINT (value) ? g_value_get_uint (value)
      : g_value_get_uint64 (value);
}

/* Free it. */
static inline GstStructure *
stats_of (gpointer object)
{
  GstStructure *stats;

  g_object_get (object, "stats", &stats, NULL);
  return stats;
}

static inline guint64
stat_of (gpointer object, const gchar *name)
{
  GstStructure *stats = stats_of (object);
  const guint64 n = number_in (stats, name);

  gst_structure_free (stats);
  return n;
}

static inline guint
uint_of (gpointer object, const gchar *property)
{
  guint n;

  g_object_get (object, property, &n, NULL);
  return n;
}

/* Of an enumeration. */
static inline const gchar *
nick_of (gpointer object, const gchar *property)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (object), property);
  gint value;

  g_object_get (object, property, &value, NULL);
  return g_enum_get_value (G_PARAM_SPEC_ENUM (pspec)->enum_class, value)->value_nick;
}

static inline void
assert_stat_string (gpointer object, const gchar *name, const gchar *expected)
{
  GstStructure *stats = stats_of (object);

  fail_unless_equals_string (gst_structure_get_string (stats, name), expected);
  gst_structure_free (stats);
}

/* --- the clock ------------------------------------------------------------ */

static inline GstClockTime
time_of (GstTestClock *clock)
{
  return gst_clock_get_time (GST_CLOCK (clock));
}

/* When the next who waits for it is due; NONE: nobody waits. */
static inline GstClockTime
next_due (GstTestClock *clock)
{
  GstClockTime time;
  GstClockID id;

  if (!gst_test_clock_peek_next_pending_id (clock, &id))
    return GST_CLOCK_TIME_NONE;
  time = gst_clock_id_get_time (id);
  gst_clock_id_unref (id);
  return time;
}

/* It goes on to @until, stopping wherever somebody waits for it.  @settle returns once
 * everybody has done what there is to do at this time; NULL: they do so in this thread. */
static inline void
clock_run (GstTestClock *clock, GstClockTime until, void (*settle) (gpointer),
    gpointer data)
{
  GstClockTime next;
  GstClockID fired;

  for (;;) {
    if (settle)
      settle (data);
    next = next_due (clock);
    if (next > until)
      break;
    if (next > time_of (clock))
      gst_test_clock_set_time (clock, next);
    if ((fired = gst_test_clock_process_next_clock_id (clock)))
      gst_clock_id_unref (fired);
  }
  if (until > time_of (clock))
    gst_test_clock_set_time (clock, until);
  if (settle)
    settle (data);
}

/* --- an element between harnesses ----------------------------------------- */

static inline GstElement *
element_new (const gchar *factory)
{
  GstElement *e = gst_element_factory_make (factory, NULL);

  fail_unless (e != NULL, "no %s", factory);
  return e;
}

/* In NULL; *@clock is at RIG_START. */
static inline GstHarness *
rtp_harness (GstElement *e, const gchar *sink, GstTestClock **clock)
{
  GstHarness *h = gst_harness_new_with_element (e, sink, "src");

  gst_element_set_state (e, GST_STATE_NULL);
  gst_harness_use_testclock (h);
  *clock = gst_harness_get_testclock (h);
  gst_test_clock_set_time (*clock, RIG_START);
  return h;
}

static inline GstHarness *
rtcp_harness (GstElement *e, const gchar *sink, const gchar *src)
{
  GstHarness *h = gst_harness_new_with_element (e, sink, src);

  gst_harness_set_src_caps_str (h, "application/x-rtcp");
  return h;
}

#define set_properties(e, first_property) G_STMT_START { \
  va_list args_; \
\
  va_start (args_, first_property); \
  if (first_property) \
    g_object_set_valist (G_OBJECT (e), first_property, args_); \
  va_end (args_); \
} G_STMT_END

static inline void
push_rtcp (GstHarness *h, const guint8 *data, gsize size)
{
  fail_unless_equals_int (gst_harness_push (h, gst_buffer_new_memdup (data, size)),
      GST_FLOW_OK);
}

static inline guint
drain (GstHarness *h)
{
  GstBuffer *buffer;
  guint n = 0;

  for (; (buffer = gst_harness_try_pull (h)); n++)
    gst_buffer_unref (buffer);
  return n;
}

/* The next upstream event called @name; NULL: none.  Others go.  Unref it. */
static inline GstEvent *
next_upstream (GstHarness *h, const gchar *name)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_upstream_event (h))) {
    if (gst_event_has_name (event, name))
      return event;
    gst_event_unref (event);
  }
  return NULL;
}

/* How many upstream events called @name have come since it was asked last.  The field
 * @field of the newest goes to @value. */
static inline guint
count_upstream (GstHarness *h, const gchar *name, const gchar *field, guint *value)
{
  GstEvent *event;
  guint n = 0;

  for (; (event = next_upstream (h, name)); n++) {
    if (field)
      fail_unless (gst_structure_get_uint (gst_event_get_structure (event), field, value));
    gst_event_unref (event);
  }
  return n;
}

/* The newest target that has come upstream, and how much of it is repair; FALSE: none, and
 * both stay as they were. */
static inline gboolean
newest_target (GstHarness *h, guint *bps, guint *fec)
{
  gboolean any = FALSE;
  GstEvent *event;

  for (; (event = next_upstream (h, "GstRtpTargetBitrate")); any = TRUE) {
    gst_structure_get (gst_event_get_structure (event), "target-bitrate", G_TYPE_UINT, bps,
        "fec-bitrate", G_TYPE_UINT, fec, NULL);
    gst_event_unref (event);
  }
  return any;
}

/* A controller downstream says so. */
static inline void
push_target (GstHarness *h, guint bps)
{
  gst_harness_push_upstream_event (h, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRtpTargetBitrate", "target-bitrate", G_TYPE_UINT, bps, NULL)));
}

/* A signal's handler: one more. */
static G_GNUC_UNUSED void
count_notify (GObject *object, GParamSpec *pspec, gpointer n)
{
  g_atomic_int_inc ((gint *) n);
}

/* --- a pipeline in real time ---------------------------------------------- */

/* Whether there is such a factory; says so where there is none. */
static inline gboolean
have (const gchar *factory)
{
  g_autoptr (GstElementFactory) found = gst_element_factory_find (factory);

  if (!found)
    g_printerr ("skipped: no %s\n", factory);
  return found != NULL;
}

/* It is in PLAYING when this returns. */
static inline void
run_to_eos (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
}

/* --- packets -------------------------------------------------------------- */

/* Of payload type 96; no two of them have the same payload. */
static inline GstBuffer *
rtp_packet (guint32 ssrc, guint16 seq, guint32 timestamp, gboolean marker, guint size)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);
  GstMapInfo info;

  gst_buffer_map (buffer, &info, GST_MAP_WRITE);
  for (guint i = 12; i < size; i++)
    info.data[i] = (guint8) (i * 7 + seq * 31 + (i * seq >> 5));
  info.data[0] = 0x80;
  info.data[1] = (guint8) (96 | marker << 7);
  rcc_put16 (info.data + 2, seq);
  rcc_put32 (info.data + 4, timestamp);
  rcc_put32 (info.data + 8, ssrc);
  gst_buffer_unmap (buffer, &info);
  return buffer;
}

/* Writes @ext, header and elements (RFC 8285), over the payload of a packet of rtp_packet(). */
static inline GstBuffer *
with_extension (GstBuffer *buffer, const guint8 ext[8])
{
  const guint8 first = 0x90;

  gst_buffer_fill (buffer, 0, &first, 1);
  gst_buffer_fill (buffer, 12, ext, 8);
  return buffer;
}

static inline GBytes *
bytes_of (GstBuffer *buffer)
{
  gpointer data;
  gsize size;

  gst_buffer_extract_dup (buffer, 0, gst_buffer_get_size (buffer), &data, &size);
  return g_bytes_new_take (data, size);
}

/* Feedback by RFC 8888 on @n packets from number @base on, made at @made.  Returns its size. */
static inline gsize
ccfb_of (guint8 *data, gsize capacity, guint32 ssrc, guint16 base, const RccCcfbReport *reports,
    guint n, GstClockTime made)
{
  gsize size = rcc_ccfb_begin (data, capacity, 1);

  size = rcc_ccfb_add (data, capacity, size, ssrc, base, reports, n);
  size = rcc_ccfb_end (data, capacity, size,
      (guint32) gst_util_uint64_scale (made, 65536, GST_SECOND));
  fail_unless (size > 0);
  return size;
}

/* One packet in rtpsession's feedback. */
typedef struct {
  guint seq, size;                      /* of the whole packet */
  guint8 pt;
  GstClockTime sent, arrived;           /* NONE: lost */
} TwccTold;

/* As rtpsession 1.22 makes the event (rtptwcc.c): payload sizes, the session's times. */
static inline GstEvent *
twcc_event (const TwccTold *told, guint n)
{
  GstStructure *s = gst_structure_new_empty ("RTPTWCCPackets");
  GValue value = G_VALUE_INIT;
  GValueArray *array;

  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  array = g_value_array_new (0);
  for (guint i = 0; i < n; i++) {
    GValue v = G_VALUE_INIT;

    g_value_init (&v, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&v, gst_structure_new ("RTPTWCCPacket", "seqnum", G_TYPE_UINT,
            told[i].seq, "local-ts", G_TYPE_UINT64, told[i].sent, "remote-ts",
            G_TYPE_UINT64, told[i].arrived, "payload-type", G_TYPE_UCHAR, told[i].pt,
            "size", G_TYPE_UINT, told[i].size - 12, "lost", G_TYPE_BOOLEAN,
            told[i].arrived == GST_CLOCK_TIME_NONE, NULL));
    g_value_array_append (array, &v);
    g_value_unset (&v);
  }
  g_value_init (&value, g_value_array_get_type ());
  g_value_take_boxed (&value, array);
  gst_structure_take_value (s, "packets", &value);
  G_GNUC_END_IGNORE_DEPRECATIONS;
  return gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s);
}

/* Its times are the system clock's, which is @clock while the event passes: no thread of the
 * machine decides what is heard.  The real one is kept: a thread that is in
 * gst_system_clock_obtain() at that moment would else take a reference of what is freed. */
static inline void
push_twcc_event (GstHarness *h, GstTestClock *clock, const TwccTold *told, guint n)
{
  static GstClock *real;

  if (!real)
    real = gst_system_clock_obtain ();
  gst_system_clock_set_default (GST_CLOCK (clock));
  fail_unless (gst_harness_push_upstream_event (h, twcc_event (told, n)));
  gst_system_clock_set_default (real);
}

/* --- what leaves, and when ------------------------------------------------ */

typedef struct {
  GstClockTime at, pts;
  guint size;
  guint16 seq, was;             /* was: what the payload begins with */
  guint32 ssrc;
  guint8 pt;
  gboolean padding;
  GstBuffer *buffer;            /* address only */
} Left;

typedef struct {
  GstTestClock *clock;          /* borrowed */
  gboolean wholly;              /* a list is one l, and flushes show */
  GMutex lock;
  GArray *left;                 /* Left */
  GString *order;               /* p: packet, l: list, or the first letter of an event */
} Leaving;

static inline void
leaving_note (Leaving *x, GstBuffer *buffer, gboolean list)
{
  Left l = {.at = time_of (x->clock),.pts = GST_BUFFER_PTS (buffer),.size =
        (guint) gst_buffer_get_size (buffer),.buffer = buffer };
  guint8 head[14];
  const gsize n = gst_buffer_extract (buffer, 0, head, sizeof head);

  if (n >= 12) {
    l.pt = head[1] & 0x7f;
    l.seq = rcc_be16 (head + 2);
    l.ssrc = rcc_be32 (head + 8);
    l.padding = head[0] >> 5 & 1;
  }
  if (n == 14)
    l.was = rcc_be16 (head + 12);
  g_array_append_val (x->left, l);
  if (!list)
    g_string_append_c (x->order, 'p');
}

static G_GNUC_UNUSED GstPadProbeReturn
leaving_probe (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Leaving *x = data;

  g_mutex_lock (&x->lock);
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    leaving_note (x, GST_PAD_PROBE_INFO_BUFFER (info), FALSE);
  } else if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

    for (guint i = 0; i < gst_buffer_list_length (list); i++)
      leaving_note (x, gst_buffer_list_get (list, i), x->wholly);
    if (x->wholly)
      g_string_append_c (x->order, 'l');
  } else {
    g_string_append_c (x->order,
        GST_EVENT_TYPE_NAME (GST_PAD_PROBE_INFO_EVENT (info))[0]);
  }
  g_mutex_unlock (&x->lock);
  return GST_PAD_PROBE_OK;
}

/* At the source pad of @e. */
static inline void
leaving_watch (Leaving *x, GstElement *e, GstTestClock *clock, gboolean wholly)
{
  GstPad *src = gst_element_get_static_pad (e, "src");

  x->clock = clock;
  x->wholly = wholly;
  g_mutex_init (&x->lock);
  x->left = g_array_new (FALSE, FALSE, sizeof (Left));
  x->order = g_string_new (NULL);
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | (wholly ? GST_PAD_PROBE_TYPE_EVENT_FLUSH
          : 0), leaving_probe, x, NULL);
  gst_object_unref (src);
}

static inline void
leaving_clear (Leaving *x)
{
  g_array_free (x->left, TRUE);
  g_string_free (x->order, TRUE);
  g_mutex_clear (&x->lock);
}

static inline guint
leaving_count (Leaving *x)
{
  guint n;

  g_mutex_lock (&x->lock);
  n = x->left->len;
  g_mutex_unlock (&x->lock);
  return n;
}

#endif
