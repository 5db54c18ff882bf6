// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordviews.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tasuki {

namespace {

constexpr std::size_t lineWidth = 79;

constexpr std::array taskColumns{
    RecordColumn{"id", "number of the task, from 0, in the order of the list"},
    RecordColumn{"line", "line of the list that it stands in; NULL: added by a window"},
    RecordColumn{"command", "what the shell is given"},
    RecordColumn{"state",
                 "queued, running, succeeded, failed, skipped, held, cancelled or removed"},
    RecordColumn{"attempts", "how many have begun"},
    RecordColumn{"outcome",
                 "of the latest attempt, as in attempts; NULL: it runs, or there is none"},
    RecordColumn{"code", "of the latest attempt, as in attempts"},
    RecordColumn{"elapsed_s", "seconds from the start to the end of the latest attempt"},
    RecordColumn{"rank", "where the latest attempt ran"},
    RecordColumn{"host", "of that rank"},
};

constexpr std::array attemptColumns{
    RecordColumn{"task", "number of its task"},
    RecordColumn{"attempt", "1 for the first one"},
    RecordColumn{"rank", "where it ran"},
    RecordColumn{"slot", "of that rank, from 0"},
    RecordColumn{"host", "of that rank"},
    RecordColumn{"started", "date and time, UTC, by the clock of that host"},
    RecordColumn{"elapsed_s", "seconds from start to end"},
    RecordColumn{"user_s", "seconds of processor time in its programs"},
    RecordColumn{"system_s", "seconds of processor time in the system"},
    RecordColumn{"max_rss_kib", "most memory that one of its processes had, in KiB"},
    RecordColumn{"outcome",
                 "succeeded, failed, signalled, timed out, cancelled, interrupted, lost or "
                 "not started; NULL: it runs, as far as is known"},
    RecordColumn{"code",
                 "exit status, number of the signal, or error number of what could not be started"},
    RecordColumn{"disposition", "what became of the task: final, retry or requeue"},
    RecordColumn{"stdout", "the beginning of its standard output"},
    RecordColumn{"stdout_bytes", "how much it wrote there in all"},
    RecordColumn{"stdout_kept", "how much of that the record keeps, beginning and end"},
    RecordColumn{"stderr", "the beginning of its standard error"},
    RecordColumn{"stderr_bytes", "how much it wrote there in all"},
    RecordColumn{"stderr_kept", "how much of that the record keeps, beginning and end"},
};

constexpr std::array logColumns{
    RecordColumn{"epoch", "1 for the first start of the run, one more with each resume"},
    RecordColumn{"sequence", "of the event in its epoch"},
    RecordColumn{"time", "date and time, UTC, by the clock of the system master's host"},
    RecordColumn{"event", "its kind"},
    RecordColumn{"task", "that it is about, if any"},
    RecordColumn{"attempt", "that it is about, if any"},
    RecordColumn{"rank", "that it is about, if any"},
    RecordColumn{"slot", "that it is about, if any"},
    RecordColumn{"text", "what happened, in words"},
};

constexpr std::array failoverColumns{
    RecordColumn{"epoch", "as in log"},
    RecordColumn{"sequence", "as in log"},
    RecordColumn{"time", "as in log"},
    RecordColumn{"place", "that was taken over: a rank, an I/O processor, a master"},
    RecordColumn{"incarnation",
                 "which holder of that place the new one is; NULL: the system master"},
    RecordColumn{"from_processor", "who was lost"},
    RecordColumn{"to_processor", "who stands there now"},
    RecordColumn{"cause", "of the loss: late, silent, stopped, gone, stuck, missing or ordered"},
    RecordColumn{"detection_ms", "from the loss until the verdict about it; NULL: not measured"},
    RecordColumn{"takeover_ms", "from the verdict until the new one acted; NULL: not measured"},
    RecordColumn{
        "lost",
        "date and time, UTC, of the loss, by the clock of the host that found it: the last "
        "sign of life, or when the end of the process was seen; NULL: not known"},
};

constexpr std::array alarmColumns{
    RecordColumn{"epoch", "as in log"},
    RecordColumn{"sequence", "as in log"},
    RecordColumn{"time", "as in log"},
    RecordColumn{"alarm", "processor lost, seat vacant, subcluster down or failure"},
    RecordColumn{"subject", "number of the processor, seat or subcluster"},
    RecordColumn{"text", "in words, if there are some"},
    RecordColumn{"acknowledged_by", "who has seen it; NULL: nobody"},
    RecordColumn{"acknowledged", "when"},
    RecordColumn{"until", "how long that holds; NULL: for good"},
    RecordColumn{"comment", "what was said then"},
};

constexpr std::array processorColumns{
    RecordColumn{"processor", "its number in the launch"},
    RecordColumn{"host", "where it runs"},
    RecordColumn{"pid", "of its agent"},
    RecordColumn{"subcluster", "that it belongs to"},
    RecordColumn{"unit", "that it belongs to"},
    RecordColumn{"kind", "active, standby, I/O or dedicated master"},
    RecordColumn{"seat", "number of the place that it holds; NULL: none"},
    RecordColumn{"health", "expected, alive, suspect, condemned, lost, fenced or left"},
    RecordColumn{"cause", "of its health, as in failovers, or none"},
    RecordColumn{"drained", "1: an operator keeps work from it"},
};

constexpr std::array views{
    RecordView{"tasks", "every task as it stands now", taskColumns},
    RecordView{"attempts", "every attempt", attemptColumns},
    RecordView{"log", "every event in words", logColumns},
    RecordView{"failovers", "places that another processor took over", failoverColumns},
    RecordView{"alarms", "what operators should look after", alarmColumns},
    RecordView{"processors_health", "every processor as it is now", processorColumns},
};

/// Breaks words into lines that begin at a column, but for the first, which stands there already.
std::string wrapped(std::string_view words, std::size_t indent)
{
    std::string text;
    std::size_t column = indent;
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(' '));
        words.remove_prefix(std::min(words.size(), word.size() + 1));
        if (column != indent && column + 1 + word.size() > lineWidth) {
            text += '\n' + std::string(indent, ' ');
            column = indent;
        } else if (column != indent) {
            text += ' ';
            ++column;
        }
        text += word;
        column += word.size();
    }
    return text;
}

} // namespace

std::span<const RecordView> recordViews() { return views; }

std::string recordViewsText()
{
    std::size_t width = 0;
    for (const RecordView& view : views) {
        for (const RecordColumn& column : view.columns)
            width = std::max(width, std::string_view(column.name).size());
    }
    const std::size_t indent = width + 4;
    std::string text;
    for (const RecordView& view : views) {
        text += (text.empty() ? "" : "\n") + std::string(view.name) + ": " + view.meaning + '\n';
        for (const RecordColumn& column : view.columns) {
            std::string name = "  " + std::string(column.name);
            name.resize(indent, ' ');
            text += name + wrapped(column.meaning, indent) + '\n';
        }
    }
    return text;
}

} // namespace tasuki
