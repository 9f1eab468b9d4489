# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced by the scripts beside it: how long they run and what they print.
#
#   run ELEMENTS...     gst-launch-1.0 for DURATION seconds (the script's first
#                       argument, or the environment; 20), showing the properties named
#                       in $watch when they change, and element messages in $messages
#                       (if not given: those of the circuit breaker), and lines of the
#                       log that match $also

duration=${1:-${DURATION:-20}}
if ! [[ $duration =~ ^[0-9]+(\.[0-9]+)?$ ]] || ! [[ $duration =~ [1-9] ]]; then
  echo "usage: ${0##*/} [SECONDS]" >&2
  exit 2
fi

# The loopback ports from here on; another base lets two scripts run at a time.
port=${PORT:-5600}

abs_send_time='extmap-3=(string)http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time'
transport_wide='extmap-5=(string)http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01'
h264='media=video,encoding-name=H264,clock-rate=90000,payload=96'
opus='media=audio,encoding-name=OPUS,clock-rate=48000,payload=97'

# Ends with gst-launch-1.0's own exit code, and 0 when its time was up.
run() {
  local status
  timeout --foreground --preserve-status -s INT -k 10 "$duration" gst-launch-1.0 -v -m "$@" 2>&1 \
    | sed -n -u -E -e "/(CRITICAL|WARNING|ERROR|WARN) /p" -e '/^ERROR|^WARNING/p' \
      -e "s/^.*:([a-z]+[0-9]*): (${watch:-estimated-bitrate}) = /\1 \2 /p" \
      -e "/${also:-^\$}/p" -e "/^Got message.*(${messages:-\(element\): GstRtpCircuitBreaker})/p"
  status=${PIPESTATUS[0]}
  [ "$status" -eq 0 ] && echo "${0##*/}: done"
  return "$status"
}
