#!/bin/bash
# .ci/setup on machines that lack things: a PATH with stand-ins for the system.
set -u
fake=$TMP/bin
mkdir "$fake"
for tool in sh grep sort env; do ln -s "$(command -v $tool)" "$fake/$tool"; done

stand_in() { # name, body
  printf '#!/bin/sh\n%s\n' "$2" >"$fake/$1"
  chmod +x "$fake/$1"
}

number=0
expect() { # what, pattern of output, exit code
  local output status
  output=$(PATH=$fake /bin/sh .ci/setup demo 2>&1)
  status=$?
  number=$((number + 1))
  if [ "$status" -eq "$3" ] && grep -qE -- "$2" <<<"$output"; then
    echo "ok $number - $1"
  else
    echo "not ok $number - $1"
    printf 'status %s: %s\n' "$status" "$output" | sed 's/^/# /'
  fi
}

stand_in dpkg-query 'exit 1'
stand_in id 'echo 0'
expect "without apt it prints the packages and stops" \
  '^setup: missing, to be installed by hand .*: gcc .*liblua5.4-dev .*make' 1

stand_in apt-get 'echo "apt-get $*" >&2'
expect "as root it prints and installs what is missing" \
  '^setup: installing gcc .* pkg-config' 0
expect "apt-get gets the same list, after an update" \
  '^apt-get -qq -y --no-install-recommends install gcc .* pkg-config' 0

stand_in id 'echo 1000'
expect "without root and sudo it prints the packages and stops" \
  '^setup: missing, to be installed by hand' 1
stand_in sudo 'echo "sudo $*" >&2; exec "$@"'
expect "without root it goes through sudo" \
  '^sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq update' 0

stand_in apt-get 'exit 100'
expect "a failing apt-get is said, with the packages" \
  '^setup: apt-get failed; needed are: gcc' 1

stand_in dpkg-query 'echo installed'
expect "with nothing missing it says nothing" '^$' 0
echo "1..$number"
