/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawpage.h"
#include "peers.h"

#define LATENCY_UNSET G_MININT
/* ms; the longer one lets a packet be sent again over a round trip of 150 ms, of which the
 * queues on its way are a part. */
#define LATENCY 200
#define LATENCY_RTX 300
#define LATENCY_MOST 1000

/* As GOption leaves it, before anything is checked. */
typedef struct {
  gboolean breaker_given;
  gchar *send, *receive, *call, *listen, *input, *cc, *profile, *feedback, *link, *report, *breaker;
  gchar *scheduler, *repair, *reference;
  gchar *min, *start, *max, *video, *resolution, *duration;
  gint fps, gop, latency, protection, interleave, skew;
  gboolean probe_protection, no_audio, csv, json, quiet, show, stamp, no_page, version;
} Raw;

GQuark
call_error_quark (void)
{
  return g_quark_from_static_string ("rtpcall");
}

gboolean
call_fail (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error && !*error)
    *error = g_error_new_valist (CALL_ERROR, 0, format, args);
  va_end (args);
  return FALSE;
}

/* "500k", "2.5M", "250000". */
static gboolean
parse_bitrate (const char *option, const char *text, guint *bps, GError **error)
{
  char *end;
  double value = g_ascii_strtod (text, &end);

  if (end != text && (*end == 'k' || *end == 'K'))
    value *= 1e3, end++;
  else if (end != text && *end == 'M')
    value *= 1e6, end++;
  if (end == text || *end || !(value >= 1000 && value <= 1e9))
    return call_fail (error, "%s takes a bitrate from 1k to 1000M, such as 500k or "
        "2.5M, not \"%s\"", option, text);
  *bps = (guint) lround (value);
  return TRUE;
}

static gboolean
parse_port (const char *option, const char *text, guint *port, GError **error)
{
  guint64 value;

  /* RTCP takes the port after it. */
  if (!g_ascii_string_to_unsigned (text, 10, 1, 65534, &value, NULL))
    return call_fail (error, "%s takes a port from 1 to 65534, not \"%s\"", option, text);
  *port = (guint) value;
  return TRUE;
}

static gboolean
parse_peer (const char *option, const char *text, CallOptions *o, GError **error)
{
  const char *colon = strrchr (text, ':');

  o->mode = CALL_SEND;
  if (!colon || colon == text)
    return call_fail (error, "%s takes HOST:PORT, not \"%s\"", option, text);
  o->host = g_strndup (text, colon - text);
  if (o->host[0] == '[' && g_str_has_suffix (o->host, "]")) {
    memmove (o->host, o->host + 1, strlen (o->host));
    o->host[strlen (o->host) - 1] = '\0';
  }
  return parse_port (option, colon + 1, &o->port, error);
}

static gboolean
parse_call (const Raw *raw, CallOptions *o, GError **error)
{
  if (raw->csv)
    return call_fail (error, "--csv is for one direction: leave it away with --call, "
        "--report writes the samples of both");
  if (!parse_peer ("--call", raw->call, o, error))
    return FALSE;
  o->listen = o->port;
  return !raw->listen || parse_port ("--listen", raw->listen, &o->listen, error);
}

static gboolean
parse_mode (const Raw *raw, CallOptions *o, GError **error)
{
  const gboolean apart = raw->send || raw->receive || raw->call;

  if ((raw->send != NULL) + (raw->receive != NULL) + (raw->call != NULL) > 1)
    return call_fail (error, "--send, --receive and --call exclude each other; without them, "
        "the two ends are in one process");
  if (raw->link && apart)
    return call_fail (error, "--link needs both ends in one process: leave --send, --receive "
        "and --call away");
  if (raw->csv && raw->json)
    return call_fail (error, "--csv and --json both print to the standard output: leave one away");
  if (raw->listen && !raw->call)
    return call_fail (error, "--listen belongs to --call HOST:PORT");
  if (raw->receive) {
    o->mode = CALL_RECEIVE;
    return parse_port ("--receive", raw->receive, &o->port, error);
  }
  if (raw->call)
    return parse_call (raw, o, error);
  return !raw->send || parse_peer ("--send", raw->send, o, error);
}

static gboolean
parse_choice (const char *option, const char *value, const char *const *choices,
    guint *index, GError **error)
{
  g_autofree char *list = NULL;

  for (*index = 0; choices[*index]; (*index)++)
    if (!strcmp (value, choices[*index]))
      return TRUE;
  list = g_strjoinv (", ", (char **) choices);
  return call_fail (error, "%s takes one of %s, not \"%s\"", option, list, value);
}

/* The controllers that are not rtpccsender's, with the profiles of their elements; what it is
 * unless told otherwise first. */
static const struct {
  const char *name;
  CallElement element;
  const char *profiles[3], *profile;    /* to choose from; or the one */
} homes[] = {
  { "gcc", CALL_GCC_SENDER, { "default", "paper" } },
  { "gcc-paper", CALL_GCC_SENDER, { NULL }, "paper" },
  { "rrtcc", CALL_GCC_SENDER, { NULL }, "rrtcc" },
  { "fbra", CALL_FBRA_FEC, { "paper", "plus" } },
  { "cnadu", CALL_FBRA_FEC, { NULL } },
  { "tfrc", CALL_MUX, { NULL } },
  { CALL_PEER_ESTIMATORS, CALL_PEER, { "kalman", "linear-regression" } },
  { "none", CALL_NOTHING, { NULL } },
};

static gboolean
parse_feedback (const Raw *raw, CallOptions *o, GError **error)
{
  static const char *const names[] = { "remb", "tmmbr", "twcc", "ccfb", "xr", NULL };
  const char *const *allowed = o->cc->feedbacks;
  const char *wanted = raw->feedback ? raw->feedback : allowed[0];
  guint feedback;

  if (!wanted)
    return TRUE;
  if (!parse_choice ("--feedback", wanted, names, &feedback, error))
    return FALSE;
  if (o->element == CALL_NOTHING)
    return TRUE;
  if (!allowed[0])
    return call_fail (error, "--cc %s goes by receiver reports alone: leave out --feedback",
        o->cc->name);
  if (!g_strv_contains (allowed, wanted)) {
    g_autofree char *list = g_strjoinv (" or ", (char **) allowed);

    return call_fail (error, "--cc %s needs --feedback %s, not %s", o->cc->name, list, wanted);
  }
  o->feedback = feedback;
  o->feedback_name = names[feedback];
  return TRUE;
}

static gboolean
parse_limits (const Raw *raw, CallOptions *o, GError **error)
{
  if ((raw->min && !parse_bitrate ("--min-bitrate", raw->min, &o->min_bps, error))
      || (raw->start && !parse_bitrate ("--start-bitrate", raw->start, &o->start_bps, error))
      || (raw->max && !parse_bitrate ("--max-bitrate", raw->max, &o->max_bps, error)))
    return FALSE;
  if (o->min_bps > o->max_bps)
    return call_fail (error, "--min-bitrate (%u) is above --max-bitrate (%u)",
        o->min_bps, o->max_bps);
  if (o->start_bps < o->min_bps || o->start_bps > o->max_bps)
    return call_fail (error, "--start-bitrate (%u) is not between --min-bitrate (%u) and "
        "--max-bitrate (%u)", o->start_bps, o->min_bps, o->max_bps);
  return TRUE;
}

static gboolean
parse_profile (const Raw *raw, CallOptions *o, GError **error)
{
  static const char *const none[] = { NULL };
  const char *const *profiles = none;
  const char *only = NULL;
  guint profile;

  for (guint i = 0; i < G_N_ELEMENTS (homes); i++)
    if (!strcmp (homes[i].name, o->cc->name)) {
      profiles = homes[i].profiles;
      only = homes[i].profile;
    }
  if (raw->profile && !profiles[0])
    return call_fail (error, "--profile is for --cc gcc, fbra or " CALL_PEER_ESTIMATORS
        ": leave it away with --cc %s", o->cc->name);
  if (raw->profile && o->element != CALL_GCC_SENDER && o->mode == CALL_RECEIVE)
    return call_fail (error, "--profile of --cc %s is for the end that sends: leave it away "
        "with --receive", o->cc->name);
  if (profiles[0] && !parse_choice ("--profile", raw->profile ? raw->profile : profiles[0],
          profiles, &profile, error))
    return FALSE;
  if (o->element == CALL_GCC_SENDER)
    o->profile = profiles[0] ? profiles[profile] : only;
  else if (profiles[0])
    o->variant = profiles[profile];
  return TRUE;
}

static gboolean
parse_control (const Raw *raw, CallOptions *o, GError **error)
{
  const char *name = raw->cc ? raw->cc : "gcc";
  const CallPeer *peer = call_peer_find (name);
  char names[256];

  o->element = peer ? CALL_PEER : CALL_SENDER;
  o->cc = peer ? &peer->row : rcc_registry_find (name);
  if (!o->cc) {
    rcc_registry_names (names, sizeof names);
    return call_fail (error, "--cc takes one of %s, " CALL_PEER_NAMES ", not \"%s\"", names,
        name);
  }
  for (guint i = 0; i < G_N_ELEMENTS (homes); i++)
    if (!strcmp (homes[i].name, name))
      o->element = homes[i].element;
  return parse_profile (raw, o, error) && parse_feedback (raw, o, error)
      && parse_limits (raw, o, error);
}

static gboolean
parse_breaker (const Raw *raw, CallOptions *o, GError **error)
{
  static const char *const models[] = { "mathis", "padhye", "off", NULL };
  guint model;

  if (raw->breaker_given && o->mode == CALL_RECEIVE)
    return call_fail (error, "--breaker is for the end that sends: leave it away with "
        "--receive");
  if (!parse_choice ("--breaker", raw->breaker ? raw->breaker : "mathis", models, &model,
          error))
    return FALSE;
  o->breaker = model < 2 && o->mode != CALL_RECEIVE ? models[model] : NULL;
  return TRUE;
}

static gboolean
parse_scheduler (const Raw *raw, CallOptions *o, GError **error)
{
  static const char *const modes[] = { "fifo", "sbpn1", "sbpn2", "sbpn3", "weighted", NULL };
  guint mode;

  if (raw->scheduler && o->mode == CALL_RECEIVE)
    return call_fail (error, "--scheduler is for the end that sends: leave it away with "
        "--receive");
  if (!parse_choice ("--scheduler", raw->scheduler ? raw->scheduler : "sbpn2", modes, &mode,
          error))
    return FALSE;
  o->scheduler = o->mode != CALL_RECEIVE ? modes[mode] : NULL;
  return !raw->video || parse_bitrate ("--video-bitrate", raw->video, &o->video_bps, error);
}

static gboolean
parse_repair (const Raw *raw, CallOptions *o, GError **error)
{
  static const char *const ways[] = { "auto", "rtx", "off", NULL };
  guint way;

  if (!parse_choice ("--repair", raw->repair ? raw->repair : "auto", ways, &way, error))
    return FALSE;
  /* without a target nothing bounds what is sent again (RFC 4588 7) */
  if (o->element == CALL_NOTHING && way == 0)
    way = 2;
  o->repair = ways[way];
  o->rtx = way < 2;
  o->parity = way == 0 && o->element == CALL_GCC_SENDER;
  o->probe_protection = raw->probe_protection;
  if (raw->probe_protection && (!o->parity || o->mode == CALL_RECEIVE))
    return call_fail (error, "--probe-protection is for the end that sends, with --cc gcc or "
        "rrtcc and --repair auto: leave it away");
  return TRUE;
}

static gboolean
parse_protection (const Raw *raw, CallOptions *o, GError **error)
{
  const gboolean given = raw->protection != 0 || raw->interleave != 1;

  if (given && (o->mode == CALL_RECEIVE || o->element != CALL_FBRA_FEC))
    return call_fail (error, "--fec-protection and --fec-interleave are for the end that "
        "sends, with --cc fbra or cnadu: leave them away");
  if (raw->protection < 0 || raw->protection > 48)
    return call_fail (error, "--fec-protection takes 0 to 48 packets, not %d",
        raw->protection);
  if (raw->interleave < 1 || raw->interleave > 16)
    return call_fail (error, "--fec-interleave takes 1 to 16 blocks, not %d",
        raw->interleave);
  if (raw->interleave > 1 && raw->protection == 0)
    return call_fail (error, "--fec-interleave needs --fec-protection: say how many packets "
        "share a parity packet");
  o->fec_protection = (guint) raw->protection;
  o->fec_interleave = (guint) raw->interleave;
  return TRUE;
}

static gboolean
parse_picture (const Raw *raw, CallOptions *o, GError **error)
{
  if (raw->resolution) {
    char rest;

    if (sscanf (raw->resolution, "%dx%d%c", &o->width, &o->height, &rest) != 2
        || o->width < 80 || o->height < 64 || o->width > 7680 || o->height > 4320
        || o->width % 2 || o->height % 2)
      return call_fail (error, "--resolution takes WIDTHxHEIGHT in even numbers from "
          "80x64 to 7680x4320, not \"%s\"", raw->resolution);
  }
  if (o->fps < 1 || o->fps > 120)
    return call_fail (error, "--fps takes 1 to 120, not %d", o->fps);
  if (raw->gop && o->mode == CALL_RECEIVE)
    return call_fail (error, "--gop is for the end that sends: leave it away with --receive");
  if (raw->gop < 0 || raw->gop > 100000)
    return call_fail (error, "--gop takes 0 to 100000 frames, not %d", raw->gop);
  return TRUE;
}

static gboolean
check_film (const char *name, GError **error)
{
  if (g_file_test (name, G_FILE_TEST_IS_DIR))
    return call_fail (error, "%s is a directory, not a film", name);
  if (!g_file_test (name, G_FILE_TEST_EXISTS))
    return call_fail (error, "cannot open %s: there is no such file", name);
  return TRUE;
}

/* In one process PSNR is measured anyway. */
static gboolean
parse_measure (const Raw *raw, CallOptions *o, GError **error)
{
  if (raw->stamp && o->mode != CALL_SEND)
    return call_fail (error, "--stamp is for --send or --call: leave it away");
  if (raw->no_page && !raw->report)
    return call_fail (error, "--no-page is for --report DIR: leave it away");
  if (!raw->reference)
    return TRUE;
  if (o->mode != CALL_RECEIVE && !raw->call)
    return call_fail (error, "--reference is for --receive or --call: leave it away");
  if (!strcmp (raw->reference, "camera"))
    return call_fail (error, "--reference takes what both ends can play: a film, or test");
  return !strcmp (raw->reference, "test") || check_film (raw->reference, error);
}

static gboolean
parse_rest (const Raw *raw, CallOptions *o, GError **error)
{
  if (raw->skew && o->mode == CALL_BOTH)
    return call_fail (error, "--clock-skew needs two ends: use it with --send, --receive or "
        "--call");
  if (ABS (raw->skew) > 100000)
    return call_fail (error, "--clock-skew takes -100000 to 100000 ppm, not %d", raw->skew);
  if (raw->duration) {
    char *end;

    o->duration = g_ascii_strtod (raw->duration, &end);
    if (end == raw->duration || (*end && strcmp (end, "s"))
        || !(o->duration > 0 && o->duration <= 1e6))
      return call_fail (error, "--duration takes seconds above 0, not \"%s\"",
          raw->duration);
  }
  if (o->latency_ms == LATENCY_UNSET) {
    o->latency_ms = o->rtx ? LATENCY_RTX : LATENCY;
    o->latency_most_ms = o->rtx ? LATENCY_MOST : LATENCY;
  }
  o->latency_most_ms = MAX (o->latency_most_ms, o->latency_ms);
  if (o->latency_ms < 0 || o->latency_ms > 10000)
    return call_fail (error, "--jitterbuffer-latency takes 0 to 10000 ms, not %d",
        o->latency_ms);
  if (!strcmp (o->input, "test") || !strcmp (o->input, "camera")
      || o->mode == CALL_RECEIVE)
    return TRUE;
  return check_film (o->input, error);
}

static const char summary[] =
    "A video call whose bitrate follows the network.  Both ends run in this process over\n"
    "a simulated link, unless one of them is told to be elsewhere:\n"
    "  one machine:    rtpcall --link rfc8867-5.1-60s --duration 60 --report out\n"
    "  two machines:   rtpcall --receive 5004 --show      and, on the other one,\n"
    "                  rtpcall --send THE-FIRST-ONE:5004 --input camera\n"
    "  both ways:      rtpcall --call THE-OTHER-ONE:5004 --input camera --show   on each";
static const char description[] =
    "SCENARIO is a file or a built-in name: rfc8867-5.1, rfc8867-5.1-60s, rfc8867-5.2,\n"
    "rfc8867-5.3, outage, constant:RATE; its format is described with the element linksim.\n"
    "\n"
    "Over UDP the receiving machine must be reachable on PORT (RTP) and PORT+1 (RTCP).\n"
    "Its feedback goes back to where the sender's RTCP comes from, so the sender may be\n"
    "behind a NAT.  Give both ends the same --feedback.  Nothing is encrypted.\n"
    "\n"
    "What harms the network, or arrives nowhere, is stopped by a circuit breaker.  It says so;\n"
    "with --send the call ends when nothing may be sent any more, else it goes on to its end.\n"
    "\n"
    "Exit status: 0, or 1 after an error, 2 where an option is wrong, or 3 when the circuit breaker\n"
    "stopped something.";

/* --breaker alone is the same as none at all. */
static gboolean
on_breaker (const gchar *name, const gchar *value, gpointer data, GError **error)
{
  Raw *raw = data;

  raw->breaker_given = TRUE;
  g_free (raw->breaker);
  raw->breaker = g_strdup (value);
  return TRUE;
}

static GOptionContext *
new_context (Raw *raw)
{
  const GOptionEntry entries[] = {
    {"input", 'i', 0, G_OPTION_ARG_FILENAME, &raw->input,
        "Film to play again and again, or test (the default), or camera", "FILE"},
    {"link", 'l', 0, G_OPTION_ARG_STRING, &raw->link,
        "What the link does (default: constant:1M)", "SCENARIO"},
    {"send", 0, 0, G_OPTION_ARG_STRING, &raw->send,
        "Only send, over UDP, to rtpcall --receive PORT on HOST", "HOST:PORT"},
    {"receive", 0, 0, G_OPTION_ARG_STRING, &raw->receive,
        "Only receive, over UDP: RTP on PORT, RTCP on PORT+1", "PORT"},
    {"call", 0, 0, G_OPTION_ARG_STRING, &raw->call,
        "Send to and receive from rtpcall --call on HOST, over UDP", "HOST:PORT"},
    {"listen", 0, 0, G_OPTION_ARG_STRING, &raw->listen,
        "Where that sends to: RTP on PORT, RTCP on PORT+1 (default: the port of --call)", "PORT"},
    {"duration", 'd', 0, G_OPTION_ARG_STRING, &raw->duration,
        "Length of the call (default: until Ctrl-C)", "SECONDS"},
    {"cc", 0, 0, G_OPTION_ARG_STRING, &raw->cc,
        "Congestion control: gcc (the default), gcc-paper, rrtcc, fbra, cnadu, tfrc, nada, scream or any "
        "other that the library has, rtpgccbwe of gst-plugins-rs and screamtx of "
        "SCReAM where they are installed, or none "
        "to keep the start bitrate",
        "NAME"},
    {"breaker", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, on_breaker,
        "Stop what harms the network (RFC 8083), compared with TCP by this model "
        "(default: mathis)", "mathis|padhye|off"},
    {"scheduler", 0, 0, G_OPTION_ARG_STRING, &raw->scheduler,
        "Which packet leaves next when they have to wait: in order, or by the modes of "
        "rtpsbpnmux (default: sbpn2)", "fifo|sbpn1|sbpn2|sbpn3|weighted"},
    {"profile", 0, 0, G_OPTION_ARG_STRING, &raw->profile,
        "Of gcc. default: the best known; paper: what the paper describes. Of fbra. paper (the "
        "default): its constants; plus: ours, best with --feedback ccfb. Of rtpgccbwe: its "
        "estimator", "default|paper|plus|kalman|linear-regression"},
    {"feedback", 0, 0, G_OPTION_ARG_STRING, &raw->feedback,
        "How the receiver tells the sender (default: of gcc remb, of rrtcc tmmbr, of fbra and "
        "cnadu xr, of tfrc, nada, scream and screamtx ccfb, of rtpgccbwe twcc)",
        "remb|tmmbr|twcc|ccfb|xr"},
    {"repair", 0, 0, G_OPTION_ARG_STRING, &raw->repair,
        "rtx: video that is lost is asked for and sent again; auto (default): with gcc and "
        "rrtcc protected by parity, too, while losses persist and the round trip is too long "
        "for that, with none as off.  Both count within the target.  Give both ends the same",
        "auto|rtx|off"},
    {"probe-protection", 0, 0, G_OPTION_ARG_NONE, &raw->probe_protection,
        "Of gcc and rrtcc: probes are filled with parity in place of padding", NULL},
    {"fec-protection", 0, 0, G_OPTION_ARG_INT, &raw->protection,
        "Of fbra and cnadu: one parity packet to N of video outside probes (default: 0, none)",
        "N"},
    {"fec-interleave", 0, 0, G_OPTION_ARG_INT, &raw->interleave,
        "Packets of D such blocks alternate, so that D losses in a row are repaired "
        "(default: 1)", "D"},
    {"min-bitrate", 0, 0, G_OPTION_ARG_STRING, &raw->min, "Default: 100k", "RATE"},
    {"start-bitrate", 0, 0, G_OPTION_ARG_STRING, &raw->start, "Default: 150k", "RATE"},
    {"max-bitrate", 0, 0, G_OPTION_ARG_STRING, &raw->max, "Default: 2500k", "RATE"},
    {"video-bitrate", 0, 0, G_OPTION_ARG_STRING, &raw->video,
        "The encoder's, whatever congestion control says: the scheduler has to choose (default: "
        "it follows)", "RATE"},
    {"resolution", 0, 0, G_OPTION_ARG_STRING, &raw->resolution,
        "Of the picture sent (default: 640x480)", "WxH"},
    {"fps", 0, 0, G_OPTION_ARG_INT, &raw->fps, "Frames a second (default: 25)", "N"},
    {"gop", 0, 0, G_OPTION_ARG_INT, &raw->gop,
        "A key frame each N frames (default: only where the receiver asks for one)", "N"},
    {"stamp", 0, 0, G_OPTION_ARG_NONE, &raw->stamp,
        "Draw its number into each picture sent, for --reference at the other end", NULL},
    {"reference", 0, 0, G_OPTION_ARG_FILENAME, &raw->reference,
        "The --input of the other end, to measure PSNR and freezes against; give both ends the "
        "same --resolution and --fps", "FILE"},
    {"clock-skew", 0, 0, G_OPTION_ARG_INT, &raw->skew,
        "The clock of this end is so much too fast: tries what happens where two clocks drift "
        "apart (default: 0)", "PPM"},
    {"no-audio", 0, 0, G_OPTION_ARG_NONE, &raw->no_audio, "Video only", NULL},
    {"jitterbuffer-latency", 0, 0, G_OPTION_ARG_INT, &raw->latency,
        "How long the receiver waits for late packets (default: 300, and up to 1000 while what is "
        "sent again takes longer; 200 without --repair)",
        "MS"},
    {"show", 0, 0, G_OPTION_ARG_NONE, &raw->show,
        "Show what is received in a window, and play it", NULL},
    {"report", 'r', 0, G_OPTION_ARG_FILENAME, &raw->report,
        "Write call.json, CSV files and report.html there", "DIR"},
    {"no-page", 0, 0, G_OPTION_ARG_NONE, &raw->no_page,
        "Of --report only the data: report.html takes a second of processor time", NULL},
    {"csv", 0, 0, G_OPTION_ARG_NONE, &raw->csv,
        "Print the samples as CSV in place of the progress line", NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &raw->json,
        "Print one JSON object (docs/json.md) in place of progress and summary", NULL},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &raw->quiet,
        "No progress line and no summary", NULL},
    {"version", 0, 0, G_OPTION_ARG_NONE, &raw->version, "Print the version", NULL},
    {NULL}
  };
  GOptionContext *context = g_option_context_new (NULL);
  GOptionGroup *group;

  g_option_context_set_summary (context, summary);
  g_option_context_set_description (context, description);
  group = g_option_group_new (NULL, NULL, NULL, raw, NULL);
  g_option_group_add_entries (group, entries);
  g_option_context_set_main_group (context, group);
  return context;
}

static void
raw_clear (Raw *raw)
{
  char **texts[] = { &raw->send, &raw->receive, &raw->call, &raw->listen, &raw->input, &raw->cc, &raw->profile,
    &raw->feedback, &raw->link, &raw->report, &raw->min, &raw->start, &raw->max,
    &raw->resolution, &raw->duration, &raw->breaker, &raw->scheduler, &raw->repair, &raw->video,
    &raw->reference };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (*texts[i]);
}

static gboolean
check (const Raw *raw, CallOptions *o, GError **error)
{
  if (raw->version) {
    g_print ("rtpcall %s\n", VERSION);
    return FALSE;
  }
  *o = (CallOptions) {
    .input = g_strdup (raw->input ? raw->input : "test"),
    .link = g_strdup (raw->link ? raw->link : "constant:1M"),
    .report = g_strdup (raw->report),
    .reference = g_strdup (raw->reference), .stamp = raw->stamp,
    .command = o->command,
    .min_bps = 100000, .start_bps = 150000, .max_bps = 2500000,
    .width = 640, .height = 480, .fps = raw->fps, .gop = (guint) MAX (raw->gop, 0),
    .latency_ms = raw->latency, .skew_ppm = raw->skew,
    .no_audio = raw->no_audio, .csv = raw->csv, .json = raw->json, .show = raw->show,
    .no_page = raw->no_page,
    .quiet = raw->quiet || raw->csv || raw->json,
  };
  return parse_mode (raw, o, error) && parse_control (raw, o, error)
      && parse_breaker (raw, o, error) && parse_scheduler (raw, o, error)
      && parse_repair (raw, o, error) && parse_protection (raw, o, error)
      && parse_picture (raw, o, error) && parse_measure (raw, o, error)
      && parse_rest (raw, o, error);
}

gboolean
call_options_parse (CallOptions *options, int argc, char **argv, GError **error)
{
  Raw raw = { .fps = 25, .latency = LATENCY_UNSET, .interleave = 1 };
  GOptionContext *context = new_context (&raw);
  GError *unknown = NULL;
  gboolean good;

  options->command = rcc_quote_command (argc, argv);
  good = g_option_context_parse (context, &argc, &argv, &unknown)
      || call_fail (error, "%s; see --help", unknown->message);
  g_clear_error (&unknown);
  g_option_context_free (context);
  if (good && argc > 1)
    good = call_fail (error, "\"%s\" belongs to no option; see --help", argv[1]);
  good = good && check (&raw, options, error);
  raw_clear (&raw);
  return good;
}

void
call_options_clear (CallOptions *o)
{
  g_free (o->host);
  g_free (o->input);
  g_free (o->link);
  g_free (o->report);
  g_free (o->reference);
  g_free (o->command);
}
