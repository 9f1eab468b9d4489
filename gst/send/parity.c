/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/parity.h"

#include <stddef.h>
#include <string.h>

#include "wire/flexfec.h"
#include "wire/ulpfec.h"

#define SILENT (5 * RCC_SEC)            /* the stream chosen has ended */
#define RESTART 100                     /* numbers that go back further begin anew (RFC 3550 A.1) */
#define ROUNDS 2
#define FILL_DEPTH 6                    /* a probe's packets (pacer.h), the media's not counted */
#define FILL_N (RCC_ULPFEC_SPAN_LONG / FILL_DEPTH / ROUNDS)

const RccField rcc_send_parity_fields[] = {
  RCC_FIELD (RccSendParity, packets, "fec-packets-sent", RCC_U64, ""),
  RCC_FIELD (RccSendParity, bytes, "fec-bytes-sent", RCC_U64, "B"),
  RCC_FIELD (RccSendParity, filled, "fec-probe-packets-sent", RCC_U64, ""),
  RCC_FIELD (RccSendParity, dropped_blocks, "fec-blocks-dropped", RCC_U64, ""),
  RCC_FIELD (RccSendParity, dropped, "fec-packets-dropped", RCC_U64, ""),
  RCC_FIELD (RccSendParity, unprotected, "packets-unprotected", RCC_U64, ""),
  RCC_FIELD (RccSendParity, renumbered, "packets-renumbered", RCC_U64, ""),
  RCC_FIELD (RccSendParity, fits, "fec-interleave", RCC_U32, ""),
  RCC_FIELDS_END,
};

/* --- what is begun -------------------------------------------------------- */

static bool
waits_for_marker (const RccSendParity *p)
{
  return p->config.at_marker && !p->config.apart;
}

static RccInterleave *
begun (RccSendParity *p)
{
  return &p->rounds[p->at];
}

static RccInterleave *
complete (RccSendParity *p)
{
  return &p->rounds[!p->at];
}

/* Blocks are begun for probes alone. */
static bool
is_for_probes (const RccSendParity *p)
{
  return p->n == 0 && p->config.fills_probes;
}

/* Packets that wait for the marker, or for a probe, may be joined by as many again.  A mask must
 * have room for them. */
static void
set_rounds (RccSendParity *p)
{
  const bool probes = is_for_probes (p), twice = probes || waits_for_marker (p);
  const unsigned every = probes ? FILL_N : p->n;
  const unsigned n = twice ? RCC_MIN (every, RCC_ULPFEC_SPAN_LONG / 2) : every;
  const unsigned depth = rcc_interleave_fit (probes ? FILL_DEPTH : p->depth,
      twice ? 2 * n : n, p->rounds[0].span);

  for (unsigned i = 0; i < ROUNDS; i++)
    rcc_interleave_set (&p->rounds[i], n, depth);
  p->fits = p->n > 0 ? depth : 0;
}

static void
begin_rounds (RccSendParity *p)
{
  const unsigned span = p->config.flexfec ? RCC_FLEXFEC_SPAN_LONGEST : RCC_ULPFEC_SPAN_LONG;

  for (unsigned i = 0; i < ROUNDS; i++) {
    rcc_interleave_clear (&p->rounds[i]);
    rcc_interleave_init (&p->rounds[i], span, p->resize);
  }
  set_rounds (p);
}

static void
drop_blocks (RccSendParity *p)
{
  for (unsigned i = 0; i < ROUNDS; i++) {
    p->dropped_blocks += rcc_interleave_begun (&p->rounds[i]);
    rcc_interleave_drop (&p->rounds[i]);
  }
}

void
rcc_send_parity_drop (RccSendParity *p)
{
  drop_blocks (p);
  p->dropped += p->n_held;
  p->n_held = p->n_due = 0;
  p->wanted = p->fills = false;
}

void
rcc_send_parity_configure (RccSendParity *p, const RccSendParityConfig *config)
{
  rcc_send_parity_drop (p);
  p->config = *config;
  begin_rounds (p);
}

void
rcc_send_parity_restart (RccSendParity *p)
{
  rcc_send_parity_set (p, 0, 1);
  rcc_send_parity_drop (p);
  p->packets = p->bytes = p->filled = 0;
  p->dropped_blocks = p->dropped = p->unprotected = p->renumbered = 0;
}

void
rcc_send_parity_forget (RccSendParity *p)
{
  rcc_send_parity_restart (p);
  p->announced = p->chosen = p->current = 0;
  p->chosen_at = RCC_NEVER;
  p->newest = 0;
  p->extends = false;
  p->ext_size = 0;
}

void
rcc_send_parity_init (RccSendParity *p, const RccSendParityConfig *config, RccResize resize)
{
  *p = (RccSendParity) { .config = *config, .resize = resize };
  begin_rounds (p);
  rcc_send_parity_forget (p);
}

void
rcc_send_parity_clear (RccSendParity *p)
{
  for (unsigned i = 0; i < ROUNDS; i++)
    rcc_interleave_clear (&p->rounds[i]);
  rcc_release (p->resize, p->held);
  p->held = NULL;
  p->held_room = p->n_held = p->n_due = 0;
}

void
rcc_send_parity_announce (RccSendParity *p, uint32_t ssrc, bool extends)
{
  p->announced = ssrc;
  p->extends = extends;
}

/* --- blocks that are complete --------------------------------------------- */

/* Takes the header extension of the packet before, as padding does.  Parity without
 * abs-send-time or a transport-wide number of its own would not be measured. */
static void
note_extension (RccSendParity *p, const RccRtp *rtp, RccBytes bytes, bool copies)
{
  const size_t csrcs = 4u * rtp->csrc_count, fixed = RCC_RTP_HEADER_MIN + csrcs;
  const size_t size = rtp->header_size - fixed;

  p->ext_size = 0;
  if (rtp->ext_profile == 0 || size > sizeof p->ext || !copies || !p->extends
      || p->config.flexfec)
    return;
  memcpy (p->ext, bytes.data + fixed, size);
  p->ext_size = (uint32_t) size;
  p->send_time_at = (uint16_t) (p->send_time_at ? p->send_time_at - csrcs : 0);
  p->transport_at = (uint16_t) (p->transport_at ? p->transport_at - csrcs : 0);
}

static uint32_t
room_of (const RccSendParity *p, const RccParityBlock *block)
{
  return (uint32_t) (RCC_RTP_HEADER_MIN + p->ext_size + RCC_FLEXFEC_HEADER_MAX + block->size);
}

/* The ring's first part moves behind its second. */
static void
make_room (RccSendParity *p)
{
  const unsigned before = p->held_room;

  if (p->n_held < before)
    return;
  p->held_room = before > 0 ? 2 * before : 2;
  p->held = p->resize (p->held, p->held_room * sizeof *p->held);
  memcpy (p->held + before, p->held, p->first * sizeof *p->held);
}

static void
hold (RccSendParity *p, const RccParityBlock *block, const RccRtp *last)
{
  RccSendParityHeld *held;

  if (p->n_held == RCC_SEND_PARITY_HELD || (p->config.flexfec && !p->config.apart)) {
    p->dropped++;
    return;
  }
  make_room (p);
  held = &p->held[(p->first + p->n_held) % p->held_room];
  memcpy (&held->block, block, offsetof (RccParityBlock, body) + block->size);
  held->timestamp = last->timestamp;
  held->size = room_of (p, block);
  p->n_held++;
}

static void
close_due (RccSendParity *p, RccInterleave *round, const RccRtp *last)
{
  RccParityBlock *block;

  while ((block = rcc_interleave_due (round)) != NULL) {
    hold (p, block, last);
    rcc_interleave_written (round, block);
  }
}

static void
close_all (RccSendParity *p, RccInterleave *round, const RccRtp *last)
{
  rcc_interleave_end (round);
  close_due (p, round, last);
}

/* Complete blocks wait for the marker beside the next ones.  What is left over there joins
 * them. */
static void
close_at_marker (RccSendParity *p, const RccRtp *last)
{
  const bool due = rcc_interleave_due (begun (p)) != NULL;

  if (!last->marker && due) {
    close_all (p, complete (p), last);
    p->at = !p->at;
  } else if (last->marker && (due || p->n_held > 0
          || rcc_interleave_begun (complete (p)) > 0)) {
    if (!due)
      rcc_interleave_merge (complete (p), begun (p));
    close_all (p, complete (p), last);
    close_all (p, begun (p), last);
  }
}

/* A block of fewer packets than the interval says.  Who repairs sees no difference. */
static void
flush_blocks (RccSendParity *p)
{
  const RccRtp last = { .timestamp = p->timestamp };

  close_all (p, complete (p), &last);
  close_all (p, begun (p), &last);
}

void
rcc_send_parity_set (RccSendParity *p, uint32_t n, uint32_t depth)
{
  if (n == 0 && p->n > 0 && p->config.flush)
    flush_blocks (p);
  if ((n == 0) != (p->n == 0))
    drop_blocks (p);
  p->n = n;
  p->depth = depth;
  set_rounds (p);
}

/* --- in probes ------------------------------------------------------------ */

/* The older half makes room. */
static void
age (RccSendParity *p)
{
  rcc_interleave_drop (complete (p));
  p->at = !p->at;
}

/* Both halves as one where they fit below the masks, else the newer one first. */
bool
rcc_send_parity_fill (RccSendParity *p)
{
  const RccRtp last = { .timestamp = p->timestamp };
  RccParityBlock *block = NULL;

  if (!is_for_probes (p) || p->n_held > 0)
    return false;
  rcc_interleave_merge (complete (p), begun (p));
  for (unsigned i = 0; i < ROUNDS && !block; i++) {
    RccInterleave *round = i == 0 ? begun (p) : complete (p);

    rcc_interleave_end (round);
    if ((block = rcc_interleave_due (round)) != NULL) {
      hold (p, block, &last);
      rcc_interleave_written (round, block);
    }
  }
  p->n_due = p->n_held;
  p->fills = p->n_due > 0;
  return p->fills;
}

/* --- what leaves ---------------------------------------------------------- */

static bool
is_newer (uint16_t *last, uint16_t seq)
{
  const int16_t by = (int16_t) (seq - *last);

  if (by <= 0 && by >= -RESTART)
    return false;
  *last = seq;
  return true;
}

static bool
is_protected (RccSendParity *p, const RccSendPacket *packet, RccTime now)
{
  const uint32_t said = p->config.ssrc != 0 ? p->config.ssrc : p->announced;

  if (packet->pt == p->config.pt || packet->retransmission || packet->parity)
    return false;
  if (said != 0)
    return packet->ssrc == said;
  if (p->chosen_at == RCC_NEVER || now > p->chosen_at + SILENT)
    p->chosen = packet->ssrc;
  if (packet->ssrc != p->chosen)
    return false;
  p->chosen_at = now;
  return true;
}

static void
release (RccSendParity *p, bool marker)
{
  if (marker || !waits_for_marker (p))
    p->n_due = p->n_held;
}

bool
rcc_send_parity_departs (RccSendParity *p, const RccSendPacket *packet, const RccSendOut *out,
    RccTime now)
{
  p->wanted = false;
  p->renumbered += out->renumbered;
  if (!is_protected (p, packet, now)) {
    p->unprotected += p->n > 0;
    return false;
  }
  if (p->current != packet->ssrc) {
    rcc_send_parity_drop (p);
    p->current = packet->ssrc;
    p->newest = (uint16_t) (out->seq - 1);
  }
  p->wanted = is_newer (&p->newest, out->seq) && (p->n > 0 || p->config.fills_probes)
      && packet->size <= RCC_PARITY_PACKET_MAX;
  if (!p->wanted) {
    p->unprotected += p->n > 0;
    release (p, packet->marker);
    return false;
  }
  p->seq_wanted = out->seq;
  p->send_time_at = out->send_time_at;
  p->transport_at = out->transport_at;
  return true;
}

static void
end_begun (RccSendParity *p, const RccRtp *last)
{
  if (is_for_probes (p))
    age (p);
  else
    close_all (p, begun (p), last);
}

void
rcc_send_parity_add (RccSendParity *p, const RccBytes *parts, unsigned n, bool copies)
{
  RccRtp rtp;

  if (!p->wanted)
    return;
  p->wanted = false;
  if (n == 0 || !rcc_rtp_parse (parts[0], &rtp) || rtp.ssrc != p->current) {
    p->unprotected++;
    return;
  }
  rtp.seq = p->seq_wanted;
  p->timestamp = rtp.timestamp;
  if (!rcc_interleave_add (begun (p), &rtp, parts, n)) {
    end_begun (p, &rtp);                /* the numbers have jumped */
    if (!rcc_interleave_add (begun (p), &rtp, parts, n))
      p->unprotected++;
  }
  note_extension (p, &rtp, parts[0], copies);
  if (is_for_probes (p)) {
    if (rcc_interleave_due (begun (p)))
      age (p);
    return;
  }
  if (waits_for_marker (p))
    close_at_marker (p, &rtp);
  else
    close_due (p, begun (p), &rtp);
  release (p, rtp.marker);
}

/* --- parity packets ------------------------------------------------------- */

uint32_t
rcc_send_parity_room (const RccSendParity *p)
{
  return p->n_due > 0 ? room_of (p, &p->held[p->first].block) : 0;
}

/* 0: @size is too small, or the block cannot be written down, which its span rules out. */
static size_t
write_ulpfec (const RccSendParity *p, const RccParityBlock *block, const RccRtp *rtp,
    uint8_t *out, size_t size)
{
  size_t header = rcc_rtp_build (out, size, rtp, NULL, 0), payload;

  if (header == 0 || size < header + p->ext_size)
    return 0;
  if (p->ext_size > 0) {
    out[0] |= 0x10;                     /* X */
    memcpy (out + header, p->ext, p->ext_size);
    header += p->ext_size;
  }
  payload = rcc_ulpfec_build (out + header, size - header, block);
  return payload > 0 ? header + payload : 0;
}

uint32_t
rcc_send_parity_write (RccSendParity *p, uint8_t *out, size_t size)
{
  const RccSendParityHeld *held;
  size_t written;
  RccRtp rtp;

  if (p->n_due == 0)
    return 0;
  held = &p->held[p->first];
  rtp = (RccRtp) { .pt = p->config.pt, .timestamp = held->timestamp,
    .ssrc = p->config.apart ? p->config.fec_ssrc : held->block.ssrc };
  if (p->config.flexfec)
    written = rcc_flexfec_build (out, size, &rtp, &held->block);
  else
    written = write_ulpfec (p, &held->block, &rtp, out, size);
  p->first = (p->first + 1) % p->held_room;
  p->n_held--;
  p->n_due--;
  p->filled += p->fills && written > 0;
  p->fills = false;
  if (written == 0)
    p->dropped++;
  return (uint32_t) written;
}
