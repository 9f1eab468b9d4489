/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpcircuitbreaker and rtpsession's transport-wide feedback, before the session and behind it. */
#include "breaker-rig.h"

/* Between the sender and the breaker. */
static GstElement *
put_session_before (Cb *cb)
{
  GstElement *session = gst_object_ref_sink (gst_element_factory_make ("rtpsession", NULL));
  GstPad *end = gst_pad_get_peer (cb->h->srcpad);
  GstPad *sink = gst_element_request_pad_simple (session, "send_rtp_sink");
  GstPad *src = gst_element_get_static_pad (session, "send_rtp_src");

  gst_pad_unlink (cb->h->srcpad, end);
  gst_element_set_state (session, GST_STATE_PLAYING);
  fail_unless_equals_int (gst_pad_link (cb->h->srcpad, sink), GST_PAD_LINK_OK);
  fail_unless_equals_int (gst_pad_link (src, end), GST_PAD_LINK_OK);
  gst_object_unref (src);
  gst_object_unref (sink);
  gst_object_unref (end);
  return session;
}

static void
take_session_away (Cb *cb, GstElement *session)
{
  GstPad *sink = gst_element_get_static_pad (session, "send_rtp_sink");
  GstPad *end = gst_element_get_static_pad (cb->e, "sink");
  GstPad *src = gst_pad_get_peer (end);

  gst_element_set_state (session, GST_STATE_NULL);
  gst_pad_unlink (cb->h->srcpad, sink);
  gst_pad_unlink (src, end);
  gst_pad_link (cb->h->srcpad, end);
  gst_object_unref (src);
  gst_object_unref (end);
  gst_object_unref (sink);
  gst_object_unref (session);
}

/* @session: that which the breaker stands behind, and which sends the event past it. */
static void
tell_twcc (Cb *cb, GstElement *session, const TwccTold *told, guint n)
{
  GstPad *pad = session ? gst_element_get_static_pad (session, "send_rtp_sink") : NULL;

  if (pad)
    gst_pad_push_event (pad, twcc_event (told, n));
  else
    push_twcc_event (cb->h, cb->clock, told, n);
  gst_clear_object (&pad);
}

/* RFC 8083 5: feedback per packet is a sign of life; losses alone are none, nor is a list with a
 * number that the session did not send. The same where the breaker stands behind the session. */
TEST (test_transport_wide_feedback_is_heard)
{
  static const struct {
    gboolean behind, arrived, guessed;
    const gchar *state;
  } cases[] = { {FALSE, TRUE, FALSE, "closed"}, {FALSE, FALSE, FALSE, "open"},
      {FALSE, TRUE, TRUE, "open"}, {TRUE, TRUE, FALSE, "closed"}, {TRUE, TRUE, TRUE, "open"} };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Cb *cb = cb_new (NULL);
    GstElement *session = cases[i].behind ? put_session_before (cb) : NULL;

    for (guint second = 0; second < 20; second++) {
      TwccTold told[2] = { {second, CB_SIZE, 96, cb_now (cb), GST_CLOCK_TIME_NONE},
        {second + 1, CB_SIZE, 96, cb_now (cb), GST_CLOCK_TIME_NONE} };

      cb_stream (cb, GST_SECOND);
      if (cases[i].arrived)
        told[0].arrived = told[1].arrived = cb_now (cb);
      if (cases[i].guessed)
        told[1].sent = GST_CLOCK_TIME_NONE;
      tell_twcc (cb, session, told, 2);
    }
    cb_expect (cb, cases[i].state);
    if (session)
      take_session_away (cb, session);
    cb_free (cb);
  }
}

TEST_MAIN (rtpcircuitbreaker_twcc);
