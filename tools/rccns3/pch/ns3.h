/* SPDX-License-Identifier: GPL-2.0-only
 *
 * pch/ns3.h - what nearly all files here include of ns-3, compiled once: parsing it is most of
 * the time that they take.  No file needs it, and with -Db_pch=false there is none.
 */
#ifndef RCCNS3_PCH_NS3_H
#define RCCNS3_PCH_NS3_H

#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#endif
