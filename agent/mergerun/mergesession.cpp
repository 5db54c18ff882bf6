// SPDX-License-Identifier: GPL-3.0-or-later
#include "mergesession.h"

#include "startup/commandline.h"
#include "startup/exitcode.h"
#include "startup/terminal.h"

#include <boost/asio/io_context.hpp>

#include <csignal>
#include <fstream>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds tickPause{100};
/// The last messages get so long to leave this rank.
constexpr std::chrono::seconds lastMessagesLimit{2};
/// mpirun hands signals to all ranks at once: the one that coordinates tells the others what to do.
constexpr std::chrono::seconds interruptPatience{1};

/// @return the most memory that this process has held, as the system counts it
std::uint64_t peakBytes()
{
    std::ifstream status("/proc/self/status");
    constexpr std::uint64_t unit = 1024;
    for (std::string word; status >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes)
            return kibibytes * unit;
    }
    return 0;
}

const char* phaseWord(merge::Exchange::Phase phase)
{
    using Phase = merge::Exchange::Phase;
    switch (phase) {
    case Phase::Gathering: return "gathering";
    case Phase::Exchanging: return "exchanging";
    case Phase::Done: return "comparing";
    case Phase::Agreed: return "writing";
    case Phase::Over: break;
    }
    return "over";
}

} // namespace

MergeSession::MergeSession(Setup setup, merge::MergeMap map, Transport& transport,
                           const Clock& clock)
    : m_setup(std::move(setup)),
      m_transport(transport),
      m_clock(clock),
      m_host(hostIdentity()),
      m_reactor(clock),
      m_poll([this] { return pollOnce(); }),
      m_tick(m_reactor),
      m_stopTimer(m_reactor),
      m_signals(m_reactor.context(), [this](int) { interrupt(); }),
      m_launcher(m_reactor.context(), m_setup.launch, [this](const char* what) { abandon(what); }),
      m_reporter(m_setup.options, clock, launchTerminalColumns()),
      m_exchange(exchangeOptions(), std::move(map), transport, clock, observer()),
      m_begun(clock.now())
{
    m_transport.setHandler([this](ProcessorId from, Message message) {
        m_exchange.receive(from, std::move(message));
    });
    if (m_setup.master)
        present(ProcessorId(0), {.pid = *m_setup.master, .hostKey = m_host.key});
    if (m_transport.self() == ProcessorId(0))
        openRecord();
}

MergeSession::~MergeSession()
{
    m_written.cancelled = true;
    joinWriter();
}

merge::ExchangeOptions MergeSession::exchangeOptions()
{
    const MergeOptions& options = m_setup.options;
    merge::ExchangeOptions wanted{.keep = options.keep,
                                  .score = options.score,
                                  .exactScores = m_setup.exactScores,
                                  .lostAfter = options.lostAfter,
                                  .pace = {},
                                  .place = {.pid = ::getpid(), .hostKey = m_host.key},
                                  .listing = {},
                                  .peakBytes = peakBytes};
    if (options.beforeAfter) {
        wanted.listing = [rank = m_transport.self()](const merge::MergeMap& map) {
            return merge::mapListing(static_cast<int>(rank.value()), map.folded());
        };
    }
    return wanted;
}

merge::ExchangeObserver MergeSession::observer()
{
    return {
        .present = [this](ProcessorId rank, const merge::Place& place) { present(rank, place); },
        .began = [this](const merge::ViewId&, const merge::View& view,
                        const std::string& reason) { began(view, reason); },
        .roundEnded = [this](const merge::RoundReport& report) { roundEnded(report); },
        .lost = [this](ProcessorId rank, bool gone) { lost(rank, gone); },
        .agreed = [this] { keepResult(); }};
}

MergeEnd MergeSession::run()
{
    m_exchange.start();
    m_reactor.add(m_poll);
    m_reactor.run();
    m_reactor.remove(m_poll);
    int code = m_exitCode ? *m_exitCode : exitCode();
    if (m_record && !m_record->finish())
        code = toInt(ExitCode::RunFileUnusable);
    m_record.reset();
    return {.exitCode = code,
            .speaks = speaks(),
            .losses = m_exchange.membership().living().size() < m_transport.size()
                || m_transport.pending() > 0,
            .abandoned = m_abandoned};
}

void MergeSession::takeLeave()
{
    if (!m_overSince) {
        m_overSince = m_clock.now();
        m_exitCode = exitCode();
        if (m_record) {
            m_record->close(
                m_exchange.safe() ? RunEnd::Complete : RunEnd::Interrupted,
                std::chrono::duration_cast<std::chrono::microseconds>(m_clock.now() - m_begun));
        }
    }
    // The last messages must leave, but a rank that does not take them is not waited for, and
    // neither is a record that cannot be written.
    const bool told = m_transport.pending() == 0 && m_exchange.quiet()
        && (!m_record || m_record->settled());
    if (told || m_clock.now() - *m_overSince > lastMessagesLimit)
        m_reactor.stop();
}

bool MergeSession::speaks() const
{
    return m_exchange.membership().coordinates() && !m_exchange.leftBehind();
}

// ---- what the exchange tells

void MergeSession::present(ProcessorId rank, const merge::Place& place)
{
    if (m_record)
        m_record->joined(rank, place.hostKey == m_host.key ? m_host.name : place.hostKey,
                         place.pid);
    if (rank == m_transport.self() || place.hostKey != m_host.key || m_watches.count(rank) != 0)
        return;
    m_watches[rank] = std::make_unique<ProcessWatch>(
        m_reactor.context(), static_cast<pid_t>(place.pid),
        [this, rank] { m_exchange.processGone(rank); });
    m_places[rank] = place;
}

void MergeSession::began(const merge::View& view, const std::string& reason)
{
    const bool first = m_view.members.empty();
    m_view = view;
    if (!speaks())
        return;
    if (m_setup.options.beforeAfter && first) {
        std::vector<std::string> listings;
        for (const auto& [rank, hello] : m_exchange.hellos())
            listings.push_back(hello.listing);
        m_reporter.list("before", listings);
    }
    if (m_setup.options.verbose)
        m_reporter.explain(reason);
    if (m_record)
        m_record->note(Severity::Information, reason);
}

void MergeSession::roundEnded(const merge::RoundReport& report)
{
    if (!speaks())
        return;
    const std::string text = MergeReporter::roundText(m_view, report);
    if (m_setup.options.verbose)
        m_reporter.explain(text);
    if (m_record)
        m_record->note(Severity::Information, text);
}

void MergeSession::lost(ProcessorId rank, bool gone)
{
    const auto place = m_places.find(rank);
    // A rank that sleeps on could not be told from one that goes on alone.
    if (!gone && place != m_places.end())
        ::kill(static_cast<pid_t>(place->second.pid), SIGKILL);
    if (m_record)
        m_record->lost(rank, gone ? LossCause::Gone : LossCause::Silent);
    if (speaks()) {
        say(Severity::Warning,
            "rank " + std::to_string(rank.value())
                + (gone ? " has died" : " is silent and was given up") + ": the others go on");
    }
}

void MergeSession::keepResult()
{
    if (m_setup.options.beforeAfter) {
        std::vector<std::string> listings;
        for (const auto& [rank, done] : m_exchange.dones())
            listings.push_back(done.listing);
        m_reporter.list("after", listings);
    }
    m_writer = std::thread([this, path = m_setup.options.output, map = m_exchange.sharedResult()] {
        m_writeResult = merge::writeMapFile(path, *map, m_written);
        m_reactor.post([this] { takeWritten(); });
    });
}

void MergeSession::joinWriter()
{
    if (m_writer.joinable())
        m_writer.join();
}

void MergeSession::takeWritten()
{
    joinWriter();
    if (m_exchange.over())
        return;
    const bool wrote = m_writeResult->ok();
    if (m_record && wrote) {
        m_record->note(Severity::Information,
                       "merged into " + m_setup.options.output + ": "
                           + MergeReporter::resultText(m_exchange.result(), m_written.bytes,
                                                       m_clock.now() - m_begun));
    }
    m_exchange.finish(wrote);
}

// ---- the end

std::string MergeSession::missingText() const
{
    std::string names;
    const std::vector<std::string>& files = m_setup.options.files;
    for (std::size_t index = 0; index < files.size(); ++index) {
        const ProcessorId reader(
            static_cast<ProcessorId::Representation>(index % m_transport.size()));
        if (!m_exchange.membership().living(reader))
            names += (names.empty() ? "" : ", ") + files[index];
    }
    return names;
}

int MergeSession::exitCode()
{
    joinWriter();
    if (m_interrupted || m_abandoned) {
        if (speaks()) {
            const bool wrote = m_writeResult && m_writeResult->ok();
            m_reporter.say(wrote ? "interrupted, but " + m_setup.options.output
                                   + " was complete already"
                                 : std::string("interrupted: nothing was written"));
        }
        return toInt(ExitCode::Interrupted);
    }
    if (m_writeResult && !m_writeResult->ok()) {
        printError(m_writeResult->error());
        return toInt(ExitCode::RunFileUnusable);
    }
    if (m_exchange.failure()) {
        printError(*m_exchange.failure());
        return toInt(ExitCode::NoReport);
    }
    if (!m_exchange.safe())
        return toInt(ExitCode::NoReport);
    if (speaks())
        m_reporter.finish(m_exchange, m_setup.options.files.size(), m_written.bytes);
    if (m_exchange.complete())
        return toInt(ExitCode::Success);
    const std::string names = missingText();
    if (speaks() && !names.empty()) {
        say(Severity::Warning,
            "entries of these files may be missing, as the ranks that read them were lost: "
                + names);
    }
    return toInt(names.empty() ? ExitCode::Success : ExitCode::TasksFailed);
}

void MergeSession::interrupt()
{
    if (m_exchange.over())
        return;
    if (!speaks()) {
        if (!m_stopTimer.running())
            m_stopTimer.startAfter(interruptPatience, [this] { abandon("asked to stop"); });
        return;
    }
    m_interrupted = true;
    m_written.cancelled = true;
    m_exchange.finish(false);
}

void MergeSession::abandon(const char* reason)
{
    if (m_abandoned || m_exchange.over())
        return;
    m_abandoned = true;
    m_written.cancelled = true;
    if (speaks())
        say(Severity::Warning, reason);
    m_reactor.stop();
}

void MergeSession::openRecord()
{
    Result<std::unique_ptr<MergeRecord>> record = MergeRecord::open(
        m_setup.options,
        {.file = std::exchange(m_setup.file, std::nullopt),
         .host = m_setup.host,
         .processors = static_cast<std::uint32_t>(m_transport.size()),
         .say = [this](const std::string& line) { m_reporter.say(line); },
         .stop = [this] { interrupt(); }},
        m_reactor, m_clock);
    if (record)
        m_record = std::move(*record);
    else
        m_reporter.say("windows cannot connect: " + record.error().text());
}

void MergeSession::say(Severity severity, const std::string& text)
{
    m_reporter.say(text);
    if (m_record)
        m_record->note(severity, text);
}

bool MergeSession::pollOnce()
{
    bool moved = m_transport.poll();
    moved = m_exchange.poll() || moved;
    if (m_exchange.over()) {
        takeLeave();
        return moved;
    }
    if (!m_tick.running()) {
        m_tick.startAfter(tickPause, [this] {
            if (speaks() && !m_exchange.over())
                m_reporter.tick(m_exchange, m_written.bytes);
            if (m_record)
                m_record->tick(phaseWord(m_exchange.phase()));
        });
    }
    return moved;
}

} // namespace tasuki
