/* SPDX-License-Identifier: GPL-2.0-only
 *
 * rccns3 - media flows of gst-rtpcc over the networks of ns-3
 */
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <exception>

#include "run.h"

static int
complain (const std::exception &e, int status)
{
  fprintf (stderr, "rccns3: %s\n", e.what ());
  return status;
}

int
main (int argc, char **argv)
{
  sim::Options options;

  try {
    setlocale (LC_ALL, "");
    setlocale (LC_NUMERIC, "C");
    sim::parseOptions (argc, argv, options);
  } catch (const std::exception &e) {
    return complain (e, 2);
  }
  try {
    if (options.version)
      puts ("rccns3 " VERSION);
    else if (options.benchmark)
      sim::benchmark ();
    else
      fputs (sim::run (options).c_str (), stdout);
    if (fflush (stdout) || ferror (stdout))
      throw sim::Error (std::string ("cannot write the results: ") + strerror (errno) + ".");
  } catch (const std::exception &e) {
    return complain (e, 1);
  }
  return 0;
}
