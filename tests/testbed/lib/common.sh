# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What all scripts of the testbed use: messages, where a testbed lives, what its network is.
# The script that includes this has set `program` to its name.

readonly exitSkipped=77

fail() { printf '%s: error: %s\n' "$program" "$*" >&2; exit 1; }
refuse() { printf '%s: error: %s; see %s --help\n' "$program" "$*" "$program" >&2; exit 2; }
skip() { printf '%s: skipped: %s\n' "$program" "$*" >&2; exit "$exitSkipped"; }

# Sets `state`, the directory of testbed ID: everything outside the namespaces that it leaves.
useTestbed() {
    [[ $1 =~ ^[A-Za-z0-9_.-]+$ && $1 != .* ]] ||
        refuse "--id '$1': expected letters, digits, '-', '_' or '.'"
    state=${TASUKI_TESTBED_STATE:-/run/tasuki-testbed}/$1
}

# Prints the file of a network: one of networks/ by its name, or any by its path.
networkFile() {
    local file=$1
    [[ $file == */* ]] || file=$here/networks/$1.conf
    [[ -f $file ]] || refuse "network '$1': there is no $file"
    printf '%s\n' "$file"
}

# Sets nodes (names in order), loadOf, networkKind, reference, and limits ("line NODE RATE BURST" or
# "pair NODE NODE RATE BURST") from a network file.
readNetwork() {
    local file=$1 line number=0 name
    local -a words
    nodes=() limits=() networkKind='' reference=1
    declare -gA loadOf=()
    while IFS= read -r line || [[ -n $line ]]; do
        number=$((number + 1))
        read -ra words <<< "${line%%#*}"
        case "${words[0]:-}:${#words[@]}" in
            :0) ;;
            network:2) networkKind=${words[1]} ;;
            reference:2) reference=${words[1]} ;;
            node:3) nodes+=("${words[1]}"); loadOf[${words[1]}]=${words[2]} ;;
            line:4 | pair:5) limits+=("${words[*]}") ;;
            *) fail "$file:$number: '$line' is none of network, reference, node, line, pair with" \
                    "their words; see switch.conf" ;;
        esac
        for name in "${words[@]:1}"; do
            [[ $name =~ ^[A-Za-z0-9._]+$ ]] || fail "$file:$number: '$name' is no name or number"
        done
    done < "$file"
    [[ $networkKind == switch || $networkKind == direct ]] ||
        fail "$file: expected 'network switch' or 'network direct'"
    ((${#nodes[@]} > 0)) || fail "$file: expected at least one 'node NAME LOAD'"
}

# Prints the position of a node, from 0; fails when there is none of this name.
nodeIndex() {
    local index
    for index in "${!nodes[@]}"; do
        [[ ${nodes[index]} == "$1" ]] && { printf '%d\n' "$index"; return; }
    done
    return 1
}

# A build is found beside the sources, or where TASUKI_BUILD says. Prints the path of what it made.
built() {
    local file=$1 directory newest=''
    for directory in ${TASUKI_BUILD:+"$TASUKI_BUILD"} "$here"/../../build "$here"/../../build/*; do
        [[ -e $directory/tests/$file ]] || continue
        [[ -n ${TASUKI_BUILD:-} ]] && { newest=$directory/tests/$file; break; }
        [[ -z $newest || $directory/tests/$file -nt $newest ]] && newest=$directory/tests/$file
    done
    [[ -n $newest ]] ||
        fail "tests/$file is not built; build the project, and name its directory with --build"
    realpath -- "$newest"
}
