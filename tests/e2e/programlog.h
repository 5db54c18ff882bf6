// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <QByteArray>
#include <QString>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

namespace tasuki::testing {

/// A message: sender, receiver, tag, bytes.
using Letter = std::tuple<std::uint32_t, std::uint32_t, std::int32_t, std::uint64_t>;

/// @return one line a message, sorted
QByteArray listed(std::vector<Letter> letters);

/// @return bytes of a message of the program tracee
std::uint64_t letterBytes(int tag, int sender);

/// Adds messages of each rank to the next one.
/// @param bytes  instead of letterBytes()
void addRing(std::vector<Letter>& letters, int ranks, int tag, int times = 1,
             std::optional<std::uint64_t> bytes = {});

/// The log of a traced program, and what can be asked of it.
class ProgramLog {
public:
    explicit ProgramLog(const QString& path);

    /// What is wrong with any log that has it, one line each: diagnostics of the reader, times that go
    /// back, calls that do not end, messages without one end or received before they were sent.
    [[nodiscard]] QByteArray problems() const { return m_problems; }
    [[nodiscard]] const trace::Trace& trace() const { return m_trace; }

    [[nodiscard]] std::vector<Letter> letters() const;
    /// @return "RECV 3, SEND 3, ...": how often a task was in each state, but for INIT and FINALIZE, and for
    ///         calls that wait for nobody, which are logged when they took long
    [[nodiscard]] QByteArray callsOf(std::uint32_t task) const;
    /// @return communicators of the messages of a tag
    [[nodiscard]] std::set<std::uint32_t> communicatorsOf(int tag) const;
    /// @return calls of a state and a task
    [[nodiscard]] std::vector<trace::Call> calls(std::string_view state, std::uint32_t task) const;
    [[nodiscard]] trace::CallDetail detailOf(const trace::Call& call) const;

private:
    void checkOrder();
    void checkMessage(const trace::Message& message);

    trace::Trace m_trace;
    QByteArray m_problems;
};

} // namespace tasuki::testing
