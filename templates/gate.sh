#!/usr/bin/env bash
# Starts an environment, gates it, and ends it again. Everything is told by variables, as action.yml
# and the GitLab template set them; none of them is ever part of a script.
#
#   GATE_URL, or GATE_COMMAND, or GATE_DOCKERFILE; GATE_DIRECTORY, GATE_PORT, GATE_MANIFEST,
#   GATE_POLICY, GATE_BUDGET, GATE_BASELINE, GATE_MERGE, GATE_REQUIRE_COMPLETE,
#   GATE_WAIT_SECONDS, GATE_OUTPUT
#
# Exit codes are those of `envassay gate`: 0 pass or warn, 1 fail, 2 nothing answers, 3 wrong input.
set -u

url=${GATE_URL:-}
directory=${GATE_DIRECTORY:-.}
port=${GATE_PORT:-8000}
output=${GATE_OUTPUT:-envassay-gate}
child="" container="" image="" told=""

complain() { printf 'gate: %s\n' "$1" >&2; }

undecided() { # on the page of the run, where nothing else would stand; $1: the exit code
  [ -z "${GITHUB_ACTIONS:-}" ] || printf '::error title=envassay::nothing was decided, see the log\n'
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -z "$told" ]; then
    printf '## ❌ Nothing was decided\n\nThe gate ended with exit code %s: its log says why.\n' "$1" \
      >>"$GITHUB_STEP_SUMMARY"
  fi
}

end() {
  case $1 in 2 | 3) undecided "$1" ;; esac
  if [ -n "$child" ]; then
    kill -TERM -- "-$child" 2>/dev/null
    wait "$child" 2>/dev/null
    for _ in $(seq 50); do # what the command started may take longer than itself
      kill -0 -- "-$child" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL -- "-$child" 2>/dev/null
  fi
  if [ -n "$container" ]; then
    docker logs "$container" >"$output/server.log" 2>&1
    docker rm --force "$container" >/dev/null 2>&1
  fi
}
trap 'end $?' EXIT

given=0
for one in "$url" "${GATE_COMMAND:-}" "${GATE_DOCKERFILE:-}"; do
  [ -z "$one" ] || given=$((given + 1))
done
if [ "$given" != 1 ]; then
  complain "give one of url, command and dockerfile; $given were given"
  exit 3
fi
left=${GATE_WAIT_SECONDS:-120}
for one in "port $port" "wait-seconds $left"; do
  case ${one#* } in
    '' | *[!0-9]* | ?????????*) complain "${one%% *} is no number: ${one#* }"; exit 3 ;;
  esac
done
mkdir -p -- "$output" || exit 3
# Nothing of an earlier run, or of the repository itself, may be taken for what this run found.
for one in report.json junit.xml results.sarif gl-code-quality.json comment.md summary.md \
  server.log image; do
  rm -f -- "$output/$one" || exit 3
done
if [ -z "$url" ] && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
  complain "port $port is taken: another server answers there, which would be gated instead"
  exit 3
fi

trap 'exit 130' INT
trap 'exit 143' TERM

if [ -n "${GATE_COMMAND:-}" ]; then
  set -m # a group of its own, so that whatever the command starts ends with it
  (cd -- "$directory" && exec env PORT="$port" bash -c "$GATE_COMMAND") \
    >"$output/server.log" 2>&1 </dev/null &
  child=$!
  set +m
  url=http://127.0.0.1:$port
elif [ -n "${GATE_DOCKERFILE:-}" ]; then
  docker build --quiet --iidfile "$output/image" --file "$GATE_DOCKERFILE" -- "$directory" >&2 || {
    complain "the image was not built"
    exit 2
  }
  image=$(cat "$output/image")
  container=$(docker run --detach --publish "127.0.0.1:$port:8000" "$image") || {
    complain "the container did not start"
    exit 2
  }
  url=http://127.0.0.1:$port
fi

if [ -n "$child$container" ]; then
  until curl --silent --fail --max-time 5 --output /dev/null "$url/health"; do
    if [ -n "$child" ] && ! kill -0 "$child" 2>/dev/null; then
      complain "the command ended before it served $url; its last lines:"
      tail -n 5 -- "$output/server.log" >&2
      exit 2
    fi
    left=$((10#$left - 1))
    if [ "$left" -le 0 ]; then
      complain "nothing answers at $url/health after ${GATE_WAIT_SECONDS:-120} s; its last lines:"
      [ -z "$container" ] || docker logs --tail 5 "$container" >&2
      [ -z "$child" ] || tail -n 5 -- "$output/server.log" >&2
      exit 2
    fi
    sleep 1
  done
fi

words=(gate "$url" --policy "${GATE_POLICY:-author}" --budget "${GATE_BUDGET:-quick}"
  --home "$output/home" --no-track --json "$output/report.json" --junit "$output/junit.xml"
  --sarif "$output/results.sarif" --gitlab "$output/gl-code-quality.json"
  --markdown "$output/comment.md" --github-summary "$output/summary.md")
[ -z "${GATE_MANIFEST:-}" ] || words+=(--manifest "$GATE_MANIFEST")
[ -z "${GATE_BASELINE:-}" ] || words+=(--baseline "$GATE_BASELINE")
[ -z "${GATE_MERGE:-}" ] || words+=(--merge "$GATE_MERGE")
[ "${GATE_REQUIRE_COMPLETE:-false}" != true ] || words+=(--require-complete)
[ -z "${GITHUB_ACTIONS:-}" ] || words+=(--annotate)

${ENVASSAY_COMMAND:-envassay} "${words[@]}"
code=$?

if [ -f "$output/summary.md" ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  cat -- "$output/summary.md" >>"$GITHUB_STEP_SUMMARY"
  told=1
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  verdict=""
  if [ -f "$output/report.json" ]; then
    verdict=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["verdict"]["status"])' \
      "$output/report.json")
  fi
  printf 'verdict=%s\nreport=%s\n' "$verdict" "${output//$'\n'/}/report.json" >>"$GITHUB_OUTPUT"
fi
exit "$code"
