/* SPDX-License-Identifier: GPL-2.0-only
 *
 * rccns3 - media flows of gst-rtpcc over the networks of ns-3
 */
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "run.h"

int
main (int argc, char **argv)
{
  try {
    sim::Options options;

    sim::parseOptions (argc, argv, options);
    if (options.benchmark)
      sim::benchmark ();
    else
      fputs (sim::run (options).c_str (), stdout);
    if (fflush (stdout) || ferror (stdout))
      throw sim::Error (std::string ("cannot write the results: ") + strerror (errno) + ".");
  } catch (const std::exception &e) {
    fprintf (stderr, "rccns3: %s\n", e.what ());
    return 1;
  }
  return 0;
}
