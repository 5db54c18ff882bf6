# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# How long a build with Ninja takes, how far it is, and how it ends cleanly. To be sourced, by what runs with set -e.

# Work is counted in thousandths of what the compilation of calibrate() takes. Measured over all that Tasuki is made
# of: what compiling a unit costs, what each file in it adds, both with Qt's headers, too, taking an object from ccache,
# and any other step.
readonly workOfUnit=3000 workOfFile=700 workOfQtUnit=6000 workOfQtFile=1150 workOfCached=40 workOfStep=500

declare -A workOf=() # of each output that was to be made when a plan was made

# planBuild DIRECTORY TARGET...   sets what is to be done there for these targets: $steps, $compilations, $cached (of
# these, what ccache has already), $work, and $heaviest, the work of the longest step. Fails when that is not known.
planBuild() {
    local directory=$1 listed line output each
    local -A commandOf=()
    shift
    steps=0 compilations=0 cached=0 work=0 heaviest=0
    makeHeaders "$directory"
    # By another name it has no rule for itself: otherwise Ninja plans to configure, and nothing else.
    printf 'include build.ninja\n' > "$directory/plan.ninja"
    listed=$(ninja -C "$directory" -f plan.ninja -n -v "$@" 2> /dev/null) || return 1
    while IFS= read -r line; do
        [[ $line == '['*/*']'* ]] || continue
        steps=$((steps + 1))
        if [[ $line =~ \ -o\ ([^ ]+)\ -c\ ([^ ]+)$ ]]; then
            commandOf[${BASH_REMATCH[1]}]=${line#*] }
        else
            work=$((work + workOfStep))
        fi
    done <<< "$listed"
    # shellcheck disable=SC2034  # for the caller
    compilations=${#commandOf[@]}
    local -a unknown=()
    for output in "${!commandOf[@]}"; do
        [[ -z ${workOf[$output]-} ]] || continue
        if isCached "$directory" "${commandOf[$output]}"; then
            workOf[$output]=$workOfCached
        else
            workOf[$output]=$(workOfCompilation "$directory" "${commandOf[$output]}")
            unknown+=("$output")
        fi
    done
    ((${#unknown[@]} == 0)) || sampleCache "$directory"
    for output in "${!commandOf[@]}"; do
        each=${workOf[$output]}
        work=$((work + each))
        ((each <= heaviest)) || heaviest=$each
        ((each > workOfCached)) || cached=$((cached + 1))
    done
}

# Without the headers that the build makes, ccache knows nothing that includes them. A failure is told by the build.
makeHeaders() {
    local headers
    headers=$(ninja -C "$1" -t targets all | sed -n 's/\(\.h\): CUSTOM_COMMAND$/\1/p') || return 0
    # shellcheck disable=SC2086  # words are meant
    [[ -z $headers ]] || ninja -C "$1" $headers > /dev/null 2>&1 || true
}

# What compiling a unit costs when ccache does not have it.
workOfCompilation() {
    local source=${2##* } files=1
    [[ $source != */Unity/unity_* ]] || files=$(grep -c '^#include' "$1/${source#"$1/"}") || files=1
    if [[ $2 == *-DQT_CORE_LIB* ]]; then
        printf '%d' $((workOfQtUnit + files * workOfQtFile))
    else
        printf '%d' $((workOfUnit + files * workOfFile))
    fi
}

# isCached DIRECTORY COMMAND [PREPROCESSOR]   whether ccache has what a compilation makes: then it is made. Otherwise
# the compiler is `false`, at once. Without a preprocessor, which takes a second, ccache knows what was compiled in
# this checkout alone.
isCached() {
    [[ $2 == *ccache\ * ]] || return 1
    (cd "$1" && CCACHE_NOSTATS=1 CCACHE_PREFIX=false CCACHE_PREFIX_CPP=${3-false} bash -c "$2") > /dev/null 2>&1
}

# sampleCache DIRECTORY   asks ccache for some of $unknown that may have been compiled in another checkout; of the
# others as large a part is taken for cached. With $commandOf of planBuild.
sampleCache() {
    local directory=$1 output number tried=0 found=0 rest=0 some=6
    command -v ccache > /dev/null || return 0
    [[ $(ccache --print-stats | awk '$1 == "files_in_cache" { print $2 }') -gt 0 ]] || return 0
    ((some <= ${#unknown[@]})) || some=${#unknown[@]}
    for ((number = 0; number < some; ++number)); do
        output=${unknown[number * ${#unknown[@]} / some]}
        tried=$((tried + 1))
        if isCached "$directory" "${commandOf[$output]}" ''; then
            found=$((found + 1))
            workOf[$output]=$workOfCached
        fi
    done
    for output in "${unknown[@]}"; do
        # Those that are as good as cached come first.
        ((found > 0 && workOf[$output] > workOfCached)) || continue
        rest=$((rest + found))
        if ((rest >= tried)); then
            rest=$((rest - tried))
            workOf[$output]=$workOfCached
        fi
    done
}

now() { date +%s%N | sed 's/......$//'; } # in milliseconds

# calibrate COMPILER JOBS   sets $msOfWork, what a thousand of work takes with so many compilations at a time, and
# $msAlone, what it takes a single one. Fails when that cannot be found out.
calibrate() {
    local compiler=$1 jobs=$2 directory started i child
    local -a children=()
    directory=$(mktemp -d) || return 1
    cat > "$directory/small.cpp" <<'END'
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>
std::map<std::string, std::vector<std::function<int(int)>>> table;
int use(const std::string& name, int value)
{
    auto& row = table[name];
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a(0) < b(0); });
    for (const auto& each : row)
        value = each(value);
    return value;
}
END
    started=$(now)
    for ((i = 0; i < jobs; ++i)); do
        "$compiler" -std=c++20 -O2 -g -c "$directory/small.cpp" -o "$directory/$i.o" > /dev/null 2>&1 &
        children+=($!)
    done
    local status=0
    for child in "${children[@]}"; do wait "$child" || status=1; done
    msAlone=$(($(now) - started))
    msOfWork=$((msAlone / jobs))
    rm -rf "$directory"
    ((status == 0 && msOfWork > 0))
}

# msFor WORK HEAVIEST   how long that takes, in milliseconds: one step may be longer than its share.
msFor() { printf '%d' $((($1 - $2) * msOfWork / 1000 + $2 * msAlone / 1000)); }

# A time in words, from milliseconds.
inWords() {
    local minutes=$((($1 + 30000) / 60000))
    if (($1 < 45000)); then printf 'less than a minute'
    elif ((minutes == 1)); then printf 'about a minute'
    else printf 'about %d minutes' "$minutes"; fi
}

# ---- a build that runs -------------------------------------------------------------------------

builder=''   # its process group
buildLog='' buildStarted=0 buildSteps=0 buildWork=0

# startBuild DIRECTORY LOG JOBS TARGET...   in the background, in a session of its own. With $gently: what else is
# done has the processors first. The plan is that of planBuild, for the same targets.
startBuild() {
    local directory=$1 jobs=$3
    buildLog=$2
    shift 3
    buildSteps=$steps buildWork=$work buildStarted=$(now)
    : > "$buildLog"
    # The kernel shares processors between sessions first, so niceness alone would not do.
    # shellcheck disable=SC2016  # for the inner shell
    NINJA_STATUS='[%f/%t] ' setsid bash -c '
        if [[ -n $1 ]]; then
            { printf 19 > /proc/self/autogroup; } 2> /dev/null
            renice -n 19 -p $$ > /dev/null
        fi
        shift
        exec ninja -C "$@"' build "${gently-}" "$directory" -j "$jobs" "$@" > "$buildLog" 2>&1 < /dev/null &
    builder=$!
}

# Gives a gentle build the same share as others again; its niceness stays, which only other users notice.
hurryBuild() { [[ -z $builder ]] || { printf 0 > "/proc/$builder/autogroup"; } 2> /dev/null || true; }

# Ends the build, if one runs, with all that it has started.
stopBuild() {
    local i
    [[ -n $builder ]] || return 0
    kill -TERM -- "-$builder" 2> /dev/null || true # Ninja ends its compilers
    for ((i = 0; i < 100; ++i)); do
        kill -0 -- "-$builder" 2> /dev/null || break
        sleep 0.1
    done
    kill -KILL -- "-$builder" 2> /dev/null || true
    wait "$builder" 2> /dev/null || true
    builder=''
}

# followBuild WHAT   shows how far the build is until it ends. Fails when it has failed, and says why.
followBuild() {
    local what=$1 line rest='' finished=0 done=0 seconds=0 shown=-30 left status=0 running=yes
    [[ -n $builder ]] || return 0 # nothing was to be done
    exec 5< "$buildLog"
    while true; do
        kill -0 "$builder" 2> /dev/null || running=no
        while IFS= read -r line <&5 || { rest+=$line; false; }; do
            line=$rest$line rest=''
            [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]] || continue
            finished=${BASH_REMATCH[1]} buildSteps=${BASH_REMATCH[2]}
            line=${BASH_REMATCH[3]##* }
            done=$((done + ${workOf[$line]:-workOfStep}))
        done
        [[ $running == yes ]] || break
        ((done <= buildWork)) || buildWork=$done
        left=''
        if [[ -n ${msOfWork-} ]]; then
            # What was expected counts as much as a fifth of the work, seen done.
            left=$((buildWork / 5 + 1))
            left=$(((buildWork - done) * (left * msOfWork / 1000 + $(now) - buildStarted) / (left + done)))
            left=", $(inWords "$left") left"
        fi
        if [[ -t 1 ]]; then
            printf '\r\033[K%s: %d of %d steps%s' "$what" "$finished" "$buildSteps" "$left"
        elif ((seconds - shown >= 30)); then
            printf '%s: %d of %d steps%s\n' "$what" "$finished" "$buildSteps" "$left"
            shown=$seconds
        fi
        sleep 1
        seconds=$((seconds + 1))
    done
    exec 5<&-
    [[ ! -t 1 ]] || printf '\r\033[K'
    wait "$builder" || status=$?
    builder=''
    if ((status == 0)); then
        printf '%s: built in %d s\n' "$what" $((($(now) - buildStarted) / 1000))
        return 0
    fi
    # From what failed first to the end, without steps that succeeded meanwhile.
    sed -n '/^FAILED: /,$p' "$buildLog" | grep -v '^\[[0-9]*/[0-9]*\]' | head -n 80 >&2
    [[ -n $(sed -n '/^FAILED: /p' "$buildLog") ]] || tail -n 20 "$buildLog" >&2
    printf 'quickstart: error: the build of %s has failed; its whole output is in %s\n' "$what" "$buildLog" >&2
    return 1
}
