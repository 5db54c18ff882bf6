// SPDX-License-Identifier: GPL-3.0-or-later
#include "decisionwriter.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <vector>

namespace tasuki::hierarchy::testing {

namespace {

long long us(SteadyTime time)
{
    return std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch()).count();
}

std::string text(const Version& version)
{
    return std::to_string(version.term) + "." + std::to_string(version.revision);
}

std::string text(const std::vector<ProcessorId>& some)
{
    std::string out;
    for (const ProcessorId one : some)
        out += (out.empty() ? "" : ",") + std::to_string(one.value());
    return out.empty() ? "-" : out;
}

void put(std::ostream& out, const SystemTable& table)
{
    out << "system " << text(table.version) << (table.started ? " started " : " waits ")
        << text(table.voters) << ' ' << text(table.votersToBe) << '\n';
}

/// Of each processor NUMBER:HEALTH:CAUSE:LIFE:ENDED:PROMOTED:KIND:SEAT:INCARNATION.
void put(std::ostream& out, const ClusterTable& table)
{
    out << "cluster " << text(table.version) << ' ' << table.subcluster.value();
    for (const MemberRow& row : table.members) {
        out << ' ' << row.processor.value() << ':' << static_cast<int>(row.health) << ':'
            << static_cast<int>(row.cause) << ':' << row.life << ':' << (row.ended ? 1 : 0) << ':'
            << row.promoted << ':' << static_cast<int>(row.kind);
        if (row.seat)
            out << ':' << row.seat->value() << ':' << table.seat(*row.seat)->incarnation.value();
        else
            out << ":-:0";
    }
    out << '\n';
}

} // namespace

void DecisionWriter::begin(std::ostream& out, const Picture& picture,
                           const std::function<std::uint32_t(ProcessorId)>& hostOf)
{
    out << "membership 1 heartbeat "
        << std::chrono::microseconds(picture.system().settings.heartbeat).count() << '\n';
    for (std::uint32_t number = 0; number < picture.processorCount(); ++number) {
        const ProcessorId one(number);
        out << "processor " << number << " host " << hostOf(one) << " unit "
            << picture.member(one).unit.value() << '\n';
    }
    put(out << "first ", picture.system());
    for (std::uint32_t number = 0; number < picture.clusterCount(); ++number)
        put(out << "first ", picture.cluster(SubclusterId(number)));
}

std::ostream& DecisionWriter::line(const char* what)
{
    return m_out << us(m_true.now()) << ' ' << us(m_own.now()) << ' ' << m_self.value() << ' '
                 << what;
}

void DecisionWriter::stamped(const Stamp& stamp)
{
    line("stamps ") << stamp.when << ' ' << text(stamp.table)
                    << (stamp.candidate ? " candidate\n" : " master\n");
}

void DecisionWriter::acknowledged(const Stamp& stamp, SteadyTime made, bool alone)
{
    line("acknowledges ") << stamp.reign.value() << ' ' << stamp.when << ' ' << text(stamp.table)
                          << ' ' << us(made) << (alone ? " alone\n" : " divided\n");
}

void DecisionWriter::renounced(const Stamp& upTo)
{
    line("renounced ") << upTo.reign.value() << ' ' << upTo.when << '\n';
}

void DecisionWriter::counted(const Words& words)
{
    line("words ") << us(words.lease) << ' ' << us(words.grant) << ' ' << us(words.alone) << ' ';
    if (words.leaseBy)
        m_out << words.leaseBy->value() << ' ';
    else
        m_out << "- ";
    if (words.from)
        m_out << words.from->value() << '\n';
    else
        m_out << "-\n";
}

void DecisionWriter::countsAsEnded(ProcessorId processor, SteadyTime since)
{
    line("ended ") << processor.value() << ' ' << us(since) << '\n';
}

void DecisionWriter::became(Part part, Standing standing)
{
    constexpr std::array parts{"member", "leads", "acts", "fenced", "over"};
    constexpr std::array standings{" valid\n", " suspended\n", " lapsed\n"};
    line("is ") << parts.at(static_cast<std::size_t>(part))
                << standings.at(static_cast<std::size_t>(standing));
}

void DecisionWriter::wrote(const SystemTable& table) { put(line("writes "), table); }
void DecisionWriter::wrote(const ClusterTable& table) { put(line("writes "), table); }

void DecisionWriter::adopted(const SystemTable& table)
{
    line("adopts system ") << text(table.version) << '\n';
}

void DecisionWriter::adopted(const ClusterTable& table)
{
    line("adopts cluster ") << text(table.version) << ' ' << table.subcluster.value() << '\n';
}

void DecisionWriter::holds(const std::optional<Holding>& holding)
{
    if (holding)
        line("holds ") << holding->seat.value() << ' ' << holding->incarnation.value() << '\n';
    else
        line("holds -\n");
}

void DecisionWriter::beganLife(std::uint32_t life) { line("asks ") << life << '\n'; }

void DecisionWriter::ended() { line("dies\n"); }

} // namespace tasuki::hierarchy::testing
