// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history.h"
#include "inbox.h"
#include "linkserver.h"
#include "listening.h"
#include "recentevents.h"
#include "session.h"

#include "wire/accessfile.h"
#include "wire/eventcodec.h"
#include "wire/refusallog.h"
#include "wire/strangers.h"

#include <list>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace tasuki::link {

/// The server as it lives on the link's thread. Reply functions keep it by weak pointers.
class LinkCore final : public SessionHost, public std::enable_shared_from_this<LinkCore> {
public:
    LinkCore(LinkOptions options, LinkCallbacks callbacks, AccessFile access, History history,
             EventId last);
    ~LinkCore() = default;
    LinkCore(const LinkCore&) = delete;
    LinkCore& operator=(const LinkCore&) = delete;

    /// Before the thread runs.
    void listen(UniqueFd unixSocket, std::optional<UniqueFd> tcpSocket);
    /// The thread's body; returns after beginClose().
    void run();

    // Any thread.
    void published(std::shared_ptr<const std::vector<Event>> committed);
    void statusIs(const Status& status);
    /// Begins to say goodbye; run() returns within LinkLimits::closing.
    void beginClose(std::string reason);
    /// The same without a word to anybody.
    void beginDrop();

    [[nodiscard]] const LinkLimits& limits() const override { return m_options.limits; }
    [[nodiscard]] std::optional<std::string> fullness(const Session& session) const override;
    void entered(Session& session) override;
    void refused(std::string line) override;
    [[nodiscard]] Welcome welcome() const override;
    [[nodiscard]] SharedFrame status() const override { return m_status; }
    void requested(Session& session, ClientMessage request) override;
    void planned(Session& session, PlanWish wish) override;
    void log(Severity severity, std::string line) override;
    void ended(Session& session) override;

private:
    void accepted(UniqueFd socket, int family, std::string peer);
    void takeInbox();
    void takeEvents(const std::vector<Event>& events);
    void flush();
    void dropStalled(SteadyTime now);
    void wakeAll();
    void sayGoodbye(std::string reason);
    void endIfAlone();
    void keepHouse();
    [[nodiscard]] bool anySubscribed() const;
    [[nodiscard]] Strangers& strangersOf(int family);
    bool dropOldest(int family, const std::string& why);
    void dropStranger(std::uint64_t number, const std::string& why);
    void tellRefusals();
    /// A function that hands a reply to the link's thread and there to the session.
    template <class Value, class Make>
    std::function<void(Value)> replyTo(Session& session, Make make);
    void answerOutput(Session& session, const OutputRequest& request, OutputAnswer answer);

    const LinkOptions m_options;
    const LinkCallbacks m_callbacks;
    const AccessFile m_access;
    boost::asio::io_context m_context;
    Inbox m_inbox;
    std::unique_ptr<History> m_history; ///< gone when run() has returned
    RecentEvents m_recent;
    EventsEncoder m_pending; ///< what is not in a frame yet
    boost::asio::steady_timer m_coalesce;
    boost::asio::steady_timer m_housekeeping;
    boost::asio::steady_timer m_closingLimit;
    bool m_coalescing = false;
    bool m_keepingHouse = false;
    SharedFrame m_status;
    std::list<Acceptor> m_acceptors;
    std::list<std::shared_ptr<Session>> m_sessions;
    std::uint64_t m_connections = 0;
    Strangers m_unixStrangers; ///< by the numbers of their connections
    Strangers m_tcpStrangers;
    RefusalLog m_refusals;
    boost::asio::steady_timer m_refusalsDue;
    bool m_refusalsArmed = false;
    std::optional<std::string> m_goodbye; ///< the reason, while closing
};

} // namespace tasuki::link
