/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/rtcp-source.h"

static RccRtcpSource m;
static guint8 bytes[600];

static gsize
compound (guint32 ssrc, guint32 chunk, const gchar *cname)
{
  const gsize used = rcc_rtcp_build_rr (ALL (bytes), ssrc, NULL, 0);

  return used + rcc_rtcp_build_cname (bytes + used, sizeof bytes - used, chunk, cname);
}

static void
hear (gsize size)
{
  rcc_rtcp_source_rtcp_passed (&m, (RccBytes) { bytes, size });
}

static void
takes_over_who_the_session_is (void)
{
  rcc_rtcp_source_init (&m, 7);
  g_assert_false (m.adopted);
  g_assert_cmpuint (rcc_rtcp_source_begin (&m, ALL (bytes)), ==, 8);
  g_assert_cmpuint (rcc_be32 (bytes + 4), ==, 7);
  hear (compound (0x22222222, 0x22222222, "user@host"));
  g_assert_true (m.adopted);
  g_assert_cmpuint (m.ssrc, ==, 0x22222222);
  g_assert_cmpstr (m.cname, ==, "user@host");
}

/* Nobody has negotiated reduced size (RFC 5506): a name goes with it, another for another SSRC. */
static void
alone_it_has_a_name_of_its_own (void)
{
  RccRtcpPacket p;
  RccBytes rest;
  gchar first[17] = "";

  for (guint32 ssrc = 1; ssrc < 3; ssrc++) {
    rcc_rtcp_source_init (&m, ssrc);
    rcc_rtcp_source_name (&m, (const guint32[3]) { 0x12345678, 0x9abcdef0, ssrc });
    rest = (RccBytes) { bytes, rcc_rtcp_source_begin (&m, ALL (bytes)) };
    g_assert_true (rcc_rtcp_next (&rest, &p) && p.type == RCC_RTCP_RR);
    g_assert_true (rcc_rtcp_next (&rest, &p) && p.type == RCC_RTCP_SDES);
    g_assert_cmpuint (rcc_be32 (p.body.data), ==, ssrc);
    g_assert_cmpuint (p.body.data[4], ==, 1);
    g_assert_cmpuint (p.body.data[5], ==, 16);
    for (guint i = 0; i < 16; i++)
      g_assert_true (g_ascii_isalnum (p.body.data[6 + i]) || strchr ("+/", p.body.data[6 + i]));
    g_assert_cmpint (strncmp (first, (const gchar *) p.body.data + 6, 16), !=, 0);
    memcpy (first, p.body.data + 6, 16);
    g_assert_false (rcc_rtcp_next (&rest, &p));
  }
}

/* The session's own compounds are of reduced size: no other name for its SSRC. */
static void
no_name_where_the_session_sends_none (void)
{
  rcc_rtcp_source_init (&m, 7);
  rcc_rtcp_source_name (&m, (const guint32[3]) { 1, 2, 3 });
  hear (rcc_rtcp_build_rr (ALL (bytes), 0x22222222, NULL, 0));
  g_assert_cmpuint (rcc_rtcp_source_begin (&m, ALL (bytes)), ==, 8);
}

/* A session of several SSRCs sends the chunks of all. */
static void
the_name_of_another_is_not_ours (void)
{
  rcc_rtcp_source_init (&m, 7);
  hear (compound (0x22222222, 0x33333333, "another"));
  g_assert_cmpuint (m.ssrc, ==, 0x22222222);
  g_assert_cmpstr (m.cname, ==, "");
}

/* All or nothing: without the name it would be of reduced size. */
static void
begins_as_much_as_fits (void)
{
  guint8 small[24];

  rcc_rtcp_source_init (&m, 7);
  hear (compound (7, 7, "a-rather-long-name@host.example"));
  g_assert_cmpuint (rcc_rtcp_source_begin (&m, small, 7), ==, 0);
  g_assert_cmpuint (rcc_rtcp_source_begin (&m, ALL (small)), ==, 0);
  g_assert_cmpuint (rcc_rtcp_source_begin (&m, ALL (bytes)), ==, 8 + 4 + 4 + 36);
}

static void
hostile_rtcp_passes_by (void)
{
  RccRng rng;

  rcc_rng_init (&rng, SEED, 1);
  rcc_rtcp_source_init (&m, 7);
  for (guint i = 0; i < 200000; i++) {
    gsize size = compound (0x22222222, 0x22222222, "user@host.example");
    guint8 *heap;

    for (guint k = rcc_rng_u32 (&rng) % 4; k; k--)
      bytes[rcc_rng_u32 (&rng) % size] = (guint8) rcc_rng_u32 (&rng);
    size -= rcc_rng_u32 (&rng) % 8 == 0 ? rcc_rng_u32 (&rng) % size : 0;
    heap = g_memdup2 (bytes, size);     /* its own block: an over-read shows */
    rcc_rtcp_source_rtcp_passed (&m, (RccBytes) { heap, size });
    g_free (heap);
    g_assert_nonnull (memchr (m.cname, 0, sizeof m.cname));
  }
}

/* One that says to be longer than its packet, by a byte or by all that a byte can say. */
static void
a_name_beyond_its_packet_is_none (void)
{
  static const guint beyond[] = { 0, 1, 255 };

  for (guint i = 0; i < G_N_ELEMENTS (beyond); i++) {
    const gsize size = compound (7, 7, "user@host"), sdes = size - 8;

    rcc_rtcp_source_init (&m, 7);
    bytes[8 + 9] = (guint8) MIN (sdes - 10 + beyond[i], 255);   /* header, SSRC, type */
    hear (size);
    g_assert_cmpint (m.cname[0] == '\0', ==, i > 0);
  }
}

/* Base64's alphabet (RFC 4648 4): six bits are a letter. */
static void
each_letter_of_a_name_is_base64s (void)
{
  for (guint32 v = 0; v < 64; v++) {
    const guint32 word = v | v << 6 | v << 12 | v << 18 | v << 24;
    const guint8 three[3] = { (guint8) (v << 2), 0, 0 };
    g_autofree gchar *expected = g_base64_encode (three, sizeof three);

    rcc_rtcp_source_init (&m, 7);
    rcc_rtcp_source_name (&m, (const guint32[3]) { word, word, word });
    for (guint i = 0; i < 15; i++)
      g_assert_cmpint (m.cname[i], ==, expected[0]);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rtcp-source/takes-over", takes_over_who_the_session_is);
  g_test_add_func ("/rtcp-source/alone", alone_it_has_a_name_of_its_own);
  g_test_add_func ("/rtcp-source/reduced-size", no_name_where_the_session_sends_none);
  g_test_add_func ("/rtcp-source/the-name-of-another", the_name_of_another_is_not_ours);
  g_test_add_func ("/rtcp-source/begins-as-much-as-fits", begins_as_much_as_fits);
  g_test_add_func ("/rtcp-source/hostile-rtcp", hostile_rtcp_passes_by);
  g_test_add_func ("/rtcp-source/a-name-beyond", a_name_beyond_its_packet_is_none);
  g_test_add_func ("/rtcp-source/letters", each_letter_of_a_name_is_base64s);
  return g_test_run ();
}
