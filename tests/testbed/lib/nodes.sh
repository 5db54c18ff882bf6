# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Nodes are namespaces for the network, for the host name, and for the processes that mpirun starts
# there, which bind mounts in the state directory keep. Beside the nodes of the network there are `head`, where mpirun runs, and
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

# What is started on a node from another one has its first process as its ancestor, and nobody on the
# other node: as with two machines, nobody there can kill it, or is told of its end.
makeProcessSpace() {
    local name=$1
    : > "$state/ns/$name.pid"
    mkfifo "$state/ns/$name.fifo"
    # shellcheck disable=SC2016
    setsid unshare --pid="$state/ns/$name.pid" --fork --kill-child \
        bash -c 'trap exit TERM; while :; do read -r <> "$0"; done' "$state/ns/$name.fifo" \
        < /dev/null > /dev/null 2>&1 &
    printf '%d\n' $! > "$state/ns/$name.first"
    for ((attempt = 0; attempt < 100; ++attempt)); do
        ! isSpace "$state/ns/$name.pid" || return 0
        sleep 0.05
    done
    fail "no first process starts on $name"
}

# Ends whatever is in a node's namespace for processes.
endProcessSpace() {
    local name=$1 pid
    read -r pid < "$state/ns/$name.first" || return 0
    [[ $(stat -Lc %i "/proc/$pid/ns/pid_for_children" 2> /dev/null) == \
        "$(stat -Lc %i "$state/ns/$name.pid")" ]] && kill -KILL "$pid"
    return 0
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
    for file in "$state"/ns/*.first; do
        [[ -e $file ]] && endProcessSpace "$(basename "$file" .first)"
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

# Runs a command as on a node: its network, its host name, the nodes' names in /etc/hosts; with
# TASUKI_TESTBED_ROOT in that root directory, which gets /run and /tmp for as long, and in /tmp the
# directory that this is run in. With the directory TASUKI_TESTBED_OWN, its subdirectory `own` is one
# of the node's own there, which bears the node's name. The mounts end with the command.
onNode() {
    local name=$1
    shift
    # shellcheck disable=SC2016
    nsenter --net="$state/ns/$name.net" --uts="$state/ns/$name.uts" \
        unshare --mount sh -ec '
            state=$1 root=${2%/}
            shift 2
            if [ -z "$root" ]; then
                mount --bind "$state/hosts" /etc/hosts
                if [ -n "${TASUKI_TESTBED_OWN:-}" ]; then
                    mount --bind "$TASUKI_TESTBED_OWN/$(hostname)" "$TASUKI_TESTBED_OWN/own"
                fi
                exec "$@"
            fi
            mount --bind "$root" "$root" # the launch agent makes a mount space in there
            mount -t tmpfs tmpfs "$root/run"
            mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
            mkdir -p "$root$state" "$root$PWD"
            for each in /proc /sys /dev "$state" "$PWD"; do
                mount --rbind "$each" "$root$each"
            done
            mount --bind "$state/hosts" "$root/etc/hosts"
            exec chroot "$root" sh -c "cd \"\$0\" && exec \"\$@\"" "$PWD" "$@"
        ' sh "$state" "${TASUKI_TESTBED_ROOT:-}" "$@"
}
