// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordserver.h"

#include "files/temporarydirectory.h"
#include "link/linkserver.h"
#include "runfile/runfilereader.h"

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki::relay {

namespace {

namespace fs = std::filesystem;

/// A task as the record defines it at last; none: it has no such task, or cannot be read.
std::optional<Task> recordedTask(const fs::path& record, TaskId wanted)
{
    auto reader = RunFileReader::open(record);
    if (!reader)
        return std::nullopt;
    std::optional<Task> found;
    const auto look = [&](auto& payload) {
        using Payload = std::remove_reference_t<decltype(payload)>;
        if constexpr (std::is_same_v<Payload, TaskAdded> || std::is_same_v<Payload, TaskChanged>)
            if (payload.id == wanted)
                found = std::move(payload.task);
    };
    const auto read = reader->replay(
        [&](Event event) {
            std::visit(look, event.payload);
            return Result<void>();
        },
        {}, RunFileReader::Outputs::Skip);
    return read ? found : std::nullopt;
}

link::LinkCallbacks answersOf(const fs::path& record)
{
    return {.command =
                [](const link::ClientLabel&, const OperatorCommand&,
                   const std::function<void(CommandAnswer)>& reply) {
                    reply({.accepted = false,
                           .reason = Phrase::tr(
                               "no agent works on this run: what is shown is its record"),
                           .details = {},
                           .conflicts = {}});
                },
            // Of attempts that run there are none; the link reads the others itself.
            .output = [](const OutputQuery&,
                         const std::function<void(OutputAnswer)>& reply) { reply({}); },
            .task =
                [record](TaskId task, const std::function<void(std::optional<Task>)>& reply) {
                    reply(recordedTask(record, task));
                },
            .log = [](Severity, const std::string&) {}};
}

} // namespace

class RecordServer::Impl {
public:
    Impl(TemporaryDirectory directory, RunFileReader reader, EventId last)
        : m_directory(std::move(directory)), m_reader(std::move(reader)), m_last(last)
    {}

    Result<void> serve(const fs::path& record)
    {
        auto server = link::LinkServer::start({.run = m_reader.run(),
                                               .epoch = m_last.epoch,
                                               .runFile = fs::absolute(record),
                                               .title = record.filename().native(),
                                               .directory = {},
                                               .programVersion = TASUKI_VERSION,
                                               .serve = false,
                                               .tcp = std::nullopt,
                                               .accessDirectory = m_directory.path(),
                                               .socketDirectory = m_directory.path(),
                                               .limits = {}},
                                              answersOf(record));
        if (!server)
            return server.error();
        m_server = std::move(*server);
        auto access = link::readAccessFile(m_server->access());
        if (!access)
            return access.error();
        m_access = std::move(*access);
        return {};
    }

    Result<void> renew()
    {
        const auto last = m_reader.lastEvent();
        if (!last)
            return last.error();
        if (*last <= m_last)
            return {};
        auto events = std::make_shared<std::vector<Event>>();
        const auto read = m_reader.replay(
            [&](Event event) {
                events->push_back(std::move(event));
                return Result<void>();
            },
            m_last, RunFileReader::Outputs::Totals);
        if (!read)
            return read;
        if (!events->empty()) {
            m_last = events->back().id;
            m_server->published(std::move(events));
        }
        return {};
    }

    [[nodiscard]] const link::AccessFile& access() const { return m_access; }

private:
    TemporaryDirectory m_directory; ///< outlives the server
    RunFileReader m_reader;
    EventId m_last;
    std::unique_ptr<link::LinkServer> m_server;
    link::AccessFile m_access;
};

Result<std::unique_ptr<RecordServer>> RecordServer::start(const fs::path& record)
{
    auto reader = RunFileReader::open(record);
    if (!reader)
        return reader.error();
    const auto last = reader->lastEvent();
    if (!last)
        return last.error();
    auto directory = TemporaryDirectory::make("tasuki-relay-");
    if (!directory)
        return directory.error();
    auto impl = std::make_unique<Impl>(std::move(*directory), std::move(*reader), *last);
    if (const auto served = impl->serve(record); !served)
        return served.error();
    return std::unique_ptr<RecordServer>(new RecordServer(std::move(impl)));
}

RecordServer::RecordServer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

RecordServer::~RecordServer() = default;

const link::AccessFile& RecordServer::access() const { return m_impl->access(); }

Result<void> RecordServer::renew() { return m_impl->renew(); }

} // namespace tasuki::relay
