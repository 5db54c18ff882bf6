# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Farms on the nodes of a testbed, and what became of them: which tasks ran where and how often, and
# when each processor knew what. The script that includes this has set `testbed` and `agent`,
# and sources the other files of this directory first.

# Prints the agent: in the build, which is in TASUKI_TESTBED_ROOT if that is set.
builtAgent() {
    local file
    if [[ -n ${TASUKI_TESTBED_ROOT:-} ]]; then
        file=${TASUKI_BUILD:?--root needs --build}/bin/tasuki-agent
        [[ -x $TASUKI_TESTBED_ROOT/$file ]] || fail "there is no $file in $TASUKI_TESTBED_ROOT"
    else
        file=$(built ../bin/tasuki-agent) || exit
    fi
    printf '%s\n' "$file"
}

# Writes tasks that hold a lock each while they run: nothing runs in two places at a time unseen.
writeTasks() {
    local count=$1 seconds=$2 number
    mkdir locks
    touch starts ends together
    for ((number = 0; number < count; ++number)); do
        printf 'exec 9> locks/%d; flock -n 9 || echo %d >> together; ' $number $number
        printf 'echo %d $TASUKI_ATTEMPT $(hostname) >> starts; sleep %s; echo %d >> ends\n' \
            $number "$seconds" $number
    done > tasks.sh
}

# Prints the process of a processor by its number in the launch.
processOf() {
    local pid
    for pid in $(pgrep -x tasuki-agent); do
        # The environment is that of the process when it was started.
        if tr '\0' '\n' < "/proc/$pid/environ" 2> /dev/null | awk -v rank="$1" -v state="$state" '
            $0 == "OMPI_COMM_WORLD_RANK=" rank { ++found }
            $0 == "TASUKI_TESTBED_DIRECTORY=" state { ++found }
            END { exit found != 2 }'; then
            printf '%d\n' "$pid"
            return
        fi
    done
    return 1
}

# Prints the daemon of mpirun on a node.
daemonOf() {
    local pid
    for pid in $(processesOf "$1"); do
        case $(cat "/proc/$pid/comm" 2> /dev/null) in
            orted | prted) printf '%d\n' "$pid"; return ;;
        esac
    done
    return 1
}

# Prints how many processes of farms live on all nodes: processors, guardians, tasks.
farmProcesses() {
    local name pid
    for name in "${nodes[@]}"; do
        for pid in $(processesOf "$name"); do
            case $(cat "/proc/$pid/comm" 2> /dev/null) in
                tasuki-agent | tasuki-watcher | tasuki-guardian | sh | sleep) printf '%d\n' "$pid" ;;
            esac
        done
    done | wc -l
}

# Waits until all processors know that the farm has started; fails when that takes too long.
waitForStart() {
    local processors=$1
    for ((attempt = 0; attempt < 300; ++attempt)); do
        [[ $(cat health.* 2> /dev/null | grep -c ' started$') -lt $processors ]] || return 0
        kill -0 "$launched" 2> /dev/null || return 1
        sleep 0.1
    done
    return 1
}

# Prints after how many seconds the last of some processors knew a state of all of some others, or -
# when one never did; one that has left has no more to know, and who knows that the system master,
# processor 0, is silent has seen that its host is cut off. The first epoch counts: a run that is
# started again has others.
knownAfter() {
    local since=$1 states=$2 knowing=$3 others=$4
    cat health.* | awk -v since="$since" -v states="^($states)\$" -v knowing="$knowing" \
        -v others="$others" '
        $1 >= since && $2 == 1 && $4 == "processor" && $6 ~ states && !(($3, $5) in known) {
            known[$3, $5] = $1 - since
        }
        $1 >= since && $2 == 1 && $4 == "leaves" { left[$3] = $1 - since }
        $1 >= since && $2 == 1 && states ~ /suspect/ && others ~ /^0 / && /system master silent$/ &&
            !($3 in silent) { silent[$3] = $1 - since }
        END {
            processors = split(knowing, knows)
            count = split(others, other)
            for (i = 1; i <= processors; ++i) {
                for (k = 1; k <= count; ++k) {
                    when = ((knows[i], other[k]) in known) ? known[knows[i], other[k]] : left[knows[i]]
                    if (knows[i] in silent && (when == "" || silent[knows[i]] < when))
                        when = silent[knows[i]]
                    if (when == "") { print "-"; exit }
                    if (when > last) last = when
                }
            }
            if (count == 0) print "-"
            else printf "%.2f\n", last
        }'
}

# Prints who was given up by some processors and is not one of those who are lost.
wronglyGivenUp() {
    local since=$1 knowing=$2 others=$3
    cat health.* | awk -v since="$since" -v knowing=" $knowing " -v others=" $others " '
        $1 >= since && $2 == 1 && $4 == "processor" && $6 ~ /^(condemned|lost|fenced)$/ &&
            index(knowing, " " $3 " ") && !index(others, " " $5 " ") && !seen[$5]++ {
            printf "%s ", $5
        }'
}

# Sets finished, twice and again from the run file `record` and from what tasks have written: how many
# succeeded and ended, how many ended twice by the record or ran in two places at a time, and how many
# were begun once more, as their processor was lost.
countTasks() {
    "${testbed[@]}" exec head "$agent" show "$record" --events --format jsonl 2> /dev/null | sed -n \
        's/.*"kind":"attempt finished","task":\([0-9]*\),.*"outcome":"succeeded".*/\1/p' > succeeded
    finished=$(comm -12 <(sort -u succeeded) <(sort -u ends) | wc -l)
    twice=$({ sort succeeded | uniq -d; cat together; } | sort -u | wc -l)
    again=$(awk '{ print $1 }' starts | sort | uniq -d | wc -l)
}

# Sets beside, told and untold: how many processors went on after another one had their seat or lead by the run
# file `record`, as they say by their own --health-log (who was suspended stood still); how many the record says
# did; who of the former it does not name.
countOverlaps() {
    local since=$1 one
    "${testbed[@]}" exec head "$agent" show "$record" --events --format jsonl 2> /dev/null > events
    sed -n 's/.*"text":"processor \([0-9]*\)[^"]* went on as .*/\1/p; s/.*"text":"processor \([0-9]*\)[^"]* may have gone on as .*/\1/p' \
        events | sort -u > toldOf
    {
        cat health.* | awk -v since="$since" '$1 >= since && $2 == 1 &&
            ($4 == "suspended" || $4 == "lapsed" || ($4 == "gives" && $5 == "up")) && !seen[$3]++ &&
            $4 != "suspended" { print "stops", $3, $1 }'
        awk 'match($0, /"kind":"(seat taken|master changed)"/) {
            if ($0 ~ /"kind":"master changed"/ && $0 !~ /"role":"system"/) next
            if (!match($0, /"previous":[0-9]+/)) next
            previous = substr($0, RSTART + 11, RLENGTH - 11)
            if (!match($0, /"time":[0-9.]+/)) next
            print "taken", previous, substr($0, RSTART + 7, RLENGTH - 7)
        }' events
    } | awk '
        $1 == "stops" { stops[$2] = $3 }
        $1 == "taken" && !($2 in taken) { taken[$2] = $3 }
        END { for (one in taken) if (one in stops && stops[one] > taken[one]) print one }' | sort > wentOn
    beside=$(wc -l < wentOn)
    told=$(wc -l < toldOf)
    untold=$(comm -23 wentOn toldOf | tr '\n' ' ')
}
