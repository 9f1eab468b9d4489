/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * vectors-fec.h - FEC packets that must not hurt, and blocks that GStreamer has made
 *
 * As vectors.h: the unit tests assert what each does, the mutation test starts from
 * them.  All are whole RTP packets.
 */
#ifndef RCC_TEST_VECTORS_FEC_H
#define RCC_TEST_VECTORS_FEC_H

/* RTP: V=2, PT 100, seq 9, timestamp 2, SSRC 3. */
#define FEC_RTP 0x80, 100, 0, 9, 0, 0, 0, 2, 0, 0, 0, 3
/* ULPFEC: E, L, P, X and CC, then base 10, timestamp 5, and the length recovery. */
#define ULP(first, length) FEC_RTP, first, 96, 0, 10, 0, 0, 0, 5, (length) >> 8, (length) & 0xff
#define LEVEL(length, mask) (length) >> 8, (length) & 0xff, (mask) >> 8, (mask) & 0xff
/* FlexFEC: two CSRCs or one; R, F and the rest, length recovery, timestamp 5. */
#define FLEX_RTP(n) 0x80 | (n), 100, 0, 9, 0, 0, 0, 2, 0, 0, 0, 4
#define FLEX(first, length) first, 96, (length) >> 8, (length) & 0xff, 0, 0, 0, 5
#define CSRC(x) 0, 0, 0, x
#define FLEX1(first, length) FLEX_RTP (1), CSRC (3), FLEX (first, length)
#define BODY 1, 2, 3, 4, 5, 6, 7, 8

/* Refused when they are parsed. */
#define RCC_ULPFEC_VECTORS(V) \
  V (ulpfec_f1_empty, FEC_RTP) \
  V (ulpfec_f1_half_header, FEC_RTP, 0, 96, 0, 10, 0, 0, 0, 5, 0) \
  V (ulpfec_f1_no_level, ULP (0, 4)) \
  V (ulpfec_f1_half_level, ULP (0, 4), 0, 0, 0x80) \
  V (ulpfec_f1_long_mask_short_header, ULP (0x40, 0), LEVEL (0, 0x8000), 0, 0, 0) \
  V (ulpfec_f1_protection_beyond_end, ULP (0, 8), LEVEL (9, 0xc000), BODY) \
  V (ulpfec_f1_protection_1501, ULP (0, 8), LEVEL (1501, 0xc000), BODY) \
  V (ulpfec_f1_protection_65535, ULP (0, 8), LEVEL (65535, 0xc000), BODY) \
  V (ulpfec_f1_protection_below_end, ULP (0, 7), LEVEL (7, 0xc000), BODY) \
  V (ulpfec_f1_mask_0, ULP (0, 8), LEVEL (8, 0), BODY) \
  V (ulpfec_f1_long_mask_0, ULP (0x40, 8), LEVEL (8, 0), 0, 0, 0, 0, BODY) \
  V (ulpfec_f1_level_1_beyond_end, ULP (0, 8), LEVEL (8, 0x8000), BODY, LEVEL (9, 0xc000), BODY) \
  V (ulpfec_f1_level_1_half_header, ULP (0, 8), LEVEL (8, 0x8000), BODY, LEVEL (8, 0xc000)) \
  V (ulpfec_f1_level_2_cut, ULP (0, 8), LEVEL (8, 0x8000), BODY, LEVEL (8, 0xc000), BODY, 0)

#define RCC_FLEXFEC_VECTORS(V) \
  V (flexfec_f1_empty, FLEX_RTP (1), CSRC (3)) \
  V (flexfec_f1_half_header, FLEX_RTP (1), CSRC (3), 0, 96, 0, 8, 0, 0, 0) \
  V (flexfec_f1_no_block, FLEX1 (0, 8)) \
  V (flexfec_f1_half_block, FLEX1 (0, 8), 0, 10, 0x40) \
  V (flexfec_f1_no_csrc, FLEX_RTP (0), FLEX (0, 8), 0, 10, 0x40, 0, BODY) \
  V (flexfec_f1_mask_0, FLEX1 (0, 8), 0, 10, 0, 0, BODY) \
  V (flexfec_f1_no_second_mask, FLEX1 (0, 8), 0, 10, 0xc0, 0, 1, 2, 3) \
  V (flexfec_f1_no_third_mask, FLEX1 (0, 8), 0, 10, 0xc0, 0, 0x80, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7) \
  V (flexfec_f1_all_masks_0, FLEX1 (0, 8), 0, 10, 0x80, 0, 0x80, 0, 0, 0, \
      0, 0, 0, 0, 0, 0, 0, 0, BODY) \
  V (flexfec_f1_no_second_block, FLEX_RTP (2), CSRC (3), CSRC (5), FLEX (0, 8), 0, 10, 0x40, 0) \
  V (flexfec_f1_l_0_d_0, FLEX1 (0x40, 8), 0, 10, 0, 0, BODY) \
  V (flexfec_f1_l_0_d_3, FLEX1 (0x40, 8), 0, 10, 0, 3, BODY) \
  V (flexfec_f1_retransmission, FLEX1 (0x80, 8), 0, 10, 0x40, 0, BODY) \
  V (flexfec_f1_reserved, FLEX1 (0xc0, 8), 0, 10, 4, 0, BODY) \
  V (flexfec_f1_padding_0, 0xa1, 100, 0, 9, 0, 0, 0, 2, 0, 0, 0, 4, CSRC (3), FLEX (0, 8), \
      0, 10, 0x40, 0, BODY, 0) \
  V (flexfec_f1_padding_into_block, 0xa1, 100, 0, 9, 0, 0, 0, 2, 0, 0, 0, 4, CSRC (3), \
      FLEX (0, 8), 0, 10, 0x40, 0, 1, 2, 4)

/* A frame of five packets, with padding, an extension and a CSRC-less header, through
 * rtpulpfecenc of GStreamer 1.22 (pt=100 percentage=20 multipacket=true); the last is
 * its parity.  The sequence wraps. */
#define RCC_GST_BLOCK(V) \
  V (ulpfec_gst_0, \
    160, 96, 255, 253, 90, 69, 44, 103, 222, 173, 190, 239, 127, 166, 17, 206, 70, 31, 112, 52, \
    206, 173, 123, 190, 188, 31, 156, 205, 127, 215, 235, 82, 111, 94, 255, 180, 184, 218, 91, 26) \
  V (ulpfec_gst_1, \
    128, 96, 255, 254, 81, 253, 209, 185, 222, 173, 190, 239, 28, 208, 230, 97, 131, 5, 29, 11, \
    156, 82, 157, 54, 158, 134, 84, 70, 191, 221, 130, 76, 8, 139, 51, 218, 150, 75, 18, 47, \
    157, 219, 43, 215) \
  V (ulpfec_gst_2, \
    144, 96, 255, 255, 43, 158, 3, 195, 222, 173, 190, 239, 190, 222, 0, 0, 50, 196, 175, 123, \
    255, 123, 56, 197, 97) \
  V (ulpfec_gst_3, \
    160, 96, 0, 0, 122, 236, 248, 126, 222, 173, 190, 239, 106, 145, 38, 186, 181, 219, 221, 14, \
    194, 10) \
  V (ulpfec_gst_4, \
    128, 224, 0, 1, 183, 226, 163, 127, 222, 173, 190, 239, 194, 233, 202, 120, 71, 93, 35, 176, \
    1, 185, 241, 7, 78, 127, 38, 17, 74, 63, 11, 96, 120, 234, 187, 169, 217, 51, 19, 219, \
    7, 222, 123) \
  V (ulpfec_gst_5, \
    128, 100, 0, 2, 183, 226, 163, 127, 222, 173, 190, 239, 16, 224, 255, 253, 237, 40, 165, 28, \
    0, 36, 0, 32, 248, 0, 117, 208, 27, 109, 5, 88, 60, 250, 110, 55, 47, 74, 13, 230, \
    238, 154, 138, 53, 98, 126, 31, 63, 119, 199, 247, 162, 90, 238, 154, 5, 80, 215)

/* Twenty packets of 12 to 23 bytes: their parity has the long mask (percentage=5). */
#define RCC_GST_LONG_BLOCK(V) \
  V (ulpfec_gst_long_0, \
    129, 96, 255, 253, 90, 69, 44, 103, 222, 173, 190, 239, 127, 166, 17, 206) \
  V (ulpfec_gst_long_1, \
    128, 96, 255, 254, 31, 156, 205, 127, 222, 173, 190, 239, 94, 255) \
  V (ulpfec_gst_long_2, \
    128, 96, 255, 255, 125, 156, 149, 73, 222, 173, 190, 239, 209, 185, 40, 220, 137, 68, 28) \
  V (ulpfec_gst_long_3, \
    176, 96, 0, 0, 82, 157, 54, 158, 222, 173, 190, 239, 190, 222, 0, 0, 139, 51, 2) \
  V (ulpfec_gst_long_4, \
    128, 96, 0, 1, 167, 233, 135, 116, 222, 173, 190, 239, 3, 195, 242) \
  V (ulpfec_gst_long_5, \
    176, 96, 0, 2, 175, 123, 255, 123, 222, 173, 190, 239, 190, 222, 0, 0, 72, 29, 84, 224, \
    1) \
  V (ulpfec_gst_long_6, \
    128, 96, 0, 3, 186, 181, 219, 221, 222, 173, 190, 239, 147) \
  V (ulpfec_gst_long_7, \
    128, 96, 0, 4, 163, 127, 49, 132, 222, 173, 190, 239, 202, 120, 71) \
  V (ulpfec_gst_long_8, \
    160, 96, 0, 5, 127, 38, 17, 74, 222, 173, 190, 239, 234, 187, 169, 217, 4) \
  V (ulpfec_gst_long_9, \
    128, 96, 0, 6, 151, 176, 118, 212, 222, 173, 190, 239, 50, 230, 169) \
  V (ulpfec_gst_long_10, \
    129, 96, 0, 7, 252, 14, 109, 104, 222, 173, 190, 239, 54, 48, 159, 49) \
  V (ulpfec_gst_long_11, \
    160, 96, 0, 8, 153, 141, 116, 164, 222, 173, 190, 239, 145, 43, 5, 15, 18, 192, 6) \
  V (ulpfec_gst_long_12, \
    144, 96, 0, 9, 27, 9, 211, 165, 222, 173, 190, 239, 190, 222, 0, 0, 179, 81, 52, 7, \
    149, 73) \
  V (ulpfec_gst_long_13, \
    128, 96, 0, 10, 148, 74, 160, 111, 222, 173, 190, 239) \
  V (ulpfec_gst_long_14, \
    160, 96, 0, 11, 112, 35, 152, 20, 222, 173, 190, 239, 107, 47, 1) \
  V (ulpfec_gst_long_15, \
    144, 96, 0, 12, 254, 250, 193, 246, 222, 173, 190, 239, 190, 222, 0, 1, 3, 116, 63, 27, \
    22) \
  V (ulpfec_gst_long_16, \
    128, 96, 0, 13, 12, 7, 95, 26, 222, 173, 190, 239, 73, 171, 220, 235, 189, 27, 244, 183, \
    64, 37) \
  V (ulpfec_gst_long_17, \
    128, 96, 0, 14, 45, 142, 35, 149, 222, 173, 190, 239, 104, 11, 209) \
  V (ulpfec_gst_long_18, \
    128, 96, 0, 15, 206, 123, 194, 58, 222, 173, 190, 239, 108, 74, 49, 174) \
  V (ulpfec_gst_long_19, \
    128, 224, 0, 16, 46, 152, 99, 148, 222, 173, 190, 239) \
  V (ulpfec_gst_long_20, \
    128, 100, 0, 17, 46, 152, 99, 148, 222, 173, 190, 239, 96, 128, 255, 253, 54, 101, 89, 194, \
    0, 6, 0, 10, 255, 255, 240, 0, 0, 0, 243, 216, 43, 177, 81, 148, 179, 75, 194, 108)

/* For the mutation test. */
#define RCC_FEC_VECTORS(V) RCC_ULPFEC_VECTORS (V) RCC_FLEXFEC_VECTORS (V) RCC_GST_BLOCK (V)

#endif
