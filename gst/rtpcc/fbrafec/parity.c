/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/fbrafec/parity.h"

#include "send/protect.h"

void
gst_rtp_cc_fbra_parity_init (GstRtpCcFbraParity * p, GstElement * element,
    GstRtpCcSend * send, GstRtpCcDriver * driver, guint8 pt)
{
  const RccSendParityConfig config = {.pt = pt };

  p->element = element;
  p->send = send;
  p->driver = driver;
  p->ssrc = (guint32) g_random_int_range (1, G_MAXINT32);
  send->fec = &p->pad;
  p->pad.element = element;
  p->parity = g_new (RccSendParity, 1);
  rcc_send_parity_init (p->parity, &config, g_realloc);
  p->parity->seq = (guint16) g_random_int ();
  rcc_send_protect (&send->path, p->parity);
}

void
gst_rtp_cc_fbra_parity_clear (GstRtpCcFbraParity * p)
{
  rcc_send_parity_clear (p->parity);
  g_free (p->parity);
}

void
gst_rtp_cc_fbra_parity_begin (GstRtpCcFbraParity * p,
    const GstRtpCcFbraSettings * s)
{
  const RccSendParityConfig config = {
    .pt = (guint8) s->pt,.flexfec = s->format == GST_RTP_FBRA_FLEXFEC,
    .apart = p->parity->config.apart,.at_marker = s->close_at_marker,
    .flush = gst_rtp_cc_fbra_settings_flush (s),
    .ssrc = s->protect_ssrc,.fec_ssrc = s->fec_ssrc ? s->fec_ssrc : p->ssrc
  };

  rcc_send_protect_configure (&p->send->path, &config);
  gst_rtp_cc_fec_pad_configure (&p->pad, config.pt, config.fec_ssrc,
      config.flexfec);
}

void
gst_rtp_cc_fbra_parity_check (GstRtpCcFbraParity * p, const GstCaps * caps)
{
  const guint fec = p->parity->config.pt;
  gint media = -1;

  gst_structure_get_int (gst_caps_get_structure (caps, 0), "payload", &media);
  if (media == (gint) fec)
    GST_ELEMENT_WARNING (p->element, STREAM, FORMAT,
        ("The media has payload type %u, too: set another fec-payload-type, "
            "until then it is sent without parity.", fec), (NULL));
}

/* --- its own stream ------------------------------------------------------- */

static void
set_apart (GstRtpCcFbraParity * p, gboolean apart)
{
  RccSendParityConfig config;

  gst_rtp_cc_driver_lock (p->driver);
  config = p->parity->config;
  config.apart = apart;
  rcc_send_protect_configure (&p->send->path, &config);
  gst_rtp_cc_driver_unlock (p->driver);
}

GstPad *
gst_rtp_cc_fbra_parity_request (GstRtpCcFbraParity * p, GstPadTemplate * templ)
{
  GstPad *pad = gst_rtp_cc_fec_pad_request (&p->pad, templ);

  if (pad)
    set_apart (p, TRUE);
  return pad;
}

void
gst_rtp_cc_fbra_parity_release (GstRtpCcFbraParity * p, GstPad * pad)
{
  set_apart (p, FALSE);
  gst_rtp_cc_fec_pad_release (&p->pad, pad);
}
