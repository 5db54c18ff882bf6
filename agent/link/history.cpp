// SPDX-License-Identifier: GPL-3.0-or-later
#include "history.h"

#include "wire/eventcodec.h"
#include "wire/framing.h"

#include <algorithm>

namespace tasuki::link {

namespace {

/// Lets a replay end early, and tells that from a failure.
class Enough {
public:
    Result<void> operator()()
    {
        m_said = true;
        return Error{.kind = ErrorKind::System, .message = "enough"};
    }
    [[nodiscard]] bool isFailure(const Result<void>& replayed) const
    {
        return !replayed && !m_said;
    }

private:
    bool m_said = false;
};

Error damaged(const std::string& what)
{
    return Error{.kind = ErrorKind::Damaged, .message = "the run file has " + what};
}

} // namespace

Result<History> History::open(const std::filesystem::path& runFile)
{
    auto reader = RunFileReader::open(runFile);
    if (!reader)
        return reader.error();
    return History(std::move(*reader));
}

Result<bool> History::contains(EventId id)
{
    if (id.sequence.value() == 0)
        return false;
    bool found = false;
    Enough enough;
    const EventId before{id.epoch, Sequence(id.sequence.value() - 1)};
    auto replayed = m_reader.replay(
        [&](const Event& event) {
            found = event.id == id;
            return enough();
        },
        before, RunFileReader::Outputs::Skip);
    if (enough.isFailure(replayed))
        return replayed.error();
    return found;
}

Result<History::Chunk> History::after(EventId id, EventId upTo, std::size_t bytes)
{
    EventsEncoder encoder;
    Enough enough;
    auto replayed = m_reader.replay(
        [&](const Event& event) {
            if (event.id > upTo)
                return enough();
            if (event.id <= (encoder.count() == 0 ? id : encoder.last()))
                return Result<void>(damaged("events that are out of order"));
            encoder.add(event);
            const bool full = encoder.bytes() >= bytes || encoder.count() >= eventsPerMessage;
            return full || event.id == upTo ? enough() : Result<void>();
        },
        id, RunFileReader::Outputs::Totals);
    if (enough.isFailure(replayed))
        return replayed.error();
    if (encoder.count() == 0)
        return damaged("not all events that were written to it");
    const EventId last = encoder.last();
    auto framed = frame(encoder.take());
    if (!framed)
        return framed.error();
    return Chunk{std::move(*framed), last};
}

Result<OutputAnswer> History::output(const OutputQuery& query)
{
    return recordedOutput(m_reader, query);
}

} // namespace tasuki::link
