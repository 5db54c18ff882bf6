// SPDX-License-Identifier: GPL-3.0-or-later
#include "failoverrecord.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace tasuki::testing {

namespace {

// Kinds of events, as in the table "kind": 6 processor joined, 9 attempt ended, 17 health changed,
// 18 seat taken, 19 seat vacated, 20 master changed.

/// A column with a detail of event e; NULL when it has none.
std::string detail(const std::string& name)
{
    return "(SELECT value FROM detail WHERE event = e.id AND name = '" + name + "')";
}

int numberOf(const std::string& text) { return text.empty() ? -1 : std::stoi(text); }

constexpr std::array<const char*, 7> healthNames{"expected", "alive",  "suspect", "condemned",
                                                 "lost",     "fenced", "left"};
constexpr std::array<const char*, 8> causeNames{"none", "late",  "silent",  "stopped",
                                                "gone", "stuck", "missing", "ordered"};
constexpr std::array<const char*, 3> masterNames{"unit", "cluster", "system"};

} // namespace

WallMicros wallNow()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

std::vector<std::string> FailoverRecord::problems(int tasks) const
{
    std::vector<std::string> found;
    const long long done = m_record.number("SELECT count(*) FROM tasks WHERE state = 'succeeded'");
    if (done != tasks) {
        found.push_back(std::to_string(done) + " tasks have succeeded, not "
                        + std::to_string(tasks));
    }
    for (const auto& row :
         m_record.query("SELECT task, sum(disposition = 0 AND outcome = 0) AS wins "
                        "FROM event WHERE kind = 9 GROUP BY task HAVING wins <> 1")) {
        found.push_back("task " + row[0] + " is recorded done " + row[1] + " times");
    }
    for (const auto& row : m_record.query(
             "SELECT seat, incarnation, count(DISTINCT holder) AS holders FROM (SELECT e.id >> 40 "
             "AS epoch, "
             + detail("seat") + " AS seat, " + detail("incarnation") + " AS incarnation, "
             + detail("holder")
             + " AS holder FROM event AS e WHERE e.kind = 18) GROUP BY epoch, seat, incarnation "
               "HAVING holders <> 1")) {
        found.push_back("seat " + row[0] + " incarnation " + row[1] + " has had " + row[2]
                        + " holders");
    }
    for (const auto& row : m_record.query(
             "SELECT rank, incarnation, count(DISTINCT pid) AS holders FROM (SELECT e.id >> 40 AS "
             "epoch, e.rank, "
             + detail("incarnation") + " AS incarnation, " + detail("pid")
             + " AS pid FROM event AS e WHERE e.kind = 6) GROUP BY epoch, rank, incarnation HAVING "
               "holders <> 1")) {
        found.push_back("rank " + row[0] + " incarnation " + row[1] + " was worked for by " + row[2]
                        + " processors");
    }
    return found;
}

std::vector<RecordedLoss> FailoverRecord::losses() const
{
    std::vector<RecordedLoss> found;
    for (const auto& row : m_record.query("SELECT " + detail("processor") + ", " + detail("cause")
                                          + ", e.wall_us, ifnull(" + detail("lost_us")
                                          + ", 0) FROM event AS e WHERE e.kind = 17 AND "
                                          + detail("health") + " IN (4, 5) ORDER BY e.id")) {
        found.push_back({.processor = numberOf(row[0]),
                         .cause = causeNames.at(static_cast<std::size_t>(numberOf(row[1]))),
                         .at = std::stoll(row[2]),
                         .lostAt = std::stoll(row[3])});
    }
    return found;
}

std::optional<RecordedLoss> FailoverRecord::lossOf(int processor) const
{
    const auto all = losses();
    const auto found = std::ranges::find(all, processor, &RecordedLoss::processor);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

std::vector<RecordedTakeover> FailoverRecord::takeovers() const
{
    std::vector<RecordedTakeover> found;
    for (
        const auto& row : m_record.query(
            "SELECT " + detail("seat")
            + ", f.incarnation, f.place, f.from_processor, f.to_processor, e.wall_us, "
              "f.takeover_ms, f.detection_ms FROM failovers AS f JOIN event AS e ON e.id = (f.epoch << 40 | "
              "f.sequence) ORDER BY e.id")) {
        found.push_back({.seat = numberOf(row[0]),
                         .incarnation = numberOf(row[1]),
                         .place = row[2],
                         .from = numberOf(row[3]),
                         .to = numberOf(row[4]),
                         .at = std::stoll(row[5]),
                         .takeoverMs = row[6].empty() ? 0 : std::stod(row[6]),
                         .detectionMs = row[7].empty() ? 0 : std::stod(row[7])});
    }
    return found;
}

std::vector<RecordedMaster> FailoverRecord::masters() const
{
    std::vector<RecordedMaster> found;
    for (const auto& row : m_record.query("SELECT " + detail("role") + ", " + detail("processor")
                                          + ", e.wall_us FROM event AS e WHERE e.kind = 20 "
                                            "ORDER BY e.id")) {
        found.push_back({.role = masterNames.at(static_cast<std::size_t>(numberOf(row[0]))),
                         .processor = numberOf(row[1]),
                         .at = std::stoll(row[2])});
    }
    return found;
}

WallMicros FailoverRecord::joined(int rank, int incarnation) const
{
    return m_record.number("SELECT e.wall_us FROM event AS e WHERE e.kind = 6 AND e.rank = "
                           + std::to_string(rank) + " AND " + detail("incarnation") + " = "
                           + std::to_string(incarnation) + " ORDER BY e.id LIMIT 1");
}

WallMicros FailoverRecord::firstStart(int rank, WallMicros after) const
{
    return m_record.number(
        "SELECT ifnull(min(started_us), 0) FROM event WHERE kind IN (8, 9) AND rank = "
        + std::to_string(rank) + " AND started_us > " + std::to_string(after));
}

long long FailoverRecord::timesSaid(int processor, const std::string& health,
                                    std::optional<WallMicros> before) const
{
    const auto place = std::ranges::find(healthNames, health);
    return m_record.number("SELECT count(*) FROM event AS e WHERE e.kind = 17 AND "
                           + detail("processor") + " = " + std::to_string(processor) + " AND "
                           + detail("health") + " = " + std::to_string(place - healthNames.begin())
                           + (before ? " AND e.wall_us < " + std::to_string(*before) : ""));
}

std::vector<int> FailoverRecord::vacated() const
{
    std::vector<int> found;
    for (const auto& row : m_record.query("SELECT " + detail("seat")
                                          + " FROM event AS e WHERE e.kind = 19 ORDER BY e.id")) {
        found.push_back(numberOf(row[0]));
    }
    return found;
}

} // namespace tasuki::testing
