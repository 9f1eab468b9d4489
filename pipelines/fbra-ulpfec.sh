#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# A call that finds its rate with parity (FBRA), and whose receiver repairs losses with
# that parity: GStreamer's own rtpulpfecdec, behind a jitterbuffer and with rtpstorage.
#
#   pipelines/fbra-ulpfec.sh [SECONDS]      inside meson devenv -C build
#   LOSS=0 pipelines/fbra-ulpfec.sh      packets lost at random, 0 to 1; 0.02 if not given
#   PROTECTION=5 pipelines/fbra-ulpfec.sh      with parity for each 5 packets outside probes, too
#
# The link carries 1.5 Mbit/s.  Look for: the messages GstRtpFbraFec, with state=probe and a
# fec-bitrate, then state=up and the parity's share become media (fbra's target in bit/s
# goes up), or state=down when something was lost; and `Pushing recovered packet' in the log
# of rtpulpfecdec, for what was lost below parity.
. "${BASH_SOURCE%/*}/common.bash"

export GST_DEBUG="${GST_DEBUG:+$GST_DEBUG,}rtpulpfecdec:5"
also='Pushing recovered packet'
messages='\(element\): GstRtpFbraFec'
# Parity has the media's SSRC and a payload type of its own.  Where no application answers
# request-pt-map, as rtpbin's signal asks for, the jitterbuffer learns both types' clock rate from caps that
# name none; and the decoder's caps need the SSRC.
run \
  videotestsrc is-live=true horizontal-speed=3 ! video/x-raw,width=640,height=480,framerate=25/1 \
  ! x264enc tune=zerolatency speed-preset=superfast key-int-max=100000 bitrate=300 \
  ! rtpbitrateadapter ! rtph264pay pt=96 ssrc=287454020 mtu=1200 aggregate-mode=zero-latency \
    config-interval=-1 \
  ! rtpfbrafec name=fbra fec-payload-type=122 start-bitrate=300000 max-bitrate=3000000 \
    tuning=tuning,owd-floor=50000000 protection="${PROTECTION:-0}" ! sending.send_rtp_sink_0 \
  rtpbin name=sending rtp-profile=avpf sending.send_rtp_src_0 \
  ! udpsink host=127.0.0.1 port=$((port + 2)) sync=false async=false \
  udpsrc address=127.0.0.1 port=$((port + 2)) socket-timestamp=realtime \
    caps="application/x-rtp,$h264" \
  ! linksim scenario=constant:1500k loss="${LOSS:-0.02}" delay=20000000 do-timestamp=true \
  ! rtpgccreceiver name=rx feedback-format=ccfb \
  ! receiving.recv_rtp_sink \
  rtpsession name=receiving rtp-profile=avpf receiving.recv_rtp_src \
  ! capssetter join=false replace=true \
    caps="application/x-rtp,media=video,encoding-name=H264,clock-rate=90000,ssrc=(uint)287454020" \
  ! rtpstorage size-time=1000000000 ! rtpjitterbuffer do-lost=true latency=200 \
  ! rtpptdemux ignored-payload-types='<(int)122>' ! rtpulpfecdec name=fec pt=122 \
  ! rtph264depay request-keyframe=true ! avdec_h264 \
  ! fakesink sync=false async=false \
  sending.send_rtcp_src_0 ! udpsink host=127.0.0.1 port="$port" sync=false async=false \
  udpsrc address=127.0.0.1 port="$port" caps=application/x-rtcp ! receiving.recv_rtcp_sink \
  receiving.send_rtcp_src ! udpsink host=127.0.0.1 port=$((port + 1)) sync=false async=false \
  rx.rtcp_src ! udpsink host=127.0.0.1 port=$((port + 1)) sync=false async=false \
  udpsrc address=127.0.0.1 port=$((port + 1)) caps=application/x-rtcp ! fbra.rtcp_sink \
  fbra.rtcp_src ! sending.recv_rtcp_sink_0
