// SPDX-License-Identifier: GPL-3.0-or-later
#include "linkcore.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <boost/asio/post.hpp>
#include <sys/socket.h>
#include <unistd.h>

namespace tasuki::link {

namespace {

constexpr std::chrono::milliseconds longestHousekeeping{5'000};

/// A reply of the agent as it may be sent: in pieces of a size that fits.
void confine(OutputPiece& piece)
{
    if (piece.bytes.size() > outputPieceBytes)
        piece.bytes.resize(outputPieceBytes);
    piece.totalBytes = std::max(piece.totalBytes, piece.offset + piece.bytes.size());
}

} // namespace

LinkCore::LinkCore(LinkOptions options, LinkCallbacks callbacks, AccessFile access, History history,
                   EventId last)
    : m_options(std::move(options)),
      m_callbacks(std::move(callbacks)),
      m_access(std::move(access)),
      m_inbox(m_options.limits.inboxEvents, m_options.limits.inboxBytes),
      m_history(std::make_unique<History>(std::move(history))),
      m_recent(m_options.limits.recentBytes),
      m_coalesce(m_context),
      m_housekeeping(m_context),
      m_closingLimit(m_context),
      m_unixStrangers(m_options.limits.unauthenticatedUnix, m_options.limits.unauthenticatedUnix),
      m_tcpStrangers(m_options.limits.unauthenticatedTcp, m_options.limits.unauthenticatedTcp),
      m_refusalsDue(m_context)
{
    m_recent.skipTo(last);
}

void LinkCore::listen(UniqueFd unixSocket, std::optional<UniqueFd> tcpSocket)
{
    const auto add = [this](UniqueFd socket, int family) {
        m_acceptors
            .emplace_back(
                m_context, std::move(socket), family,
                [this, family](UniqueFd connection, std::string peer) {
                    accepted(std::move(connection), family, std::move(peer));
                },
                [this, family] { return dropOldest(family, "dropped: descriptors ran out"); })
            .start();
    };
    add(std::move(unixSocket), AF_UNIX);
    if (tcpSocket)
        add(std::move(*tcpSocket),
            m_access.tcpAddress.find(':') == std::string::npos ? AF_INET : AF_INET6);
}

void LinkCore::run()
{
    for (;;) {
        try {
            m_context.run();
            break;
        } catch (const std::exception& failure) {
            // Out of memory, say. What was being done is lost, the others are served on.
            log(Severity::Warning, std::string("the link to windows failed: ") + failure.what());
        }
    }
    m_sessions.clear();
    m_history.reset();
}

// ---- from other threads

void LinkCore::published(std::shared_ptr<const std::vector<Event>> committed)
{
    if (m_inbox.put(std::move(committed)))
        boost::asio::post(m_context, [this] { takeInbox(); });
}

void LinkCore::statusIs(const Status& status)
{
    if (m_inbox.put(status))
        boost::asio::post(m_context, [this] { takeInbox(); });
}

void LinkCore::beginClose(std::string reason)
{
    boost::asio::post(m_context, [this, reason = std::move(reason)] { sayGoodbye(reason); });
}

void LinkCore::beginDrop()
{
    boost::asio::post(m_context, [this] {
        if (m_goodbye)
            return;
        m_goodbye.emplace();
        for (Acceptor& acceptor : m_acceptors)
            acceptor.stop();
        for (const auto& session : std::vector(m_sessions.begin(), m_sessions.end()))
            session->drop(Severity::Information, "dropped: the agent leads no more");
        endIfAlone();
    });
}

// ---- events and status

void LinkCore::takeInbox()
{
    Inbox::Content content = m_inbox.take();
    if (content.forgotten) {
        m_pending = EventsEncoder();
        m_recent.skipTo(*content.forgotten);
        wakeAll();
    }
    for (const Inbox::Batch& batch : content.batches)
        takeEvents(*batch);
    if (content.status) {
        m_status = framed(*content.status);
        for (const auto& session : std::vector(m_sessions.begin(), m_sessions.end()))
            if (session->authenticated())
                session->statusChanged();
    }
}

void LinkCore::takeEvents(const std::vector<Event>& events)
{
    if (!anySubscribed()) {
        // Whoever comes reads them from the run file.
        m_pending = EventsEncoder();
        if (events.back().id > m_recent.last())
            m_recent.skipTo(events.back().id);
        return;
    }
    for (const Event& event : events) {
        // The run file may have been ahead of what is published when the link began.
        if (event.id <= (m_pending.count() == 0 ? m_recent.last() : m_pending.last()))
            continue;
        m_pending.add(event);
        if (m_pending.bytes() >= limits().frameBytes || m_pending.count() >= eventsPerMessage)
            flush();
    }
    if (m_pending.count() == 0 || std::exchange(m_coalescing, true))
        return;
    m_coalesce.expires_after(limits().coalesce);
    m_coalesce.async_wait([this](const boost::system::error_code& error) {
        m_coalescing = false;
        if (!error)
            flush();
    });
}

void LinkCore::flush()
{
    if (m_pending.count() == 0)
        return;
    const EventId last = m_pending.last();
    auto bytes = frame(m_pending.take());
    if (bytes && anySubscribed())
        m_recent.add(std::make_shared<const std::string>(std::move(*bytes)), last);
    else
        m_recent.skipTo(last);
    wakeAll();
}

void LinkCore::wakeAll()
{
    // Sessions may end meanwhile.
    for (const auto& session : std::vector(m_sessions.begin(), m_sessions.end()))
        session->wake();
}

bool LinkCore::anySubscribed() const
{
    return std::any_of(m_sessions.begin(), m_sessions.end(),
                       [](const auto& session) { return session->subscribed(); });
}

// ---- windows

std::optional<std::string> LinkCore::fullness(const Session& session) const
{
    const auto in = std::count_if(m_sessions.begin(), m_sessions.end(), [&](const auto& one) {
        return one->authenticated() && one->family() == session.family();
    });
    if (static_cast<std::size_t>(in) < limits().authenticated)
        return std::nullopt;
    return std::to_string(limits().authenticated)
        + " windows are connected to this agent, more are not let in; close one";
}

Strangers& LinkCore::strangersOf(int family)
{
    return family == AF_UNIX ? m_unixStrangers : m_tcpStrangers;
}

void LinkCore::entered(Session& session)
{
    strangersOf(session.family()).remove(session.label().number);
}

void LinkCore::dropStranger(std::uint64_t number, const std::string& why)
{
    const auto found = std::find_if(
        m_sessions.begin(), m_sessions.end(),
        [number](const auto& session) { return session->label().number == number; });
    if (found != m_sessions.end())
        std::shared_ptr<Session>(*found)->drop(Severity::Warning, why);
}

bool LinkCore::dropOldest(int family, const std::string& why)
{
    const auto oldest = strangersOf(family).oldest();
    if (oldest)
        dropStranger(*oldest, why);
    return oldest.has_value();
}

void LinkCore::accepted(UniqueFd socket, int family, std::string peer)
{
    ClientLabel label{
        .number = ++m_connections, .operatorName = {}, .programVersion = {}, .peer = peer};
    if (family == AF_UNIX) {
        const auto user = peerOf(socket.get());
        if (!user || (*user != ::geteuid() && *user != 0))
            return refused("connection " + std::to_string(label.number) + " (" + peer
                           + "): refused: it is of another user"
                           + (user ? ", number " + std::to_string(*user) : std::string()));
    }
    // Over TCP all are of this host.
    if (const auto leaves = strangersOf(family).add(label.number, {}))
        dropStranger(*leaves, "dropped: had not completed its handshake when others came");
    ServerHandshake handshake({.token = m_access.token,
                               .nonce = randomSecret(),
                               .run = m_options.run,
                               .programVersion = m_options.programVersion,
                               .protocol = {}});
    auto session = std::make_shared<Session>(*this, m_context, std::move(socket), family,
                                             std::move(label), std::move(handshake),
                                             Feed(m_recent, *m_history, limits().frameBytes));
    m_sessions.push_back(session);
    session->start();
    keepHouse();
}

Welcome LinkCore::welcome() const
{
    return {.run = m_options.run,
            .epoch = m_options.epoch,
            .runFile = m_access.runFile,
            .directory = m_options.directory,
            .host = m_access.hostName,
            .pid = m_access.pid,
            .serve = m_options.serve,
            .now = SystemClock().wallNow()};
}

template <class Value, class Make>
std::function<void(Value)> LinkCore::replyTo(Session& session, Make make)
{
    return [weakCore = weak_from_this(), weakSession = session.weak_from_this(),
            make = std::move(make)](Value value) {
        const auto core = weakCore.lock();
        if (!core)
            return;
        // The handler must not own the core, which owns the handler.
        boost::asio::post(
            core->m_context,
            [self = core.get(), weakSession, make, value = std::move(value)]() mutable {
                if (const auto target = weakSession.lock())
                    make(*self, *target, std::move(value));
            });
    };
}

void LinkCore::requested(Session& session, ClientMessage request)
{
    if (auto* command = std::get_if<CommandRequest>(&request)) {
        auto reply = replyTo<CommandAnswer>(
            session, [number = command->number](LinkCore&, Session& to, CommandAnswer answer) {
                to.reply(CommandReply{number, std::move(answer)});
            });
        if (m_callbacks.command)
            return m_callbacks.command(session.label(), std::move(command->command),
                                       std::move(reply));
        return reply({.accepted = false,
                      .reason = "this agent takes no commands",
                      .details = {},
                      .conflicts = {}});
    }
    if (const auto* output = std::get_if<OutputRequest>(&request)) {
        auto reply = replyTo<OutputAnswer>(
            session, [wanted = *output](LinkCore& self, Session& to, OutputAnswer answer) {
                self.answerOutput(to, wanted, std::move(answer));
            });
        if (m_callbacks.output)
            return m_callbacks.output(output->query, std::move(reply));
        return reply({});
    }
    if (const auto* task = std::get_if<TaskRequest>(&request)) {
        auto reply = replyTo<std::optional<Task>>(
            session, [wanted = *task](LinkCore&, Session& to, std::optional<Task> found) {
                TaskReply answer{.number = wanted.number,
                                 .id = wanted.id,
                                 .known = found && found->settings,
                                 .task = {}};
                if (answer.known)
                    answer.task = std::move(*found);
                to.reply(answer);
            });
        if (m_callbacks.task)
            return m_callbacks.task(task->id, std::move(reply));
        return reply(std::nullopt);
    }
}

void LinkCore::planned(Session& session, PlanWish wish)
{
    if (!m_callbacks.plan) {
        if (const auto* request = std::get_if<PlanRequest>(&wish))
            session.tell({PlanEnded{.number = request->number,
                                    .end = PlanEnd::Failed,
                                    .reason = "this agent does not plan",
                                    .notes = {}}},
                         false);
        return;
    }
    PlanOutlet outlet = [weakCore = weak_from_this(), weakSession = session.weak_from_this()](
                            std::vector<AgentMessage> messages, bool mayBeLeftOut) {
        const auto core = weakCore.lock();
        if (!core)
            return;
        boost::asio::post(core->m_context,
                          [weakSession, messages = std::move(messages), mayBeLeftOut] {
                              if (const auto target = weakSession.lock())
                                  target->tell(messages, mayBeLeftOut);
                          });
    };
    m_callbacks.plan(session.label().number, std::move(wish), std::move(outlet));
}

void LinkCore::answerOutput(Session& session, const OutputRequest& request, OutputAnswer answer)
{
    if (!answer.known) {
        auto recorded = m_history->output(request.query);
        if (recorded)
            answer = std::move(*recorded);
        else
            log(Severity::Warning, "output cannot be shown: " + recorded.error().text());
    }
    answer.key = request.query.key;
    confine(answer.standardOutput);
    confine(answer.standardError);
    session.reply(OutputReply{request.number, std::move(answer)});
}

void LinkCore::log(Severity severity, std::string line)
{
    if (m_callbacks.log)
        m_callbacks.log(severity, std::move(line));
}

void LinkCore::refused(std::string line)
{
    if (auto now = m_refusals.add(std::move(line), std::chrono::steady_clock::now()))
        return log(Severity::Warning, std::move(*now));
    if (m_goodbye || std::exchange(m_refusalsArmed, true))
        return;
    m_refusalsDue.expires_at(*m_refusals.due());
    m_refusalsDue.async_wait([this](const boost::system::error_code& error) {
        if (!error)
            tellRefusals();
    });
}

void LinkCore::tellRefusals()
{
    m_refusalsArmed = false;
    if (auto line = m_refusals.takeSummary(std::chrono::steady_clock::now()))
        log(Severity::Warning, std::move(*line));
}

void LinkCore::ended(Session& session)
{
    strangersOf(session.family()).remove(session.label().number);
    if (session.authenticated() && m_callbacks.left)
        m_callbacks.left(session.label().number);
    m_sessions.remove_if([&](const auto& one) { return one.get() == &session; });
    if (!anySubscribed() && m_pending.count() == 0)
        m_recent.skipTo(m_recent.last());
    endIfAlone();
}

void LinkCore::keepHouse()
{
    if (m_sessions.empty() || m_goodbye || std::exchange(m_keepingHouse, true))
        return;
    constexpr int looksWithinLimit = 4;
    m_housekeeping.expires_after(
        std::min(longestHousekeeping, limits().stalled / looksWithinLimit));
    m_housekeeping.async_wait([this](const boost::system::error_code& error) {
        m_keepingHouse = false;
        if (error)
            return;
        dropStalled(std::chrono::steady_clock::now());
        keepHouse();
    });
}

void LinkCore::dropStalled(SteadyTime now)
{
    for (const auto& session : std::vector(m_sessions.begin(), m_sessions.end())) {
        const auto since = session->writingSince();
        if (since && now - *since > limits().stalled)
            session->drop(Severity::Warning, "dropped: has read nothing for too long");
    }
}

// ---- the end

void LinkCore::sayGoodbye(std::string reason)
{
    if (m_goodbye)
        return;
    m_goodbye = std::move(reason);
    for (Acceptor& acceptor : m_acceptors)
        acceptor.stop();
    takeInbox();
    flush();
    for (const auto& session : std::vector(m_sessions.begin(), m_sessions.end()))
        session->sayBye(*m_goodbye);
    m_closingLimit.expires_after(limits().closing);
    m_closingLimit.async_wait([this](const boost::system::error_code& error) {
        if (error)
            return;
        for (const auto& session : std::vector(m_sessions.begin(), m_sessions.end()))
            session->drop(Severity::Information, "dropped: did not read to the end");
    });
    endIfAlone();
}

void LinkCore::endIfAlone()
{
    if (!m_goodbye || !m_sessions.empty())
        return;
    m_coalesce.cancel();
    m_housekeeping.cancel();
    m_closingLimit.cancel();
    m_refusalsDue.cancel();
}

} // namespace tasuki::link
