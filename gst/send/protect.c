/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/protect.h"

#include "send/private.h"

/* The pacer counts what waits for it. */
void
rcc_send_count_parity (RccSend *s, RccTime now)
{
  const RccSendParity *p = s->parity;

  for (; s->parity_counted.packets > 0; s->parity_counted.packets--) {
    rcc_pacer_removed (&s->pacer, s->parity_counted.bytes);
    s->parity_counted.bytes = 0;
  }
  if (!p || s->config.parity_at_once)
    return;
  for (unsigned i = 0; i < p->n_due; i++) {
    const uint32_t size = p->held[(p->first + i) % p->held_room].size;

    rcc_pacer_queued (&s->pacer, size, now);
    s->parity_counted.packets++;
    s->parity_counted.bytes += size;
  }
}

void
rcc_send_protect (RccSend *s, RccSendParity *parity)
{
  s->parity = parity;
}

void
rcc_send_protect_configure (RccSend *s, const RccSendParityConfig *config)
{
  rcc_send_parity_configure (s->parity, config);
  rcc_send_count_parity (s, s->pacer.updated);
}

void
rcc_send_protect_drop (RccSend *s)
{
  if (!s->parity)
    return;
  rcc_send_parity_drop (s->parity);
  rcc_send_count_parity (s, s->pacer.updated);
}

/* Numbers that somebody before us has given to the transport-wide extension cannot be made
 * up here. */
static bool
copies_numbers (const RccSend *s)
{
  return s->config.numbers_transport || !s->transport.moves || s->transport.session;
}

void
rcc_send_show (RccSend *s, const RccBytes *parts, unsigned n, RccTime now)
{
  const unsigned due = s->parity->n_due;

  rcc_send_parity_add (s->parity, parts, n, copies_numbers (s));
  if (s->parity->n_due != due)
    rcc_send_count_parity (s, now);
}

bool
rcc_send_fills_probe (RccSend *s)
{
  return s->parity && copies_numbers (s) && rcc_send_parity_fill (s->parity);
}

bool
rcc_send_parity_passes (RccSend *s, RccTime now)
{
  RccTime when;

  return rcc_send_parity_due (s) && rcc_send_parity_may_leave (s, now, &when);
}

/* Among the media it is a packet of their stream, which goes on behind it. */
static bool
number (RccSend *s, uint16_t *seq)
{
  RccSendParity *p = s->parity;
  RccSendStream *stream;

  if (p->config.apart) {
    *seq = ++p->seq;
    return true;
  }
  stream = rcc_ssrcs_find (&s->streams, p->current);
  if (!stream)
    return false;
  *seq = rcc_seq_rewrite_insert (&stream->seq_rewrite, false);
  s->writes = true;
  return true;
}

bool
rcc_send_parity (RccSend *s, uint8_t *bytes, size_t size, uint8_t flags, RccTime now,
    RccSendOut *out)
{
  RccSendParity *p = s->parity;
  const bool fills = p->fills;
  RccSendPacket header = { .transport = -1 };
  int transport;
  RccRtp rtp;

  *out = (RccSendOut) { .size = rcc_send_parity_write (p, bytes, size) };
  rcc_send_count_parity (s, now);
  if (out->size == 0 || !number (s, &out->seq))
    return false;
  rcc_put16 (bytes + 2, out->seq);
  header.send_time_at = p->ext_size > 0 ? p->send_time_at : 0;
  header.transport_at = p->ext_size > 0 ? p->transport_at : 0;
  transport = rcc_send_note_header (s, &header, now, out);
  rcc_send_out_write (out, bytes, out->size);
  rcc_rtp_parse ((RccBytes) { bytes, out->size }, &rtp);
  if (s->paced && (fills || !s->config.parity_at_once))
    out->sent.probe = rcc_pacer_sent (&s->pacer, rcc_send_cost (s, out->size), now);
  out->sent.flags |= flags;
  p->packets++;
  p->bytes += out->size;
  rcc_send_tell_sent (s, &rtp, out->size, transport, now, out);
  return true;
}
