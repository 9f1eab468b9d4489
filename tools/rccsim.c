/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rccsim - one scenario of the simulated world from the command line
 */
#include <errno.h>
#include <glib.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawpage.h"
#include "sim/options.h"
#include "sim/summary.h"
#include "sim/world.h"
#include "simreport.h"

#define SCENARIO "rfc8867-5.1"          /* unless there is another */

static gchar *scenario = NULL, *csv = NULL, *feedback = NULL, *filter = NULL,
    *grouping = NULL, *thresholds = NULL, *traces = NULL, *breaker = NULL, *mode = NULL,
    *controller = NULL, *scheduler = NULL, *source = NULL, *nack = NULL,
    *forge = NULL, *ecn = NULL, *page = NULL;
static gdouble duration = 100.0, fps = 30.0, rtcp_interval = -1.0;
static gint renos = 0, flows = 1, seed = 1, overhead = 0, min_bps = -1, start_bps = -1,
    max_bps = -1, owd = 50;
static gchar **settings = NULL;
static gboolean paper = FALSE, no_audio = FALSE, fixed = FALSE, constant = FALSE,
    real_rtcp = FALSE, json = FALSE, lists_settings = FALSE,
    shows_version = FALSE;
static RccClockFaults faults[RCC_ENDS];

static gboolean
take_breaker (const gchar * option, const gchar * value, gpointer data, GError ** error)
{
  (void) option, (void) data, (void) error;
  g_free (breaker);
  breaker = g_strdup (value ? value : "mathis");
  return TRUE;
}

static gboolean
take_fault (const gchar * option, const gchar * value, gpointer data, GError ** error)
{
  const gchar *name = option + strlen ("--");

  (void) data;
  if (rcc_clock_set (faults, name, value))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s cannot be \"%s\", it is %s",
      option, value, rcc_clock_takes (name));
  return FALSE;
}

#define FAULT(name, flags, help, arg) \
  { name, 0, flags, G_OPTION_ARG_CALLBACK, (gpointer) take_fault, help, arg }
#define ONE_END(name) \
  FAULT (name "-sender", G_OPTION_FLAG_HIDDEN, NULL, NULL), \
  FAULT (name "-receiver", G_OPTION_FLAG_HIDDEN, NULL, NULL)

static const GOptionEntry clock_entries[] = {
  FAULT ("late", 0, "Both ends of each flow wake up so late: 10ms, or exp:10ms for an "
      "exponential distribution with that mean; --late-sender and --late-receiver: one end, as "
      "with the next two", "TIME"),
  FAULT ("stall", 0, "Both ends stand still for so long in each period, as in 100ms/5s",
      "TIME/PERIOD"),
  FAULT ("clump", 0, "What arrives is handed to both ends at multiples of that only, as in 5ms",
      "TIME"),
  FAULT ("stamp", 0, "When a packet has arrived: as the socket has it (default), or, as without "
      "SO_TIMESTAMP, as it is read", "socket|read"),
  ONE_END ("late"), ONE_END ("stall"), ONE_END ("clump"), ONE_END ("stamp"),
  { NULL }
};

static const GOptionEntry entries[] = {
  { "scenario", 's', 0, G_OPTION_ARG_STRING, &scenario,
    "Scenario file or built-in name (default rfc8867-5.1)", "NAME" },
  { "duration", 'd', 0, G_OPTION_ARG_DOUBLE, &duration, "Seconds to simulate", "S" },
  { "paper", 0, 0, G_OPTION_ARG_NONE, &paper, "The profile `paper'", NULL },
  { "fixed", 0, 0, G_OPTION_ARG_NONE, &fixed, "No congestion control", NULL },
  { "feedback", 'f', 0, G_OPTION_ARG_STRING, &feedback,
    "remb (default), tmmbr, twcc or ccfb; with changes after so many seconds: "
        "twcc,20:remb,40:ccfb", "FORMAT" },
  { "ecn", 0, 0, G_OPTION_ARG_STRING, &ecn, "The RTP packets bear ect1 (L4S), ect0 or off "
    "(default); --feedback ccfb tells of the marks of a scenario's `ecn', --set l4s=1 answers them",
    "CODEPOINT" },
  { "filter", 0, 0, G_OPTION_ARG_STRING, &filter,
    "kalman, kalman2 or trendline", "FILTER" },
  { "grouping", 0, 0, G_OPTION_ARG_STRING, &grouping, "none, paper or draft", "G" },
  { "thresholds", 0, 0, G_OPTION_ARG_STRING, &thresholds, "draft or webrtc", "T" },
  { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &settings,
    "One constant of an algorithm or of the simulator (--settings lists them; times in ns)",
    "NAME=VALUE" },
  { "version", 0, 0, G_OPTION_ARG_NONE, &shows_version, "Print the version", NULL },
  { "settings", 0, 0, G_OPTION_ARG_NONE, &lists_settings,
    "List what --set knows, with the values that the other options give, and end", NULL },
  { "controller", 0, 0, G_OPTION_ARG_STRING, &controller, "gcc (default), gcc-paper, tfrc or scream (with "
    "--feedback twcc or ccfb), none or any other that was added; or in the setting of the FBRA paper fbra, "
    "cnadu or rrtcc", "NAME" },
  { "owd", 0, 0, G_OPTION_ARG_INT, &owd, "The path's one-way delay, by which the last three "
    "space their reports", "MS" },
  { "scheduler", 0, 0, G_OPTION_ARG_STRING, &scheduler, "fifo, sbpn1, sbpn2, sbpn3 or weighted "
    "in front of the pacer; packets expire after 400 ms", "MODE" },
  { "source", 0, 0, G_OPTION_ARG_STRING, &source,
    "ekiga: the traffic of Send Best Packet Next, deaf to targets", "NAME" },
  { "reno", 0, 0, G_OPTION_ARG_INT, &renos, "Bulk TCP flows beside", "N" },
  { "breaker", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, (gpointer) take_breaker,
    "A circuit breaker behind each controller: mathis, padhye or off (default)", "MODEL" },
  { "breaker-mode", 0, 0, G_OPTION_ARG_STRING, &mode, "rfc8083 (default) or draft2014",
    "MODE" },
  { "rtcp-interval", 0, 0, G_OPTION_ARG_DOUBLE, &rtcp_interval, "Between reports", "S" },
  { "real-rtcp", 0, 0, G_OPTION_ARG_NONE, &real_rtcp,
    "Reports at random intervals, none on what is silent (RFC 3550 6.3, 6.4)", NULL },
  { "flows", 'n', 0, G_OPTION_ARG_INT, &flows, "Flows that start 0.1 s apart", "N" },
  { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "Seed of all randomness", "N" },
  { "overhead", 0, 0, G_OPTION_ARG_INT, &overhead, "Bytes a packet below RTP", "N" },
  { "min-bitrate", 0, 0, G_OPTION_ARG_INT, &min_bps, "bit/s", "N" },
  { "start-bitrate", 0, 0, G_OPTION_ARG_INT, &start_bps, "bit/s", "N" },
  { "max-bitrate", 0, 0, G_OPTION_ARG_INT, &max_bps, "bit/s", "N" },
  { "fps", 0, 0, G_OPTION_ARG_DOUBLE, &fps, "Frames a second", "X" },
  { "constant", 0, 0, G_OPTION_ARG_NONE, &constant,
    "Frames of equal size instead of RFC 8593's statistical model", NULL },
  { "traces", 0, 0, G_OPTION_ARG_STRING, &traces,
    "Folder of chat_720p_RATE.txt: RFC 8593's trace-driven model", "DIR" },
  { "no-audio", 0, 0, G_OPTION_ARG_NONE, &no_audio, "Video only", NULL },
  { "forge", 0, 0, G_OPTION_ARG_STRING, &forge, "Somebody else sends RTCP to the sender: once, as in "
        "remb-0/ssrc@20, or each 0.1 s, as in remb-0/ssrc@20-40/0.1; he knows nothing (blind), the "
        "SSRC of the media (ssrc), its numbers too (numbers), or all that can be seen (all); "
        "\"help\" lists the messages", "MESSAGE/KNOWLEDGE@S" },
  { "nack", 0, 0, G_OPTION_ARG_STRING, &nack, "Video that is missing is asked for so often, so "
    "far apart, and sent again (RFC 4588), as in 10/100", "TIMES/MS" },
  { "csv", 0, 0, G_OPTION_ARG_STRING, &csv, "Write the first flow's samples: each 0.2 s; of a run of more than an hour each second or less often", "FILE" },
  { "json", 0, 0, G_OPTION_ARG_NONE, &json,
    "Print one JSON object (docs/json.md) in place of tables", NULL },
  { "report", 0, 0, G_OPTION_ARG_FILENAME, &page, "Draw the first flow as rtpcall --report draws "
    "a call: one HTML page, with its CSV in it", "FILE" },
  { NULL }
};

static gint
one_of (const gchar * value, const gchar * const *names, const gchar * option)
{
  for (gint i = 0; names[i]; i++)
    if (strcmp (value, names[i]) == 0)
      return i;
  g_printerr ("rccsim: --%s does not know \"%s\"; see --help\n", option, value);
  exit (2);
}

static void
set (RccFlowConfig * flow, const gchar * setting)
{
  g_auto (GStrv) parts = g_strsplit (setting, "=", 2);

  if (parts[0] && parts[1] && rcc_flow_set (flow, parts[0], parts[1]))
    return;
  g_printerr ("rccsim: --set wants NAME=VALUE, with a name and a value of --settings, not "
      "\"%s\"\n", setting);
  exit (2);
}

/* An option that rcc_flow_option() takes too. */
static void
take (RccFlowConfig * c, const gchar * name, const gchar * value)
{
  char why[RCC_SCENARIO_ERROR];

  if (!value || rcc_flow_option (c, name, value, why, sizeof why))
    return;
  g_printerr ("rccsim: %s\n", why);
  exit (2);
}

static void
configure_source (RccFlowConfig * c)
{
  static const gchar *const sources[] = { "ekiga", NULL };

  if (min_bps >= 0)
    c->source.min_bps = c->limits.min_bps = (uint32_t) min_bps;
  if (start_bps >= 0)
    c->limits.start_bps = (uint32_t) start_bps;
  if (max_bps >= 0)
    c->source.max_bps = c->limits.max_bps = (uint32_t) max_bps;
  c->source.fps = fps;
  if (constant)
    c->source.model = RCC_SOURCE_CONSTANT;
  if (traces) {
    c->source.model = RCC_SOURCE_TRACE;
    c->source.traces = traces;
  }
  if (source) {
    one_of (source, sources, "source");
    c->source = rcc_source_config_ekiga ();
    c->packet_size = 1026;
    c->audio_size = 214;
  }
}

static void
configure_breaker (RccFlowConfig * c)
{
  static const gchar *const models[] = { "mathis", "padhye", "off", NULL };
  static const gchar *const modes[] = { "rfc8083", "draft2014", NULL };
  const gint model = breaker ? one_of (breaker, models, "breaker") : 2;

  if (mode)
    c->breaker = rcc_breaker_config ((RccBreakerMode) one_of (mode, modes, "breaker-mode"));
  c->breaks = model != 2;
  if (c->breaks)
    c->breaker.model = (RccTcpModel) model;
}

static RccFlowConfig
base (void)
{
  RccFlowConfig c = rcc_flow_config (paper ? RCC_GCC_PAPER : RCC_GCC_DEFAULT);

  take (&c, "controller", controller);
  if (c.controller->setting == RCC_SETTING_FBRA)
    return rcc_flow_config_fbra (c.controller->name, (RccTime) owd * RCC_MSEC);
  c.source.max_bps = c.limits.max_bps;
  return c;
}

static RccFlowConfig
configure (void)
{
  RccFlowConfig c = base ();

  take (&c, "feedback", feedback);
  if (forge && strcmp (forge, "help") == 0) {
    for (int i = 0; rcc_forger_message (i); i++)
      g_print ("%s\n", rcc_forger_message (i));
    exit (0);
  }
  take (&c, "forge", forge);
  take (&c, "ecn", ecn);
  take (&c, "filter", filter);
  take (&c, "grouping", grouping);
  take (&c, "thresholds", thresholds);
  configure_breaker (&c);
  take (&c, "scheduler", scheduler);
  for (gchar **s = settings; s && *s; s++)
    set (&c, *s);
  if (rtcp_interval >= 0)
    c.rtcp_interval = (RccTime) (rtcp_interval * 1e9);
  c.rtcp_random = c.omit_silent = real_rtcp;
  memcpy (c.clock, faults, sizeof faults);
  c.adapt = !fixed;
  c.audio &= !no_audio;
  configure_source (&c);
  take (&c, "nack", nack);
  return c;
}

/* In per cent; "-": there is no deadline. */
static gchar *
late_text (const RccLosses * l)
{
  return l->deadline ? g_strdup_printf ("%.2f", 100.0 * rcc_losses_late (l)) : g_strdup ("-");
}

static void
row (const RccWorld * w, const gchar * label, RccTime from, RccTime to)
{
  const RccPhase p = rcc_world_phase (w, from, to);

  g_autofree gchar *late = late_text (&p.media);

  g_print ("%-12s %6.3f %8.0f %7.1f %7.1f %7.1f %7.2f %10.2f %7s %8.1f\n", label, p.utilisation,
      p.delivered_bps / 1000.0, p.queue_p50, p.queue_p95, p.queue_p99,
      100.0 * rcc_losses_lost (&p.media), 100.0 * rcc_losses_unsent (&p.media), late,
      rcc_flow_delay (w->flows[0], 95, from, to));
}

static void
print_clock (const RccFlowConfig * c)
{
  gchar text[RCC_CLOCK_TEXT];

  rcc_clock_text (c->clock, text);
  g_print ("clock: %s\n", text);
}

/* A phase is a span of constant capacity of at least five seconds. */
static void
print (const RccWorld * w)
{
  RccTime from = 0;

  g_print ("%-12s %6s %8s %7s %7s %7s %7s %10s %7s %8s\n", "phase", "util", "kbit/s", "q p50",
      "q p95", "q p99", "lost %", "unsent %", "late %", "owd p95");
  for (size_t i = 1; i <= w->n_queue; i++) {
    if (i < w->n_queue && w->queue[i].capacity_bps == w->queue[i - 1].capacity_bps)
      continue;
    const RccTime to = i < w->n_queue ? w->queue[i].time : w->duration;

    if (to - from >= 5 * RCC_SEC) {
      gchar *label = g_strdup_printf ("%.0f-%.0f s", from * 1e-9, to * 1e-9);

      row (w, label, from, to);
      g_free (label);
    }
    from = to;
  }
  row (w, "all", 0, w->duration);
}

static void
print_streams (const RccFlow * f, guint number)
{
  g_print ("flow %u   %8s %9s %9s %8s %8s %8s %8s %8s %12s\n", number, "offered", "on time",
      "received", "expired", "full", "old", "frame", "sent", "queue ms");
  for (guint k = 0; k < RCC_WORLD_STREAMS; k++) {
    const RccStreamCount *c = &f->sender.delivery.streams[k];

    g_print ("  %-6s %8" G_GUINT64_FORMAT " %7.1f %% %7.1f %%", rcc_world_stream_names[k],
        c->offered, 100.0 * rcc_stream_on_time (c), 100.0 * rcc_stream_received (c));
    for (guint i = 0; i < RCC_SBPN_FLUSHED; i++)
      g_print (" %8" G_GUINT64_FORMAT, c->dropped[i]);
    g_print (" %8" G_GUINT64_FORMAT " %5.1f, %5.1f\n", c->sent,
        c->sent ? c->queue_time / (double) c->sent * 1e-6 : 0.0,
        (double) c->queue_time_max * 1e-6);
  }
}

static void
print_packet_trace (const RccFlow * f, guint number, RccTime end)
{
  RccFecMetrics *m = &f->packet_trace->metrics;

  rcc_packet_trace_close (f->packet_trace, end, end);
  g_print ("flow %u  ", number);
  for (const RccField * field = rcc_fecmetrics_fields; field->name; field++)
    if (field->type == RCC_DOUBLE)
      g_print (" %s %.2f%s", field->name, G_STRUCT_MEMBER (double, m, field->offset),
          field->unit);
    else
      g_print (" %s %" G_GUINT64_FORMAT, field->name, G_STRUCT_MEMBER (guint64, m,
              field->offset));
  g_print ("\n");
}

static void
print_repair (const RccFlow * f, guint number)
{
  const RccRtx *rtx = &f->sender.path.rtx;
  const RccNacks *k = f->receiver.nacks;

  g_print ("flow %u: %" G_GSIZE_FORMAT " packets lost on the link, %" G_GUINT64_FORMAT
      " requests, %" G_GUINT64_FORMAT " sent again, %" G_GUINT64_FORMAT " recovered, %"
      G_GUINT64_FORMAT " given up; %" G_GUINT64_FORMAT " numbers left out\n", number,
      f->n_losses, k->requests, rtx->packets, k->recovered, k->given_up, f->sender.gaps);
}

static void
print_renos (const RccWorld * w)
{
  for (guint i = 0; i < w->n_renos; i++)
    g_print ("TCP %u: %.0f kbit/s, %" G_GUINT64_FORMAT " packets sent again, %"
        G_GUINT64_FORMAT " timeouts\n", i + 1, (double) w->renos[i]->delivered
        * w->renos[i]->config.packet_size * 8e6 / (double) w->duration,
        w->renos[i]->retransmitted, w->renos[i]->timeouts);
}

static void
print_breaker (const RccFlow * f, guint number)
{
  if (f->n_events == 0)
    g_print ("breaker of flow %u: no trigger\n", number);
  for (gsize i = 0; i < f->n_events; i++) {
    const RccBreakerEvent *e = &f->events[i];
    g_autofree gchar *ssrc = e->ssrc ? g_strdup_printf ("SSRC %x", e->ssrc)
        : g_strdup ("all SSRCs");

    g_print ("breaker of flow %u: %s %s at %.2f s, %s", number, ssrc,
        rcc_breaker_state_names[e->state], (double) e->at * 1e-9,
        rcc_breaker_reason_names[e->reason]);
    if (e->reason == RCC_BREAKER_CONGESTION)
      g_print (": loss %.1f %%, RTT %.0f ms, TCP %.0f kbit/s, sent %.0f kbit/s",
          100.0 * e->loss, (double) e->rtt * 1e-6, e->tcp_bps / 1000.0, e->sent_bps / 1000.0);
    g_print ("\n");
  }
}

static void
report (RccWorld *w, const RccFlowConfig *config)
{
  if (json) {
    rcc_world_write_summary (w, NULL, 0, stdout);
    return;
  }
  print_clock (config);
  print (w);
  for (guint i = 0; (scheduler || controller || source) && i < w->n_flows; i++)
    print_streams (w->flows[i], i + 1);
  for (guint i = 0; config->d_max && i < w->n_flows; i++)
    print_packet_trace (w->flows[i], i + 1, w->duration);
  for (guint i = 0; config->nack_times && i < w->n_flows; i++)
    print_repair (w->flows[i], i + 1);
  print_renos (w);
  for (guint i = 0; config->breaks && i < w->n_flows; i++)
    print_breaker (w->flows[i], i + 1);
}

/* Complains of what cannot be written. */
static gboolean
write_files (const RccWorld *w, const gchar *command)
{
  const SimReport wanted = { .command = command, .output = page,
    .scenario = scenario ? scenario : SCENARIO,
    .name = fixed ? "no control" : paper ? "paper" : w->flows[0]->config.controller->name
  };
  FILE *out = csv ? fopen (csv, "w") : NULL;
  GError *error = NULL;

  if (csv && !out) {
    g_printerr ("rccsim: cannot write %s: %s\n", csv, g_strerror (errno));
    return FALSE;
  }
  if (out) {
    rcc_world_write_csv (w, w->flows[0], out);
    fclose (out);
  }
  if (!page || sim_report_draw (&wanted, w, &error))
    return TRUE;
  g_printerr ("rccsim: %s\n", error->message);
  g_error_free (error);
  return FALSE;
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new ("- simulate media flows over a link");
  char why[RCC_SCENARIO_ERROR];
  gchar *command = rcc_quote_command (argc, argv);
  GError *error = NULL;
  RccFlowConfig config;
  RccWorld *world;
  gboolean good;

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_main_entries (context, clock_entries, NULL);
  if (g_option_context_parse (context, &argc, &argv, &error) && argc > 1)
    g_set_error (&error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "\"%s\" belongs to no option", argv[1]);
  if (error) {
    g_printerr ("rccsim: %s; see --help\n", error->message);
    return 2;
  }
  if (shows_version) {
    g_print ("rccsim " VERSION "\n");
    return 0;
  }
  config = configure ();
  if (lists_settings) {
    rcc_flow_print_settings (&config, stdout);
    return 0;
  }
  world = rcc_world_new (scenario ? scenario : SCENARIO,
      (RccTime) (duration * 1e9), (uint64_t) seed, why);
  if (!world) {
    g_printerr ("rccsim: %s\n", why);
    return 1;
  }
  rcc_world_set_overhead (world, (uint32_t) overhead);
  for (gint i = 0; i < flows; i++) {
    config.start = (RccTime) i * 100 * RCC_MSEC;
    if (!rcc_world_add_flow (world, &config, why)) {
      g_printerr ("rccsim: %s\n", why);
      return 1;
    }
  }
  for (gint i = 0; i < renos; i++) {
    RccRenoConfig reno = rcc_reno_config ();

    reno.seed = (guint64) seed * 100 + (guint64) i;
    if (!rcc_world_add_reno (world, &reno)) {
      g_printerr ("rccsim: --reno takes at most %d\n", RCC_WORLD_RENOS);
      return 1;
    }
  }
  rcc_world_run (world);
  report (world, &config);
  good = write_files (world, command);
  rcc_world_free (world);
  g_free (command);
  g_option_context_free (context);
  if (fflush (stdout) || ferror (stdout)) {
    g_printerr ("rccsim: cannot write the results: %s\n", g_strerror (errno));
    return 1;
  }
  return good ? 0 : 1;
}
