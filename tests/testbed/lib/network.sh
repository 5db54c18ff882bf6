# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The wires of a testbed. Each node has the address 10.198.0.(10 + its position) for MPI, whatever
# the network, and another on a network without limits, by which mpirun starts and watches ranks.
# The addresses exist in the testbed's namespaces only, so all testbeds use the same ones.

readonly dataNetwork=10.198.0.0/24 controlNetwork=10.199.0.0/24
readonly headNumber=250

# A limit must never lose a packet: lost ones would be sent again after 200 ms. Senders wait for
# room in their sockets long before so much has gathered.
readonly queueLimit=64mb

# Connects a namespace to a bridge of the hub by a device of the given name.
plug() {
    local name=$1 device=$2 bridge=$3 address=$4
    inNetwork hub ip link add name "$bridge-$name" type veth \
        peer name "$device" netns "$state/ns/$name.net"
    inNetwork hub ip link set "$bridge-$name" master "$bridge" up
    inNetwork "$name" ip address add "$address" dev "$device"
    inNetwork "$name" ip link set "$device" up
}

# What leaves a namespace by the device leaves it at the rate, after so many bytes at once.
limit() {
    local name=$1 device=$2 rate=$3 burst=$4
    inNetwork "$name" tc qdisc add dev "$device" root tbf rate "$rate" burst "$burst" \
        limit "$queueLimit"
}

makeControlNetwork() {
    local index
    inNetwork hub ip link add name control type bridge
    inNetwork hub ip link set control up
    plug head control control "10.199.0.$headNumber/24"
    for index in "${!nodes[@]}"; do
        plug "${nodes[index]}" control control "10.199.0.$((10 + index))/24"
    done
}

makeSwitch() {
    local index words entry
    inNetwork hub ip link add name data type bridge
    inNetwork hub ip link set data up
    for index in "${!nodes[@]}"; do
        plug "${nodes[index]}" data data "10.198.0.$((10 + index))/24"
    done
    for entry in "${limits[@]}"; do
        read -ra words <<< "$entry"
        [[ ${words[0]} == line ]] || fail "a switch has no '$entry'; expected 'line NODE RATE'"
        limit "${words[1]}" data "${words[2]}" "${words[3]}"
        limit hub "data-${words[1]}" "${words[2]}" "${words[3]}"
    done
}

# Each node has its address on a device of no wire, and a route to each other node over the wire
# between the two.
makeDirectLinks() {
    local index words entry one other
    for index in "${!nodes[@]}"; do
        inNetwork "${nodes[index]}" ip link add name data type bridge
        inNetwork "${nodes[index]}" ip address add "10.198.0.$((10 + index))/32" dev data
        inNetwork "${nodes[index]}" ip link set data up
    done
    for entry in "${limits[@]}"; do
        read -ra words <<< "$entry"
        [[ ${words[0]} == pair ]] || fail "direct links have no '$entry'; expected 'pair A B RATE'"
        one=$(nodeIndex "${words[1]}") || fail "'$entry': there is no node ${words[1]}"
        other=$(nodeIndex "${words[2]}") || fail "'$entry': there is no node ${words[2]}"
        inNetwork "${words[1]}" ip link add name "to-${words[2]}" type veth \
            peer name "to-${words[1]}" netns "$state/ns/${words[2]}.net"
        wire "$one" "$other" "${words[3]}" "${words[4]}"
        wire "$other" "$one" "${words[3]}" "${words[4]}"
    done
}

wire() {
    local from=$1 to=$2 rate=$3 burst=$4
    local name=${nodes[from]} device=to-${nodes[to]}
    inNetwork "$name" ip link set "$device" up
    inNetwork "$name" ip route add "10.198.0.$((10 + to))/32" dev "$device" \
        src "10.198.0.$((10 + from))"
    limit "$name" "$device" "$rate" "$burst"
}

makeNetwork() {
    local index
    {
        printf '127.0.0.1 localhost\n10.199.0.%d head\n' "$headNumber"
        for index in "${!nodes[@]}"; do
            printf '10.199.0.%d %s\n' "$((10 + index))" "${nodes[index]}"
        done
    } > "$state/hosts"
    makeControlNetwork
    case $networkKind in
        switch) makeSwitch ;;
        direct) makeDirectLinks ;;
    esac
}

# Prints the address of a node on the network of mpirun, and on that of MPI.
controlAddress() { printf '%s\n' "${controlNetwork%.*}.$((10 + $(nodeIndex "$1")))"; }
dataAddress() { printf '%s\n' "${dataNetwork%.*}.$((10 + $(nodeIndex "$1")))"; }

# Whether an address can be reached: nobody listens at that port, so a refusal comes from there. Words
# behind it lead into the namespace that is asked.
hasWay() {
    local address=$1 answer
    shift
    answer=$("$@" env LC_ALL=C timeout 5 bash -c ": < /dev/tcp/$address/9" 2>&1 || :)
    [[ $answer == *refused* ]]
}
