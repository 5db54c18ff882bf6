// SPDX-License-Identifier: GPL-3.0-or-later
#include "decisionwriter.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::hierarchy {

namespace {

std::string us(SteadyTime time)
{
    return std::to_string(
        std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch()).count());
}

std::string text(std::optional<ProcessorId> one)
{
    return one ? std::to_string(one->value()) : "-";
}

std::string text(const Version& version)
{
    return std::to_string(version.term.value()) + "." + std::to_string(version.revision);
}

std::string text(const std::vector<ProcessorId>& some)
{
    std::string out;
    for (const ProcessorId one : some)
        out += (out.empty() ? "" : ",") + text(one);
    return out.empty() ? "-" : out;
}

std::string text(const SystemTable& table)
{
    return "system " + text(table.version) + (table.started ? " started " : " waits ")
        + text(table.voters) + ' ' + text(table.votersToBe);
}

/// Of each processor NUMBER:HEALTH:CAUSE:LIFE:ENDED:PROMOTED:KIND:SEAT:INCARNATION.
std::string text(const ClusterTable& table)
{
    std::string out = "cluster " + text(table.version) + ' '
        + std::to_string(table.subcluster.value());
    for (const MemberRow& row : table.members) {
        out += ' ' + text(row.processor);
        for (const std::uint32_t number :
             {static_cast<std::uint32_t>(row.health), static_cast<std::uint32_t>(row.cause),
              row.life.value(), row.ended ? 1U : 0U, row.promoted,
              static_cast<std::uint32_t>(row.kind)})
            out += ':' + std::to_string(number);
        out += row.seat ? ':' + std::to_string(row.seat->value()) + ':'
                + std::to_string(table.seat(*row.seat)->incarnation.value())
                        : ":-:0";
    }
    return out;
}

} // namespace

std::string DecisionWriter::head(const MembershipView& view,
                                 const std::function<std::uint32_t(ProcessorId)>& hostOf)
{
    std::string out = "membership 1 heartbeat "
        + std::to_string(std::chrono::microseconds(view.system().settings.heartbeat).count())
        + '\n';
    for (std::uint32_t number = 0; number < view.processorCount(); ++number) {
        const ProcessorId one(number);
        out += "processor " + text(one) + " host " + std::to_string(hostOf(one)) + " unit "
            + std::to_string(view.member(one).unit.value()) + '\n';
    }
    out += "first " + text(view.system()) + '\n';
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number)
        out += "first " + text(view.cluster(SubclusterId(number))) + '\n';
    return out;
}

void DecisionWriter::say(const std::string& what)
{
    m_write(us(m_true.now()) + ' ' + us(m_own.now()) + ' ' + text(m_self) + ' ' + what + '\n');
}

void DecisionWriter::stamped(const Stamp& stamp)
{
    say("stamps " + std::to_string(stamp.when) + ' ' + text(stamp.table)
        + (stamp.candidate ? " candidate" : " master"));
}

void DecisionWriter::acknowledged(const Stamp& stamp, SteadyTime made, bool alone)
{
    say("acknowledges " + text(stamp.leader) + ' ' + std::to_string(stamp.when) + ' '
        + text(stamp.table) + ' ' + us(made) + (alone ? " alone" : " divided"));
}

void DecisionWriter::renounced(const Stamp& upTo)
{
    say("renounced " + text(upTo.leader) + ' ' + std::to_string(upTo.when));
}

void DecisionWriter::counted(const Words& words)
{
    say("words " + us(words.lease) + ' ' + us(words.grant) + ' ' + us(words.alone) + ' '
        + text(words.leaseBy) + ' ' + text(words.from));
}

void DecisionWriter::countsAsEnded(ProcessorId processor, SteadyTime since)
{
    say("ended " + text(processor) + ' ' + us(since));
}

void DecisionWriter::became(Part part, Standing standing)
{
    constexpr std::array parts{"member", "leads", "acts", "fenced", "over"};
    constexpr std::array standings{" valid", " suspended", " lapsed"};
    say(std::string("is ") + parts.at(static_cast<std::size_t>(part))
        + standings.at(static_cast<std::size_t>(standing)));
}

void DecisionWriter::wrote(const SystemTable& table) { say("writes " + text(table)); }
void DecisionWriter::wrote(const ClusterTable& table) { say("writes " + text(table)); }

void DecisionWriter::adopted(const SystemTable& table)
{
    say("adopts system " + text(table.version));
}

void DecisionWriter::adopted(const ClusterTable& table)
{
    say("adopts cluster " + text(table.version) + ' ' + std::to_string(table.subcluster.value()));
}

void DecisionWriter::holds(const std::optional<Holding>& holding)
{
    say(holding ? "holds " + std::to_string(holding->seat.value()) + ' '
                + std::to_string(holding->incarnation.value())
                : std::string("holds -"));
}

void DecisionWriter::beganLife(Life life) { say("asks " + std::to_string(life.value())); }

void DecisionWriter::ended() { say("dies"); }

} // namespace tasuki::hierarchy
