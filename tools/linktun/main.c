/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * linktun - a link of gst/link between two network namespaces, in real time
 */
#include <errno.h>
#include <glib.h>
#include <locale.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "linktun/report.h"
#include "linktun/tun.h"

/* Exit statuses; --help names them. */
#define EXIT_ERROR 1
#define EXIT_USAGE 2
#define EXIT_LATE 3
#define EXIT_RIGHTS 4

#define TOO_LATE (5 * RCC_MSEC)         /* a run like that is to be repeated */

static gchar *scenario_name = "constant:1M", *log_name = NULL;
static gdouble duration = 0;
static gint seed = 1, priority = 40;
static gboolean as_json = FALSE, shows_version = FALSE;
static volatile sig_atomic_t interrupted = 0;

static const GOptionEntry entries[] = {
  { "scenario", 's', 0, G_OPTION_ARG_STRING, &scenario_name,
    "Scenario file or built-in name (default constant:1M)", "NAME" },
  { "duration", 'd', 0, G_OPTION_ARG_DOUBLE, &duration,
    "Length of the run (default: until it is interrupted)", "SECONDS" },
  { "log", 'l', 0, G_OPTION_ARG_FILENAME, &log_name,
    "A line of CSV for each packet, times in s since the run began", "FILE" },
  { "json", 0, 0, G_OPTION_ARG_NONE, &as_json,
    "The summary as JSON, its fields are in docs/json.md; \"ready\" goes to stderr", NULL },
  { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "Seed of all randomness (default 1)", "N" },
  { "priority", 0, 0, G_OPTION_ARG_INT, &priority,
    "SCHED_FIFO at this priority where it is allowed (default 40); 0: as any program", "N" },
  { "version", 0, 0, G_OPTION_ARG_NONE, &shows_version, "Print the version", NULL },
  { NULL }
};

static const char summary[] =
    "A link with the scenarios of linksim between two network namespaces, over a TUN device\n"
    "in each: " TUN_NAME ", 10.77.0.1 and fd77::1 in A, 10.77.0.2 and fd77::2 in B.  What goes\n"
    "from A to B is the scenario's fwd.  A and B are names of ip-netns(8), paths, or numbers of\n"
    "processes.  It prints \"ready\" when the link is there, and a summary at its end.";
static const char description[] =
    "As an ordinary user, where /dev/net/tun lets everybody in: unshare -rn, and A and B by the\n"
    "numbers of processes that were started in it by unshare -n.\n"
    "\n"
    "Exit status: 0, or 1 after an error, 2 where an option is wrong, 3 where it came more than\n"
    "5 ms late (repeat the run on a machine that does less), or 4 without the rights it needs.";

/* --- the machine ---------------------------------------------------------- */

static void
on_signal (int number)
{
  (void) number;
  interrupted = 1;
}

static void
catch_signals (void)
{
  const struct sigaction action = { .sa_handler = on_signal };

  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  sigaction (SIGHUP, &action, NULL);
  signal (SIGPIPE, SIG_IGN);
}

/* What is refused makes it later, no more.  Says whether it runs in real time. */
static gboolean
be_punctual (void)
{
  const struct sched_param scheduling = { .sched_priority = priority };

  prctl (PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  (void) mlockall (MCL_CURRENT);
  return priority > 0 && !sched_setscheduler (0, SCHED_FIFO, &scheduling);
}

/* --- a run ---------------------------------------------------------------- */

/* The exit status. */
static int
judge (Run *run, RccTime now, gboolean fifo)
{
  const RccTime most = RCC_MAX (run->written.most, run->woken.most);
  const Report report = { scenario_name, seed, now, fifo };

  (as_json ? report_json : report_text) (&report, run);
  if (most <= TOO_LATE)
    return 0;
  g_printerr ("linktun: it came %.1f ms late: repeat the run on a machine that does less.\n",
      (double) most / 1e6);
  return EXIT_LATE;
}

static int
run_link (Run *run, const RccScenario *scenario)
{
  const gboolean fifo = be_punctual ();
  int status = 0;

  catch_signals ();
  run->interrupted = &interrupted;
  run->end = duration > 0 ? (RccTime) (duration * 1e9) : RCC_NEVER;
  for (RccDirection d = 0; d < RCC_DIRECTIONS; d++)
    crossing_init (&run->ways[d], scenario, d, (uint64_t) seed * RCC_DIRECTIONS + d);
  fputs ("ready\n", as_json ? stderr : stdout);
  fflush (stdout);
  run->begin = run_clock ();
  if (!run_go (run)) {
    g_printerr ("linktun: the link has ended: %s.\n", g_strerror (errno));
    status = EXIT_ERROR;
  }
  if (!status)
    status = judge (run, run_clock () - run->begin, fifo);
  for (RccDirection d = 0; d < RCC_DIRECTIONS; d++)
    crossing_clear (&run->ways[d]);
  return status;
}

static FILE *
open_log (void)
{
  FILE *log = fopen (log_name, "w");

  if (!log) {
    g_printerr ("linktun: %s cannot be written: %s.\n", log_name, g_strerror (errno));
    return NULL;
  }
  setvbuf (log, NULL, _IOFBF, 1 << 20);
  fprintf (log, "%s\n", run_log_header);
  return log;
}

static int
between (char **names, const RccScenario *scenario)
{
  g_autofree Run *run = g_new0 (Run, 1);
  char error[TUN_ERROR];
  bool rights;
  int status;

  if (log_name && !(run->log = open_log ()))
    return EXIT_ERROR;
  for (RccDirection d = 0; d < RCC_DIRECTIONS; d++) {
    run->ends[d] = tun_open (names[d], d + 1, &rights, error, sizeof error);
    if (run->ends[d] < 0) {
      g_printerr ("linktun: %s%s\n", error, rights ? "  It needs root, or unshare -rn and a "
          "/dev/net/tun that lets everybody in." : "");
      return rights ? EXIT_RIGHTS : EXIT_ERROR;
    }
  }
  status = run_link (run, scenario);
  if (run->log && fclose (run->log) && !status) {
    g_printerr ("linktun: %s is not complete: is the disk full?\n", log_name);
    status = EXIT_ERROR;
  }
  return status;
}

/* --- options -------------------------------------------------------------- */

static int
misused (const char *sentence)
{
  g_printerr ("linktun: %s; see --help\n", sentence);
  return EXIT_USAGE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("A B");
  g_autoptr (GError) error = NULL;
  char why[RCC_SCENARIO_ERROR];
  RccScenario *scenario;
  int status;

  setlocale (LC_ALL, "");
  g_option_context_set_summary (context, summary);
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return misused (error->message);
  if (shows_version) {
    printf ("linktun %s\n", VERSION);
    return 0;
  }
  if (argc != 3)
    return misused ("two network namespaces are needed");
  if (duration < 0 || priority < 0 || priority > 99 || seed < 0)
    return misused ("--duration and --seed are not negative, --priority is 0 to 99");
  scenario = rcc_scenario_load (scenario_name, (uint64_t) seed, why, sizeof why);
  if (!scenario)
    return misused (why);
  status = between (argv + 1, scenario);
  rcc_scenario_free (scenario);
  return status;
}
