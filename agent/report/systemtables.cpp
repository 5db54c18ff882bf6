// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemtables.h"

#include "systemtext.h"

#include "domain/visibletext.h"

namespace tasuki {

namespace {

/// Fills up with blanks; longer texts are not cut.
std::string wide(const std::string& shown, std::size_t width)
{
    std::string text = visible(shown, Breaks::Blanks);
    if (text.size() < width)
        text.append(width - text.size(), ' ');
    return text + ' ';
}

std::string onRight(const std::string& text, std::size_t width)
{
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

constexpr std::size_t timeWidth = 23;
constexpr std::size_t placeWidth = 20;
constexpr std::size_t processorWidth = 20;
constexpr std::size_t causeWidth = 8;
constexpr std::size_t durationWidth = 13;
constexpr std::size_t eventWidth = 8;
constexpr std::size_t severityWidth = 8;
constexpr std::size_t acknowledgedWidth = 20;

} // namespace

std::string failoverHeading()
{
    return wide("when", timeWidth) + wide("lost", timeWidth) + wide("place", placeWidth)
        + wide("from", processorWidth) + wide("to", processorWidth) + wide("cause", causeWidth)
        + onRight("detection", durationWidth) + ' ' + onRight("takeover", durationWidth) + '\n';
}

std::string failoverRow(const Failover& failover)
{
    return wide(localTime(failover.at), timeWidth)
        + wide(failover.lostAt ? localTime(*failover.lostAt) : "-", timeWidth)
        + wide(placeName(failover), placeWidth)
        + wide(processorPhrase(failover.from).text(), processorWidth)
        + wide(processorPhrase(failover.to).text(), processorWidth)
        + wide(std::string(healthCauseName(failover.cause)), causeWidth)
        + onRight(durationText(failover.detection), durationWidth) + ' '
        + onRight(durationText(failover.takeover), durationWidth) + '\n';
}

std::string alarmHeading()
{
    return wide("event", eventWidth) + wide("when", timeWidth) + wide("severity", severityWidth)
        + wide("acknowledged", acknowledgedWidth) + "what\n";
}

std::string alarmRow(const Alarm& alarm, const std::string& text, WallTime now)
{
    const auto& said = alarm.acknowledgement;
    const std::string who = !said ? "no"
        : alarm.acknowledged(now) ? "by " + said->who
                                  : "no more, by " + said->who;
    std::string row = wide(eventIdText(alarm.id), eventWidth) + wide(localTime(alarm.at), timeWidth)
        + wide(alarm.severity == Severity::Failure ? "failure" : "warning", severityWidth)
        + wide(who, acknowledgedWidth) + visible(text, Breaks::Blanks);
    if (said && !said->comment.empty())
        row += " [" + visible(said->comment, Breaks::Blanks) + ']';
    return row + '\n';
}

} // namespace tasuki
