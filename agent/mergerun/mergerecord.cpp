// SPDX-License-Identifier: GPL-3.0-or-later
#include "mergerecord.h"

#include "startup/version.h"

#include <span>
#include <utility>

namespace tasuki {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds mergeStatusPause{500};

/// A merge has one world, and nobody takes a rank over.
Rank rankOf(ProcessorId processor) { return Rank(static_cast<std::int32_t>(processor.value())); }

} // namespace

Result<std::unique_ptr<MergeRecord>> MergeRecord::open(const MergeOptions& options, Setup setup,
                                                       Reactor& reactor, const Clock& clock)
{
    std::optional<TemporaryDirectory> own;
    std::optional<RunFileWriter> file = std::exchange(setup.file, std::nullopt);
    if (!file) {
        auto made = TemporaryDirectory::make("tasuki-merge.");
        if (!made)
            return made.error();
        own = std::move(*made);
        Result<RunFileWriter> created = RunFileWriter::create(own->path() / "merge.tasuki",
                                                              RunId::random());
        if (!created)
            return created.error();
        file = std::move(*created);
    }
    const fs::path path = own ? own->path() / "merge.tasuki" : fs::absolute(*options.runFile);
    std::unique_ptr<MergeRecord> record(
        new MergeRecord(std::move(setup), std::move(*file), std::move(own), reactor, clock));
    record->serve(options, path);
    return record;
}

MergeRecord::MergeRecord(Setup setup, RunFileWriter file,
                         std::optional<TemporaryDirectory> ownDirectory, Reactor& reactor,
                         const Clock& clock)
    : m_setup(std::move(setup)),
      m_ownDirectory(std::move(ownDirectory)),
      m_file(std::move(file)),
      m_reactor(reactor),
      m_clock(clock)
{
    m_recorder = std::make_unique<Recorder>(
        Epoch(1), m_clock, [this](std::span<const Event> events) { return m_file.append(events); },
        [this](std::function<void()> work) { m_reactor.post(std::move(work)); },
        Recorder::Options{});
    m_recorder->setCallbacks(
        {.committed =
             [this](std::vector<Event> events) {
                 if (m_server)
                     m_server->published(
                         std::make_shared<const std::vector<Event>>(std::move(events)));
             },
         .stalled = [this](const Error& error) { m_stall = error.text(); },
         .resumed = [this] { m_stall.clear(); }});
}

MergeRecord::~MergeRecord()
{
    if (m_recorder)
        finish();
}

bool MergeRecord::finish()
{
    m_recorder.reset();
    if (m_server)
        m_server->close("the merge has ended");
    m_server.reset();
    if (const Result<void> closed = m_file.close(); !closed)
        m_setup.say(closed.error().text());
    const auto trouble = m_file.trouble();
    if (trouble)
        m_setup.say(trouble->words);
    const bool kept = !m_ownDirectory;
    m_ownDirectory.reset();
    return !kept || !trouble;
}

void MergeRecord::serve(const MergeOptions& options, const fs::path& path)
{
    link::LinkCallbacks callbacks{
        .command =
            [this](const link::ClientLabel&, const OperatorCommand& command,
                   std::function<void(CommandAnswer)> reply) {
                CommandAnswer answer;
                answer.accepted = std::holds_alternative<StopRun>(command);
                if (answer.accepted)
                    m_reactor.post([this] { m_setup.stop(); });
                else
                    answer.reason = Phrase::tr("a merge has no tasks; it can only be stopped");
                reply(std::move(answer));
            },
        .output = [](const OutputQuery&,
                     const std::function<void(OutputAnswer)>& reply) { reply({}); },
        .task = [](TaskId,
                   const std::function<void(std::optional<Task>)>& reply) { reply(std::nullopt); },
        .log =
            [this](Severity severity, std::string line) {
                if (severity != Severity::Information)
                    m_reactor.post([this, line = std::move(line)] { m_setup.say(line); });
            }};
    Result<std::unique_ptr<link::LinkServer>> server = link::LinkServer::start(
        {.run = m_file.run(),
         .epoch = Epoch(1),
         .runFile = path,
         .title = "merge into " + options.output,
         .directory = fs::current_path().string(),
         .programVersion = programVersion,
         .serve = false,
         .tcp = options.listen,
         .accessDirectory = {},
         .socketDirectory = {},
         .limits = {}},
        std::move(callbacks));
    if (server)
        m_server = std::move(*server);
    else
        m_setup.say("windows cannot connect: " + server.error().text());
    append(RunOpened{.host = m_setup.host,
                     .version = programVersion,
                     .directory = fs::current_path().string(),
                     .taskList = "",
                     .processors = m_setup.processors,
                     .dedicatedMaster = false});
}

void MergeRecord::append(EventPayload payload)
{
    Event event{
        .id = {}, .wallTime = m_clock.wallNow(), .monotonic = {}, .payload = std::move(payload)};
    event.id = m_recorder->append(event.payload);
    // The merge is its own order of events: none of them can be out of place.
    const Result<void> fits = m_state.apply(event);
    if (!fits)
        m_setup.say("the record does not fit: " + fits.error().text());
}

void MergeRecord::joined(ProcessorId processor, const std::string& host, std::int64_t pid)
{
    const Rank rank = rankOf(processor);
    const auto known = m_state.processors().find(rank);
    if (known == m_state.processors().end()) {
        append(ProcessorJoined{
            .rank = rank, .incarnation = Incarnation(1), .host = host, .pid = pid, .slots = 0});
    }
}

void MergeRecord::lost(ProcessorId processor, LossCause cause)
{
    const Rank rank = rankOf(processor);
    const auto known = m_state.processors().find(rank);
    if (known != m_state.processors().end() && known->second.present)
        append(ProcessorLost{.rank = rank, .incarnation = Incarnation(1), .cause = cause});
}

void MergeRecord::note(Severity severity, std::string text)
{
    append(Notice{.severity = severity, .text = std::move(text)});
}

void MergeRecord::close(RunEnd end, std::chrono::microseconds elapsed)
{
    append(RunClosed{.end = end, .elapsed = elapsed});
}

void MergeRecord::tick(const std::string& phase)
{
    if (!m_server || m_clock.now() - m_lastStatus < mergeStatusPause)
        return;
    m_lastStatus = m_clock.now();
    m_server->status({.now = m_clock.wallNow(),
                      .phase = phase,
                      .stalled = m_stall,
                      .slots = 0,
                      .outstanding = 0,
                      .uncommitted = m_recorder->uncommitted(),
                      .recovery = false});
}

} // namespace tasuki
