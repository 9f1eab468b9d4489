/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn-fixture.h - what the tests of the scheduler share
 */
#ifndef SBPN_FIXTURE_H
#define SBPN_FIXTURE_H

#include <glib.h>
#include "core/sbpn/sbpn.h"

#define CAPACITY 64
#define MS RCC_MSEC

typedef struct {
  RccSbpn q;
  RccSbpnEntry entries[CAPACITY];
  RccSbpnClass classes[RCC_SBPN_CLASSES];
  guint64 put;                          /* packets; the handles are 1, 2, .. */
} Fixture;

/* Classes 0 to 2 of priority 0 to 2; class 2 has whole frames. */
static inline void
setup (Fixture *f, RccSbpnMode mode)
{
  RccSbpnConfig config = rcc_sbpn_config ();

  config.mode = mode;
  f->put = 0;
  rcc_sbpn_init (&f->q, &config, f->entries, CAPACITY, f->classes, RCC_SBPN_CLASSES);
  for (guint k = 0; k < 3; k++)
    rcc_sbpn_set_class (&f->q, k, &(RccSbpnClassConfig) { .priority = k, .weight = 1,
      .whole_frames = k == 2 });
}

/* Returns the handle. */
static inline guint64
put (Fixture *f, RccSbpnPacket packet, RccTime now)
{
  packet.handle = GSIZE_TO_POINTER (++f->put);
  g_assert_true (rcc_sbpn_put (&f->q, &packet, now));
  return f->put;
}

#define handle(out) GPOINTER_TO_SIZE ((out).packet.handle)

/* next() must let this one go; it drops none before. */
static inline RccSbpnOut
sends (Fixture *f, RccTime now, guint64 which)
{
  RccSbpnPacket seen;
  RccSbpnOut out;

  g_assert_cmpint (rcc_sbpn_peek (&f->q, now, &seen), ==, RCC_SBPN_SEND);
  g_assert_cmpint (rcc_sbpn_next (&f->q, now, &out), ==, RCC_SBPN_SEND);
  g_assert_true (seen.handle == out.packet.handle);
  g_assert_cmpuint (handle (out), ==, which);
  return out;
}

static inline RccSbpnOut
drops (Fixture *f, RccTime now, guint64 which, RccSbpnCause cause)
{
  RccSbpnPacket seen;
  RccSbpnOut out;

  g_assert_cmpint (rcc_sbpn_peek (&f->q, now, &seen), ==, RCC_SBPN_DROP);
  g_assert_cmpint (rcc_sbpn_next (&f->q, now, &out), ==, RCC_SBPN_DROP);
  g_assert_true (seen.handle == out.packet.handle);
  g_assert_cmpuint (handle (out), ==, which);
  g_assert_cmpint (out.cause, ==, cause);
  return out;
}

static inline RccSbpnOut
overflows (Fixture *f, RccTime now, guint64 which, RccSbpnCause cause)
{
  RccSbpnOut out;

  g_assert_true (rcc_sbpn_overflow (&f->q, now, &out));
  g_assert_cmpuint (handle (out), ==, which);
  g_assert_cmpint (out.cause, ==, cause);
  return out;
}

static inline void
fits (Fixture *f, RccTime now)
{
  RccSbpnOut out;

  g_assert_false (rcc_sbpn_overflow (&f->q, now, &out));
}

static inline void
is_empty (Fixture *f, RccTime now)
{
  RccSbpnPacket seen;
  RccSbpnOut out;

  g_assert_cmpint (rcc_sbpn_peek (&f->q, now, &seen), ==, RCC_SBPN_EMPTY);
  g_assert_cmpint (rcc_sbpn_next (&f->q, now, &out), ==, RCC_SBPN_EMPTY);
}

/* in = sent + dropped + queued; what is dropped is given by cause. */
static inline void
balances (const RccSbpnCounters *c)
{
  RccSbpnCount out = c->sent;

  for (guint i = 0; i < RCC_SBPN_CAUSES; i++) {
    out.packets += c->dropped[i].packets;
    out.bytes += c->dropped[i].bytes;
  }
  g_assert_cmpuint (c->in.packets, ==, out.packets + c->queued.packets);
  g_assert_cmpuint (c->in.bytes, ==, out.bytes + c->queued.bytes);
}

/* Every entry is in the lists it belongs to and in no other, and they are sorted. */
static inline void
is_consistent (const RccSbpnQueue *q)
{
  guint32 packets = 0, units = 0, arrivals = 0, unused = 0;

  for (guint k = 0; k < RCC_SBPN_CLASSES; k++) {
    for (guint row = 0; row < RCC_SBPN_ROWS; row++) {
      guint32 last = RCC_SBPN_NONE;

      for (guint32 e = q->classes[k].rows[row].first; e != RCC_SBPN_NONE;
          e = q->entries[e].link[RCC_SBPN_ORDER].next) {
        const RccSbpnEntry *entry = &q->entries[e];
        const guint32 mate = entry->link[RCC_SBPN_MATES].next;

        g_assert_cmpuint (entry->packet.class_index, ==, k);
        g_assert_cmpuint (entry->row, ==, row);
        g_assert_cmpuint (entry->link[RCC_SBPN_ORDER].prev, ==, last);
        g_assert_true (row == RCC_SBPN_DOOMED || last == RCC_SBPN_NONE
            || rcc_sbpn_queue_before (q, last, e));
        last = e;
        packets++;
        if (row == RCC_SBPN_DOOMED)
          continue;
        arrivals++;
        units += mate == RCC_SBPN_NONE;
        g_assert_true (mate == RCC_SBPN_NONE
            || (q->entries[mate].packet.frame == entry->packet.frame
                && q->entries[mate].number > entry->number
                && q->entries[mate].link[RCC_SBPN_MATES].prev == e));
      }
      g_assert_cmpuint (q->classes[k].rows[row].last, ==, last);
    }
    g_assert_cmpint (q->doomed >> k & 1, ==, q->classes[k].rows[2].first != RCC_SBPN_NONE);
    g_assert_cmpint (q->busy >> k & 1, ==, rcc_sbpn_queue_first (q, k) != RCC_SBPN_NONE);
  }
  g_assert_cmpuint (units, ==, q->units);
  for (guint row = 0; row < RCC_SBPN_DOOMED; row++) {
    guint32 last = RCC_SBPN_NONE;

    for (guint32 e = q->arrived[row].first; e != RCC_SBPN_NONE;
        e = q->entries[e].link[RCC_SBPN_ARRIVAL].next, arrivals--) {
      g_assert_true (last == RCC_SBPN_NONE || q->entries[last].number < q->entries[e].number);
      last = e;
    }
    g_assert_cmpuint (q->arrived[row].last, ==, last);
  }
  g_assert_cmpuint (arrivals, ==, 0);
  for (guint32 e = q->free; e != RCC_SBPN_NONE; e = q->entries[e].link[RCC_SBPN_ORDER].next)
    unused++;
  g_assert_cmpuint (packets + unused, ==, q->capacity);
}

#endif
