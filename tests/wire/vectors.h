/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * vectors.h - packets that must not hurt, and packets that others have sent
 *
 * The unit tests assert what each of them does; the mutation test starts from
 * them.  The first word of a name is the test file, the second the row of the
 * project's list of bad inputs (R1 .. C8), if it comes from there.
 */
#ifndef RCC_TEST_VECTORS_H
#define RCC_TEST_VECTORS_H

#include <stdint.h>
#include <stddef.h>

/* RTP: V=2, PT 96, seq 1, timestamp 2, SSRC 3, then what the name says. */
#define RTP(first) first, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3
/* RTCP: a header of @count and @type with @length words to follow, an SSRC. */
#define HEAD(count, type, length) 0x80 | (count), type, (length) >> 8, (length) & 0xff
#define SSRC(x) 0, 0, 0, x
#define RR HEAD (0, 201, 1), SSRC (1)
#define FB(fmt, type, length) HEAD (fmt, type, length), SSRC (1), SSRC (2)
#define REMB(length) HEAD (15, 206, length), SSRC (1), SSRC (0), 'R', 'E', 'M', 'B'
/* Transport-wide: base 5, @count statuses, reference 1 (64 ms), feedback 7. */
#define TWCC(length, count) FB (15, 205, length), \
  0, 5, (count) >> 8, (count) & 0xff, 0, 0, 1, 7
#define CCFB(length) HEAD (11, 205, length), SSRC (1)
#define BLOCK(ssrc, begin, n) SSRC (ssrc), (begin) >> 8, (begin) & 0xff, (n) >> 8, (n) & 0xff

#define RCC_VECTORS(V) \
  V (rtp_r1_version, RTP (0x40)) \
  V (rtp_r1_csrc_beyond_end, RTP (0x8f), 1, 2, 3, 4) \
  V (rtp_r1_extension_head_beyond_end, RTP (0x90), 0xbe, 0xde, 0) \
  V (rtp_r1_extension_beyond_end, RTP (0x90), 0xbe, 0xde, 0, 2, 0x10, 1, 0, 0) \
  V (rtp_r1_padding_0, RTP (0xa0), 9, 9, 0) \
  V (rtp_r1_padding_beyond_payload, RTP (0xa0), 9, 9, 4) \
  V (rtp_r1_padding_without_payload, RTP (0xa0)) \
  V (rtp_r2_length_past_block, RTP (0x90), 0xbe, 0xde, 0, 1, 0x10, 7, 0x22, 8, 9, 9, 9, 9) \
  V (rtp_r2_id_15, RTP (0x90), 0xbe, 0xde, 0, 2, 0x10, 7, 0xf1, 1, 2, 0x21, 8, 9) \
  V (rtp_r2_id_0_padding, RTP (0x90), 0xbe, 0xde, 0, 2, 0, 0x10, 7, 0, 0, 0x21, 8, 9) \
  V (rtp_r2_id_0_with_length, RTP (0x90), 0xbe, 0xde, 0, 2, 0x10, 7, 0x01, 0, 0, 0x21, 8, 9) \
  V (rtp_r2_two_byte, RTP (0x90), 0x10, 0x05, 0, 3, \
     1, 0, 0, 2, 1, 7, 0, 200, 2, 8, 9, 0) \
  V (rtp_r2_two_byte_past_block, RTP (0x90), 0x10, 0, 0, 1, 1, 1, 7, 2, 2, 8, 9, 0) \
  V (rtp_r2_other_profile, RTP (0x90), 0xab, 0xcd, 0, 1, 0x11, 8, 9, 0) \
  V (rtp_r2_duplicated, RTP (0x90), 0xbe, 0xde, 0, 2, 0x21, 8, 9, 0x21, 6, 7, 0x10, 1) \
  V (rtp_example_rfc8285, RTP (0x90), 0xbe, 0xde, 0, 3, \
     0x10, 'a', 0x21, 'b', 'c', 0, 0, 0x33, 'd', 'e', 'f', 'g') \
  V (rtcp_c1_length_0, HEAD (0, 201, 0), RR) \
  V (rtcp_c1_length_65535, RR, HEAD (0, 201, 65535), SSRC (1)) \
  V (rtcp_c1_version, RR, 0x40, 201, 0, 1, SSRC (1)) \
  V (rtcp_c1_padding_on_non_last, 0xa0, 201, 0, 2, SSRC (1), 0, 0, 0, 4, RR) \
  V (rtcp_c1_padding_0, RR, 0xa0, 201, 0, 2, SSRC (1), 0, 0, 0, 0) \
  V (rtcp_c1_padding_255, RR, 0xa0, 201, 0, 2, SSRC (1), 0, 0, 0, 255) \
  V (rtcp_c1_padding_6, RR, 0xa0, 201, 0, 3, SSRC (1), 0, 0, 0, 0, 0, 0, 0, 6) \
  V (rtcp_c1_padding_all, RR, 0xa0, 201, 0, 1, 0, 0, 0, 4) \
  V (rtcp_c1_padding_good, RR, 0xa0, 201, 0, 2, SSRC (5), 0, 0, 0, 4) \
  V (rtcp_browser_padding, 0xaf, 205, 0, 5, SSRC (1), SSRC (2), \
     0, 5, 0, 1, 0, 0, 1, 7, 0x20, 0x01, 4, 1, RR) \
  V (rtcp_c2_sr_short, HEAD (1, 200, 5), SSRC (1), 0, 0, 0, 0, 0, 0, 0, 0, \
     0, 0, 0, 0, 0, 0, 0, 0) \
  V (rtcp_c2_profile_extension, HEAD (0, 201, 3), SSRC (1), 1, 2, 3, 4, 5, 6, 7, 8, RR) \
  V (rtcp_c3_bye_31_in_4_bytes, HEAD (31, 203, 0), RR) \
  V (rtcp_c3_bye_reason_255, HEAD (1, 203, 2), SSRC (1), 255, 'b', 'y', 'e', RR) \
  V (rtcp_c3_sdes_entry_past_end, HEAD (1, 202, 2), SSRC (1), 1, 200, 'a', 'b', RR) \
  V (rtcp_c3_sdes_31_in_4_bytes, HEAD (31, 202, 0), RR) \
  V (rtcp_c3_app, HEAD (31, 204, 3), SSRC (1), 'n', 'a', 'm', 'e', 1, 2, 3, 4, RR) \
  V (rtcp_c5_xr_block_length_0, HEAD (0, 207, 2), SSRC (1), 1, 0, 0, 0, RR) \
  V (rtcp_c5_xr_block_length_65535, HEAD (0, 207, 2), SSRC (1), 1, 0, 255, 255, RR) \
  V (rtcp_c5_xr_rle_begin_after_end, HEAD (0, 207, 4), SSRC (1), 1, 0, 0, 2, SSRC (2), \
     0, 9, 0, 3, RR) \
  V (rtcp_c5_xr_dlrr_count, HEAD (0, 207, 3), SSRC (1), 5, 0, 0, 1, SSRC (2), RR) \
  V (rtcp_c6_rtpfb_length_0, HEAD (1, 205, 0), RR) \
  V (rtcp_c6_rtpfb_length_1, HEAD (1, 205, 1), SSRC (1), RR) \
  V (rtcp_c6_psfb_length_0, HEAD (15, 206, 0), RR) \
  V (rtcp_c6_psfb_length_1, HEAD (15, 206, 1), SSRC (1), RR) \
  V (rtcp_c6_nack_0_fci, FB (1, 205, 2), RR) \
  V (rtcp_c6_fir_0, FB (4, 206, 2), RR) \
  V (remb_c6_num_ssrc_0, REMB (4), 0, 0x08, 0x00, 0x64) \
  V (remb_c6_num_ssrc_255, REMB (5), 255, 0x08, 0x00, 0x64, SSRC (9)) \
  V (remb_c6_num_ssrc_lie, REMB (6), 1, 0x08, 0x00, 0x64, SSRC (9), SSRC (8)) \
  V (remb_c6_exp_63, REMB (5), 1, 0xff, 0xff, 0xff, SSRC (9)) \
  V (remb_c6_exp_63_mantissa_0, REMB (5), 1, 0xfc, 0, 0, SSRC (9)) \
  V (remb_c6_exp_63_mantissa_1, REMB (5), 1, 0xfc, 0, 1, SSRC (9)) \
  V (remb_c6_rate_0, REMB (5), 1, 0, 0, 0, SSRC (9)) \
  V (remb_c6_rate_1, REMB (5), 1, 0, 0, 1, SSRC (9)) \
  V (remb_c6_identifier, FB (15, 206, 5), 'R', 'E', 'M', 'C', 1, 0, 0, 1, SSRC (9)) \
  V (remb_c6_cut_in_identifier, FB (15, 206, 3), 'R', 'E', 'M', 'B') \
  V (remb_c6_length_0, HEAD (15, 206, 0)) \
  V (remb_c6_length_1, HEAD (15, 206, 1), SSRC (1)) \
  V (tmmbr_c6_exp_63, FB (3, 205, 4), SSRC (9), 0xff, 0xff, 0xfe, 0x28) \
  V (tmmbr_c6_exp_63_mantissa_0, FB (3, 205, 4), SSRC (9), 0xfc, 0, 0, 0x28) \
  V (tmmbr_c6_exp_47_fits, FB (3, 205, 4), SSRC (9), 0xbf, 0xff, 0xfe, 0x28) \
  V (tmmbr_c6_exp_48_overflow, FB (3, 205, 4), SSRC (9), 0xc3, 0xff, 0xfe, 0x28) \
  V (tmmbr_c6_half_entry, FB (3, 205, 5), SSRC (9), 0x04, 0, 2, 0x28, SSRC (8)) \
  V (tmmbr_c6_no_entry, FB (3, 205, 2)) \
  V (tmmbr_c6_length_0, HEAD (3, 205, 0)) \
  V (tmmbr_c6_length_1, HEAD (3, 205, 1), SSRC (1)) \
  V (twcc_c7_status_count_0, TWCC (5, 0), 0x20, 0x01, 4, 0) \
  V (twcc_c7_status_count_1, TWCC (5, 1), 0x20, 0x01, 4, 0) \
  V (twcc_c7_status_count_2048, TWCC (5, 2048), 0x08, 0x00, 0, 0) \
  V (twcc_c7_status_count_2049, TWCC (5, 2049), 0x08, 0x01, 0, 0) \
  V (twcc_c7_status_count_65535, TWCC (5, 65535), 0x1f, 0xff, 0x1f, 0xff) \
  V (twcc_c7_run_8191, TWCC (6, 3), 0x3f, 0xff, 1, 2, 3, 4, 5, 6) \
  V (twcc_c7_run_8191_n_times, TWCC (6, 2048), 0x1f, 0xff, 0x1f, 0xff, 0x3f, 0xff, 0x3f, 0xff) \
  V (twcc_c7_run_0, TWCC (6, 1), 0, 0, 0x20, 0x00, 0x20, 0x01, 4, 0) \
  V (twcc_c7_symbol_3, TWCC (6, 4), 0xd7, 0x40, 4, 4, 4, 4, 4, 4) \
  V (twcc_c7_symbol_3_first, TWCC (6, 4), 0xf5, 0x40, 4, 4, 4, 4, 4, 4) \
  V (twcc_c7_symbol_3_run, TWCC (6, 2), 0x60, 0x02, 4, 4, 4, 4, 4, 4) \
  V (twcc_c7_delta_missing, TWCC (5, 7), 0xa0 | 0x1a, 0x80, 4, 8) \
  V (twcc_c7_large_delta_half, TWCC (5, 3), 0xd8, 0x00, 4, 1) \
  V (twcc_c7_no_delta, TWCC (5, 2), 0x20, 0x01, 0x20, 0x01) \
  V (twcc_c7_no_delta_after_lost, TWCC (5, 2), 0x00, 0x01, 0x20, 0x01) \
  V (twcc_c7_chunks_end_early, TWCC (5, 100), 0x80, 0x00, 0x00, 0x02) \
  V (twcc_c7_delta_minus_32768, TWCC (6, 2), 0xd8, 0x00, 10, 0x80, 0x00, 0, 0, 0) \
  V (twcc_c7_delta_32767, TWCC (6, 2), 0xd8, 0x00, 10, 0x7f, 0xff, 0, 0, 0) \
  V (twcc_c7_reference_0, FB (15, 205, 5), 0, 5, 0, 1, 0, 0, 0, 7, 0x20, 0x01, 4, 0) \
  V (twcc_c7_reference_max, FB (15, 205, 5), 0, 5, 0, 1, 0x7f, 0xff, 0xff, 7, 0x20, 0x01, 4, 0) \
  V (twcc_c7_reference_2_23, FB (15, 205, 5), 0, 5, 0, 1, 0x80, 0, 0, 7, 0x20, 0x01, 4, 0) \
  V (twcc_c7_length_short, FB (15, 205, 3), 0, 5, 0, 1) \
  V (twcc_gstreamer_one_bit, 0x8f, 0xcd, 0x00, 0x10, 0x17, 0x79, 0x6c, 0x35, \
     0xb4, 0x33, 0xb3, 0x1a, 0x00, 0xa4, 0x00, 0x2b, 0x5a, 0x4e, 0x97, 0x03, 0x20, 0x05, \
     0x9b, 0xff, 0xbf, 0xfb, 0xbf, 0xf0, 0x4a, 0, 0, 0, 0, 0, 0, 0x86, \
     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x85, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x85, \
     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x86) \
  V (twcc_gstreamer_two_bit, 0x8f, 0xcd, 0x00, 0x0c, 0x8d, 0x27, 0x75, 0x06, \
     0x69, 0x1a, 0x76, 0x9e, 0x00, 0xa5, 0x00, 0x17, 0x5a, 0x4e, 0xc9, 0x08, 0x20, 0x04, \
     0xc5, 0x25, 0xd5, 0x95, 0xd5, 0x60, 0x4a, 0, 0, 0, 0, 0, 0x02, 0x9b, 0, 0, 0, 0, 0, \
     0x02, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x9a) \
  V (ccfb_c8_num_16385, CCFB (4), BLOCK (9, 0, 16385), SSRC (0)) \
  V (ccfb_c8_num_65535, CCFB (4), BLOCK (9, 0, 65535), SSRC (0)) \
  V (ccfb_c8_num_0, CCFB (4), BLOCK (9, 77, 0), SSRC (6)) \
  V (ccfb_c8_num_beyond_length, CCFB (5), BLOCK (9, 0, 3), 0x80, 1, 0x80, 2, SSRC (6)) \
  V (ccfb_c8_num_below_length, CCFB (6), BLOCK (9, 0, 1), 0x80, 1, 0, 0, 0x80, 3, 0x80, 4, \
     SSRC (6)) \
  V (ccfb_c8_ato, CCFB (7), BLOCK (9, 65534, 6), 0x9f, 0xff, 0x9f, 0xfe, 0x9f, 0xfd, \
     0x80, 0, 0x82, 0, 0x7f, 0xff, SSRC (6)) \
  V (ccfb_c8_ecn, CCFB (6), BLOCK (9, 0, 4), 0x80, 1, 0xa0, 1, 0xc0, 1, 0xe0, 1, SSRC (6)) \
  V (ccfb_c8_several_ssrcs, CCFB (10), BLOCK (9, 1, 1), 0x80, 1, 0, 0, BLOCK (8, 2, 0), \
     BLOCK (7, 3, 2), 0x80, 2, 0, 0, SSRC (6)) \
  V (ccfb_c8_no_block, CCFB (2), SSRC (6)) \
  V (ccfb_c8_half_block, CCFB (3), SSRC (9), SSRC (6)) \
  V (ccfb_c8_no_timestamp, CCFB (1)) \
  V (ccfb_c8_length_0, HEAD (11, 205, 0)) \
  V (rtcp_gstreamer_sr, 0x80, 0xc8, 0x00, 0x06, 0xb4, 0x33, 0xb3, 0x1a, \
     0xee, 0xaa, 0x65, 0xf1, 0xf2, 0x6d, 0xce, 0x39, 0xe9, 0x9d, 0xc3, 0x7c, \
     0x00, 0x00, 0x00, 0x6b, 0x00, 0x00, 0x7f, 0x5f, 0x81, 0xca, 0x00, 0x03, \
     0xb4, 0x33, 0xb3, 0x1a, 0x01, 0x05, 'a', 'l', 'i', 'c', 'e', 0x00) \
  V (rtcp_gstreamer_rr, 0x81, 0xc9, 0x00, 0x07, 0x17, 0x79, 0x6c, 0x35, \
     0xb4, 0x33, 0xb3, 0x1a, 0x0f, 0x00, 0x00, 0x75, 0x00, 0x00, 0x39, 0x65, \
     0x00, 0x00, 0x00, 0x00, 0x65, 0xf2, 0x79, 0x0b, 0x00, 0x04, 0xf5, 0xe5, \
     0x81, 0xca, 0x00, 0x03, 0x17, 0x79, 0x6c, 0x35, 0x01, 0x03, 'b', 'o', 'b', 0, 0, 0)

#define RCC_VECTOR(name, ...) static const uint8_t name[] = { __VA_ARGS__ };
RCC_VECTORS (RCC_VECTOR)

#endif
