#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# What x264 does to a film at a bitrate, frame by frame and over all.
#
#   pipelines/psnr-file.sh [SECONDS [FILM]]   inside meson devenv -C build
#   BITRATE=300 pipelines/psnr-file.sh        kbit/s; 200 if not given
#
# Plays the film (python3-imageio's cockatoo.mp4, else a test picture) as fast as the
# machine can, at most SECONDS long.  Look for: the pooled message at the end, with the PSNR
# of each plane, weighted (psnr), and SSIM.  framestamp numbers the pictures, so each is
# compared with itself whatever the codec delays.
. "${BASH_SOURCE%/*}/common.bash"

film=${2:-$(dpkg-query -L python3-imageio 2>/dev/null | grep '/cockatoo\.mp4$')}
if [ -n "$film" ]; then
  input=(filesrc "location=$film" ! decodebin)
else
  input=(videotestsrc num-buffers=250)
fi
messages='type=\(string\)pooled'
run "${input[@]}" ! videoconvert ! videoscale ! video/x-raw,format=I420,width=640,height=480 \
  ! framestamp ! tee name=t \
  t. ! queue ! psnr.ref_sink \
  t. ! queue ! x264enc tune=zerolatency speed-preset=superfast bitrate="${BITRATE:-200}" \
  ! avdec_h264 ! psnr.dist_sink \
  psnr name=psnr ssim=true frame-messages=false ! fakesink
