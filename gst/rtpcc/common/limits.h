/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/limits.h - the range of rates that every sender has, bit/s
 */
#ifndef GST_RTP_CC_LIMITS_H
#define GST_RTP_CC_LIMITS_H

#define GST_RTP_CC_MIN_BITRATE_DEFAULT 50000
#define GST_RTP_CC_START_BITRATE_DEFAULT 300000
#define GST_RTP_CC_MAX_BITRATE_DEFAULT 10000000
#define GST_RTP_CC_BITRATE_FLOOR 1000   /* below, a queue would never empty */

#endif
