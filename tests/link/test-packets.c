/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/packets.h"

#include <glib.h>

static uint32_t
get (RccLinkPool *p, uint32_t wire)
{
  const uint32_t node = rcc_link_pool_get (p);

  g_assert_cmpuint (node, !=, RCC_LINK_NONE);
  p->nodes[node].wire = wire;
  return node;
}

static void
in_order (void)
{
  RccLinkPool p = RCC_LINK_POOL_INIT;
  RccLinkFifo f = { 0 };
  const uint32_t a = get (&p, 100), b = get (&p, 20), c = get (&p, 3);

  rcc_link_fifo_append (&p, &f, a);
  rcc_link_fifo_append (&p, &f, b);
  rcc_link_fifo_append (&p, &f, c);
  g_assert_cmpuint (f.n, ==, 3);
  g_assert_cmpuint (f.bytes, ==, 123);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, false), ==, a);
  g_assert_cmpuint (f.bytes, ==, 23);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, false), ==, b);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, false), ==, c);
  g_assert_cmpuint (f.n, ==, 0);
  g_assert_cmpuint (f.bytes, ==, 0);
  rcc_link_pool_clear (&p);
}

/* The head is in service: what is behind it goes, and the list goes on at its end. */
static void
behind_the_head (void)
{
  RccLinkPool p = RCC_LINK_POOL_INIT;
  RccLinkFifo f = { 0 };
  const uint32_t a = get (&p, 1), b = get (&p, 2), c = get (&p, 4), d = get (&p, 8);

  rcc_link_fifo_append (&p, &f, a);
  rcc_link_fifo_append (&p, &f, b);
  rcc_link_fifo_append (&p, &f, c);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, true), ==, b);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, true), ==, c);
  g_assert_cmpuint (f.n, ==, 1);
  rcc_link_fifo_append (&p, &f, d);
  g_assert_cmpuint (f.bytes, ==, 9);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, false), ==, a);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, false), ==, d);
  rcc_link_pool_clear (&p);
}

/* By time of delivery, what is equal as it came, and what is taken from the middle leaves the
 * list whole. */
static void
by_delivery (void)
{
  static const RccTime times[] = { 50, 30, 70, 30, 60, 10 };
  static const guint order[] = { 5, 1, 3, 0, 4, 2 };
  RccLinkPool p = RCC_LINK_POOL_INIT;
  RccLinkFifo f = { 0 };
  uint32_t nodes[G_N_ELEMENTS (times)];

  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    nodes[i] = get (&p, 1);
    p.nodes[nodes[i]].packet.delivered = times[i];
    rcc_link_fifo_insert (&p, &f, nodes[i]);
  }
  g_assert_cmpuint (f.bytes, ==, 6);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, true), ==, nodes[1]);
  rcc_link_fifo_insert (&p, &f, nodes[1]);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, false), ==, nodes[5]);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, false), ==, nodes[3]);
  g_assert_cmpuint (rcc_link_fifo_take (&p, &f, false), ==, nodes[1]);
  for (guint i = 3; i < G_N_ELEMENTS (times); i++)
    g_assert_cmpuint (rcc_link_fifo_take (&p, &f, false), ==, nodes[order[i]]);
  g_assert_cmpuint (f.n, ==, 0);
  g_assert_cmpuint (f.bytes, ==, 0);
  rcc_link_pool_clear (&p);
}

static void
all_of_them (void)
{
  RccLinkPool p = RCC_LINK_POOL_INIT;

  for (uint32_t i = 0; i < RCC_LINK_MAX_PACKETS; i++)
    g_assert_cmpuint (get (&p, 0), ==, i);
  g_assert_cmpuint (rcc_link_pool_get (&p), ==, RCC_LINK_NONE);
  rcc_link_pool_free (&p, 7);
  rcc_link_pool_free (&p, 5);
  g_assert_cmpuint (rcc_link_pool_get (&p), ==, 5);
  g_assert_cmpuint (rcc_link_pool_get (&p), ==, 7);
  g_assert_cmpuint (rcc_link_pool_get (&p), ==, RCC_LINK_NONE);
  rcc_link_pool_clear (&p);
  g_assert_cmpuint (get (&p, 0), ==, 0);
  rcc_link_pool_clear (&p);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/packets/in-order", in_order);
  g_test_add_func ("/packets/behind-the-head", behind_the_head);
  g_test_add_func ("/packets/by-delivery", by_delivery);
  g_test_add_func ("/packets/all-of-them", all_of_them);
  return g_test_run ();
}
