// SPDX-License-Identifier: GPL-3.0-or-later
#include "programlog.h"

#include "trace/tracefile.h"

#include <QByteArrayList>
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace tasuki::testing {

QByteArray listed(std::vector<Letter> letters)
{
    std::ranges::sort(letters);
    QByteArray text;
    for (const auto& [from, to, tag, bytes] : letters) {
        text += QByteArray::number(from) + " -> " + QByteArray::number(to) + " tag "
            + QByteArray::number(tag) + ", " + QByteArray::number(bytes) + " bytes\n";
    }
    return text;
}

std::uint64_t letterBytes(int tag, int sender)
{
    return static_cast<std::uint64_t>(tag + sender) * sizeof(int);
}

void addRing(std::vector<Letter>& letters, int ranks, int tag, int times,
             std::optional<std::uint64_t> bytes)
{
    for (int rank = 0; rank < ranks; ++rank) {
        for (int time = 0; time < times; ++time) {
            letters.emplace_back(rank, (rank + 1) % ranks, tag,
                                 bytes.value_or(letterBytes(tag, rank)));
        }
    }
}

ProgramLog::ProgramLog(const QString& path)
{
    auto read = trace::readTraceFile(path.toStdString());
    if (!read) {
        m_problems = QByteArray::fromStdString(read.error().text());
        return;
    }
    for (const auto& diagnostic : read->diagnostics)
        m_problems += QByteArray::fromStdString(diagnostic.text()) + "\n";
    m_trace = std::move(read->trace);
    checkOrder();
    for (const trace::Message& message : m_trace.messages)
        checkMessage(message);
}

std::vector<Letter> ProgramLog::letters() const
{
    std::vector<Letter> all;
    for (const trace::Message& message : m_trace.messages) {
        all.emplace_back(message.from.value(), message.to.value(), message.tag, message.bytes);
    }
    return all;
}

QByteArray ProgramLog::callsOf(std::uint32_t task) const
{
    std::map<std::string, int> counts;
    for (const trace::Call& call : m_trace.calls) {
        if (call.task.value() == task && m_trace.stateOf(call).call != trace::MpiCall::Other)
            ++counts[m_trace.stateOf(call).name];
    }
    QByteArrayList parts;
    for (const auto& [name, count] : counts) {
        if (name != "INIT" && name != "FINALIZE") {
            parts.append(QByteArray::fromStdString(name) + " " + QByteArray::number(count));
        }
    }
    return parts.join(", ");
}

std::set<std::uint32_t> ProgramLog::communicatorsOf(int tag) const
{
    std::set<std::uint32_t> all;
    for (const trace::Message& message : m_trace.messages) {
        if (message.tag == tag)
            all.insert(message.communicator);
    }
    return all;
}

std::vector<trace::Call> ProgramLog::calls(std::string_view state, std::uint32_t task) const
{
    std::vector<trace::Call> found;
    std::ranges::copy_if(m_trace.calls, std::back_inserter(found), [&](const auto& call) {
        return call.task.value() == task && m_trace.stateOf(call).name == state;
    });
    return found;
}

trace::CallDetail ProgramLog::detailOf(const trace::Call& call) const
{
    return call.detail == trace::none ? trace::CallDetail{} : m_trace.details[call.detail];
}

void ProgramLog::checkOrder()
{
    std::map<std::uint32_t, std::int64_t> last;
    std::int64_t lastOfAll = 0;
    for (const trace::Event& event : m_trace.events) {
        auto& before = last.try_emplace(event.task.value(), 0).first->second;
        if (event.timeUs < before)
            m_problems += "time goes back in task " + QByteArray::number(event.task.value());
        before = event.timeUs;
        if (event.timeUs < lastOfAll)
            m_problems += "the log is not in the order of time\n";
        lastOfAll = event.timeUs;
    }
    for (const trace::Call& call : m_trace.calls) {
        if (call.endUs < call.beginUs || call.depth != 0)
            m_problems += "a call ends before it begins, or within another\n";
    }
}

void ProgramLog::checkMessage(const trace::Message& message)
{
    if (!message.matched()) {
        m_problems += "unmatched: "
            + listed({{message.from.value(), message.to.value(), message.tag, message.bytes}});
    } else if (m_trace.events[message.sent].timeUs > m_trace.events[message.received].timeUs) {
        m_problems += "received before it was sent\n";
    }
}

} // namespace tasuki::testing
