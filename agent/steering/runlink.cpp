// SPDX-License-Identifier: GPL-3.0-or-later
#include "runlink.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace tasuki::steering {

namespace asio = boost::asio;

RunLink::RunLink(asio::io_context& context, const Clock& clock, AgentTiming timing,
                 std::filesystem::path accessFile, Hooks hooks)
    : m_context(context),
      m_clock(clock),
      m_timing(timing),
      m_hooks(std::move(hooks)),
      m_address(std::move(accessFile)),
      m_again(timing),
      m_tryTimer(context),
      m_lookTimer(context)
{}

RunLink::~RunLink() = default;

void RunLink::start(Wish wish)
{
    m_wish = wish;
    m_machine.take(ConnectionInput::Open);
    connect();
}

void RunLink::follow(EventId after)
{
    m_wish = Wish::Events;
    m_intake.beginAfter(after);
    if (isIn())
        subscribe();
}

void RunLink::connect()
{
    if (const auto chosen = m_address.choose(); !chosen) {
        // An agent that was there may come back, or have a successor.
        const bool known = m_address.isKnown();
        m_address.forget();
        lost(known ? ConnectionInput::Lost : ConnectionInput::Refuse,
             known ? "the agent does not run any more" : chosen.error().text());
        return;
    }
    m_connection = std::make_unique<Connection>(
        m_context, m_clock, m_timing, *m_address.access(),
        Connection::Owner{.welcomed = [this](const link::Welcome&) { welcomed(); },
                          .take = [this](link::AgentMessage message) { take(message); },
                          .ended = [this](ConnectionInput why,
                                          const std::string& reason) { lost(why, reason); }});
}

void RunLink::welcomed()
{
    m_machine.take(ConnectionInput::Reached);
    m_machine.take(ConnectionInput::Welcomed);
    if (m_wish == Wish::Events)
        subscribe();
    else
        m_again.reached();
    m_hooks.changed(m_machine.state(), {});
}

bool RunLink::isIn() const
{
    const auto state = m_machine.state();
    return state == ConnectionState::CatchingUp || state == ConnectionState::Live;
}

void RunLink::subscribe()
{
    if (const auto sent = m_connection->send(m_intake.subscription(m_address.run())); !sent)
        broken(sent.error().text());
}

template <class Request, class Done>
void RunLink::request(Request request, Done done)
{
    const auto number = m_replies.add(std::move(done));
    request.number = number;
    const Result<void> sent = isIn()
        ? m_connection->send(std::move(request))
        : Error{.kind = ErrorKind::System, .message = "there is no connection to the agent"};
    if (!sent)
        asio::post(m_context,
                   [this, number, error = sent.error()] { m_replies.fail(number, error); });
}

void RunLink::command(OperatorCommand command, CommandDone done)
{
    request(link::CommandRequest{.number = 0, .command = std::move(command)}, std::move(done));
}

void RunLink::output(OutputQuery query, OutputDone done)
{
    request(link::OutputRequest{.number = 0, .query = query}, std::move(done));
}

void RunLink::take(link::AgentMessage& message)
{
    std::visit(
        [this]<class Message>(Message& one) {
            if constexpr (requires { take(one); })
                take(one);
            else if constexpr (std::is_same_v<Message, link::Status>)
                m_hooks.status(one);
            else if constexpr (std::is_same_v<Message, link::CommandReply>)
                m_replies.answer(one.number, Result<CommandAnswer>(std::move(one.answer)));
            else if constexpr (std::is_same_v<Message, link::OutputReply>)
                m_replies.answer(one.number, Result<OutputAnswer>(std::move(one.answer)));
            // Signs of life were counted as bytes; of plans and single tasks this side asks nothing.
        },
        message);
}

void RunLink::take(const link::SnapshotBegin& message)
{
    switch (m_intake.begin(message)) {
    case EventIntake::Begin::GoesOn: break;
    case EventIntake::Begin::Restarts: m_hooks.restarted(); break;
    case EventIntake::Begin::Wrong:
        return broken("a snapshot begins at another event than was asked for");
    }
    m_machine.take(ConnectionInput::Gap);
}

void RunLink::take(link::Events& message)
{
    const auto batch = m_intake.take(std::move(message));
    if (!batch)
        return broken("events are missing");
    if (!batch->events.empty())
        m_hooks.events(*batch);
}

void RunLink::take(const link::SnapshotEnd& message)
{
    if (message.upTo != m_intake.last())
        return broken("a snapshot ends at another event than was said");
    m_again.reached();
    m_machine.take(ConnectionInput::CaughtUp);
    m_hooks.caughtUp();
    m_hooks.changed(m_machine.state(), {});
}

void RunLink::take(const link::Gap& message)
{
    if (message.lastDelivered != m_intake.last())
        broken("events are missing");
}

void RunLink::broken(const std::string& what)
{
    lost(ConnectionInput::Lost, "the agent said what makes no sense: " + what);
}

void RunLink::lost(ConnectionInput why, const std::string& reason)
{
    if (!m_machine.take(why))
        return;
    m_connection.reset();
    m_replies.failAll(
        {.kind = ErrorKind::System,
         .message =
             "the connection ended before the answer, so it is not known whether this was done: "
             + reason});
    const SteadyTime now = m_clock.now();
    m_again.lost(now);
    if (m_machine.state() == ConnectionState::Waiting && m_again.failures() > 0
        && !m_again.mayBeSucceeded(now))
        m_machine.take(ConnectionInput::Refuse); // for too long nobody has led the run
    if (m_machine.state() == ConnectionState::Waiting) {
        tryLater();
        lookLater();
    }
    m_hooks.changed(m_machine.state(), reason);
}

void RunLink::tryLater()
{
    const double chance = std::uniform_real_distribution<>(0, 1)(m_chance);
    m_tryTimer.expires_after(m_again.wait(m_clock.now(), chance));
    m_tryTimer.async_wait([this](boost::system::error_code error) {
        if (!error)
            retry();
    });
}

void RunLink::lookLater()
{
    m_lookTimer.expires_after(m_again.lookPause());
    m_lookTimer.async_wait([this](boost::system::error_code error) {
        if (error || m_machine.state() != ConnectionState::Waiting)
            return;
        if (m_address.hasSuccessor())
            return retry();
        m_again.nextLookPause();
        lookLater();
    });
}

void RunLink::retry()
{
    if (!m_machine.take(ConnectionInput::Retry))
        return;
    m_tryTimer.cancel();
    m_lookTimer.cancel();
    m_again.trying();
    connect();
}

} // namespace tasuki::steering
