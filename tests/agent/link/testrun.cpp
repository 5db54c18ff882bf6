// SPDX-License-Identifier: GPL-3.0-or-later
#include "testrun.h"

#include "eventcollector.h"

#include "runfile/runfilereader.h"

#include <cstdio>
#include <cstdlib>

namespace tasuki::testing {

namespace {

[[noreturn]] void giveUp(const std::string& why)
{
    std::fprintf(stderr, "%s\n", why.c_str());
    std::abort();
}

} // namespace

ScratchDirectory::ScratchDirectory()
{
    std::string name = (std::filesystem::temp_directory_path() / "tasuki-link-XXXXXX").native();
    if (!::mkdtemp(name.data()))
        giveUp("no temporary directory");
    m_path = name;
}

ScratchDirectory::~ScratchDirectory()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

TestRun::TestRun(std::uint32_t seed) : m_file(m_directory.path() / "run.tasuki"), m_history(seed)
{
    auto writer = RunFileWriter::create(m_file, m_id);
    if (!writer)
        giveUp(writer.error().text());
    m_writer.emplace(std::move(*writer));
}

TestRun::Batch TestRun::commit(std::size_t count) { return commit(m_history.more(count)); }

TestRun::Batch TestRun::commit(std::vector<Event> events)
{
    if (auto done = m_writer->append(events); !done)
        giveUp(done.error().text());
    return std::make_shared<const std::vector<Event>>(std::move(events));
}

TestRun::Batch TestRun::commitAttempts(std::uint32_t count, std::size_t outputBytes)
{
    std::vector<Event> events;
    EventId id = last();
    const auto add = [&](EventPayload payload) {
        id = id == EventId{} ? EventId{Epoch(1), Sequence(1)}
                             : EventId{id.epoch, id.sequence.next()};
        Event event;
        event.id = id;
        event.wallTime = WallTime(std::chrono::microseconds(id.sequence.value()));
        event.payload = std::move(payload);
        events.push_back(std::move(event));
    };
    if (id == EventId{})
        add(RunOpened{});
    const auto settings = std::make_shared<const TaskSettings>();
    for (std::uint32_t i = 0; i < count; ++i, ++m_tasks) {
        add(TaskAdded{TaskId(m_tasks), Task{"true", settings, nullptr}});
        AttemptFinished finished;
        finished.key = {TaskId(m_tasks), AttemptNumber(1)};
        finished.result.outcome = Outcome::Succeeded;
        finished.result.standardOutput = {std::string(outputBytes, 'o'), {}, outputBytes};
        add(std::move(finished));
    }
    return commit(std::move(events));
}

std::vector<Event> TestRun::recorded() const
{
    std::vector<Event> events;
    auto reader = RunFileReader::open(m_file);
    if (!reader)
        giveUp(reader.error().text());
    const auto replayed = reader->replay([&](Event event) {
        events.push_back(std::move(event));
        return Result<void>();
    });
    if (!replayed)
        giveUp(replayed.error().text());
    return streamed(std::move(events));
}

} // namespace tasuki::testing
