# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Nodes are pairs of namespaces, for the network and for the host name, which bind mounts in the
# state directory keep. Beside the nodes of the network there are `head`, where mpirun runs, and
# `hub`, which holds the bridges. None of them is connected to the machine's own network.

readonly -a helpers=(head hub)

requireNamespaces() {
    local tool reason
    ((EUID == 0)) || skip 'needs root'
    for tool in ip tc nsenter unshare; do
        type -P "$tool" > /dev/null || skip "there is no '$tool' here"
    done
    # Variables of the inner shell.
    # shellcheck disable=SC2016
    reason=$(unshare --net --uts --mount sh -ec '
        hostname probe
        ip link add name one type veth peer name other
        ip link add name both type bridge
        tc qdisc add dev one root tbf rate 10mbit burst 2kb limit 100kb' 2>&1) ||
        skip "namespaces, bridges or tbf are refused: ${reason%%$'\n'*}"
}

# A namespace's processes are those that share its network.
processesOf() {
    local name=$1 space
    space=$(stat -Lc %i "$state/ns/$name.net") || return 0
    find /proc -maxdepth 3 -path '/proc/[0-9]*/ns/net' -lname "net:\[$space\]" 2> /dev/null |
        cut -d/ -f3
}

makeNode() {
    local name=$1
    : > "$state/ns/$name.net"
    : > "$state/ns/$name.uts"
    unshare --net="$state/ns/$name.net" --uts="$state/ns/$name.uts" hostname "$name"
    # Connections start alike in each run; there is nothing to find out from the run before.
    inNetwork "$name" sh -ec '
        cd /proc/sys/net/ipv4
        echo 1 > tcp_no_metrics_save
        echo 0 > tcp_slow_start_after_idle
        [ ! -d ../ipv6 ] || echo 1 > ../ipv6/conf/all/disable_ipv6
        ip link set lo up'
}

isSpace() { [[ $(stat -fc %T "$1" 2> /dev/null) == nsfs ]]; }

# Ends what runs in a namespace that may be half made.
endProcesses() {
    local name=$1 signal pid attempt
    local -a pids
    isSpace "$state/ns/$name.net" || return 0
    for signal in TERM KILL; do
        for attempt in 1 2 3 4 5 6 7 8 9 10; do
            mapfile -t pids < <(processesOf "$name")
            ((${#pids[@]} > 0)) || return 0
            for pid in "${pids[@]}"; do
                [[ $attempt != 1 ]] || kill -s "$signal" "$pid" 2> /dev/null || :
            done
            sleep 0.1
        done
    done
    printf '%s: warning: process %s of %s does not end\n' "$program" "${pids[*]}" "$name" >&2
}

# Undoes everything of a testbed, whatever it had come to.
removeTestbed() {
    local file
    for file in "$state"/ns/*.net; do
        [[ -e $file ]] && endProcesses "$(basename "$file" .net)"
    done
    for file in "$state"/ns/*; do
        isSpace "$file" && umount "$file"
    done
    rm -rf -- "$state"
    rmdir -- "$(dirname "$state")" 2> /dev/null || :
}

# Runs a command in a node's network alone.
inNetwork() {
    local name=$1
    shift
    nsenter --net="$state/ns/$name.net" "$@"
}

# Runs a command as on a node: its network, its host name, the nodes' names in /etc/hosts. The
# mounts end with the command.
onNode() {
    local name=$1
    shift
    # shellcheck disable=SC2016
    nsenter --net="$state/ns/$name.net" --uts="$state/ns/$name.uts" \
        unshare --mount sh -c 'mount --bind "$0" /etc/hosts && exec "$@"' "$state/hosts" "$@"
}
