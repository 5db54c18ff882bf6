// SPDX-License-Identifier: GPL-3.0-or-later
#include "membershipthread.h"

#include "actingword.h"

#include "control/controlnetwork.h"
#include "control/controlthread.h"
#include "domain/bootclock.h"
#include "hierarchy/codec.h"
#include "hierarchy/decisionwriter.h"

#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace tasuki {

namespace {

using hierarchy::ControlMessage;

hierarchy::Presence presenceOf(control::Presence presence)
{
    switch (presence) {
    case control::Presence::Elsewhere: return hierarchy::Presence::Elsewhere;
    case control::Presence::Running: return hierarchy::Presence::Running;
    case control::Presence::Stopped: return hierarchy::Presence::Stopped;
    case control::Presence::Zombie:
    case control::Presence::Gone: return hierarchy::Presence::Gone;
    }
    return hierarchy::Presence::Elsewhere;
}

} // namespace

class MembershipThread::Core final : public hierarchy::ControlPort, public hierarchy::HostPort {
public:
    Core(Setup&& setup, std::function<void(std::function<void()>)> post, Callbacks callbacks)
        : m_setup(std::move(setup)), m_post(std::move(post)), m_callbacks(std::move(callbacks))
    {}
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    ~Core() override
    {
        mute();
        if (m_thread == nullptr)
            return;
        m_thread->call([this] {
            m_timer.reset();
            m_membership.reset();
            m_network.reset();
        });
        m_thread.reset();
    }

    Result<void> open()
    {
        Result<std::unique_ptr<control::ControlThread>> thread = control::ControlThread::start();
        if (!thread)
            return thread.error();
        m_thread = std::move(*thread);
        return m_thread->call([this] { return openNetwork(); });
    }

    control::ControlAddress address()
    {
        return m_thread->call([this] { return m_network->address(); });
    }

    void begin(std::vector<control::ControlAddress> addresses)
    {
        m_thread->post([this, addresses = std::move(addresses)] {
            m_network->learn(addresses);
            if (m_setup.decisions)
                m_setup.decisions(headOf(addresses));
            m_membership->start();
            poll();
        });
    }

    void setReadiness(hierarchy::Readiness readiness)
    {
        m_thread->post([this, readiness] {
            m_membership->setReadiness(readiness);
            poll();
        });
    }

    void leave()
    {
        mute();
        setReadiness(hierarchy::Readiness::Leaving);
    }

    void hasStopped(const hierarchy::Holding& holding)
    {
        m_thread->post([this, holding] {
            m_membership->hasStopped(holding);
            poll();
        });
    }
    void giveUp()
    {
        m_thread->post([this] {
            m_membership->giveUpPlace();
            poll();
        });
    }
    void comeBack()
    {
        m_thread->post([this] {
            m_membership->comeBack();
            poll();
        });
    }
    void tellOverlap(std::uint32_t refused)
    {
        m_thread->post([this, refused] {
            m_membership->tellOverlap(refused);
            poll();
        });
    }
    void order(hierarchy::Order order, Answer answer)
    {
        m_thread->post([this, order = std::move(order), answer = std::move(answer)]() mutable {
            answerWith(std::move(answer), m_membership->order(order));
        });
    }
    void changeSettings(const hierarchy::Settings& settings, Answer answer)
    {
        m_thread->post([this, settings, answer = std::move(answer)]() mutable {
            answerWith(std::move(answer), m_membership->changeSettings(settings));
        });
    }

    void recall(std::vector<hierarchy::RecordedSeat> seats)
    {
        m_thread->post([this, seats = std::move(seats)]() mutable {
            m_membership->recall(std::move(seats));
            poll();
        });
    }

    [[nodiscard]] bool mayAct() const { return m_acts.holds(m_clock.now()); }
    void turned() { m_turns.fetch_add(1, std::memory_order_relaxed); }

    void send(ProcessorId to, ControlMessage message) override
    {
        if (hierarchy::isDatagram(message))
            m_network->sendDatagram(to, hierarchy::encode(message));
        else
            m_network->send(to, hierarchy::encode(message));
    }
    void beginLife(Life life) override { m_network->beginLife(life); }
    [[nodiscard]] hierarchy::Presence presence(ProcessorId processor) const override
    {
        return presenceOf(m_network->presence(processor));
    }
    [[nodiscard]] bool isElsewhere(ProcessorId processor) const override
    {
        return m_network->isElsewhere(processor);
    }
    [[nodiscard]] bool hasEnded(ProcessorId processor) const override
    {
        return m_network->hasEnded(processor);
    }
    void kill(ProcessorId processor) override
    {
        if (const Result<void> killed = m_network->kill(processor); !killed)
            tell([this, error = killed.error()] { m_callbacks.problem(error); });
    }
    void watch(ProcessorId processor) override { m_network->watch(processor); }

private:
    /// @return of the log of decisions: hosts are told apart by their keys
    std::string headOf(const std::vector<control::ControlAddress>& addresses) const
    {
        std::vector<std::string> keys(addresses.size());
        for (const control::ControlAddress& address : addresses)
            keys.at(address.processor.value()) = address.hostKey;
        return hierarchy::DecisionWriter::head(m_membership->view(), [&keys](ProcessorId one) {
            return static_cast<std::uint32_t>(std::ranges::find(keys, keys.at(one.value()))
                                              - keys.begin());
        });
    }

    Result<void> openNetwork()
    {
        const auto receive = [this](control::ControlSender from, std::string_view bytes) {
            take(from, bytes);
        };
        Result<std::unique_ptr<control::ControlNetwork>> network = control::ControlNetwork::open(
            m_thread->context(), m_setup.self, m_setup.key,
            {.epoch = m_setup.epoch, .otherHosts = m_setup.otherHosts, .hostKey = m_setup.hostKey},
            {.datagram = receive,
             .message = receive,
             .gone =
                 [this](ProcessorId processor) {
                     m_membership->gone(processor);
                     poll();
                 },
             .problem =
                 [this](Error error) {
                     tell([this, error = std::move(error)] { m_callbacks.problem(error); });
                 }});
        if (!network)
            return network.error();
        m_network = std::move(*network);
        m_timer.emplace(m_thread->context());
        if (m_setup.decisions)
            m_decisions.emplace(m_setup.decisions, m_clock, m_clock, m_setup.self);
        m_membership.emplace(m_setup.self, std::move(m_setup.view), std::move(m_setup.options),
                             *this, *this, m_clock, observer());
        return {};
    }

    hierarchy::MembershipObserver observer()
    {
        return {
            .changed =
                [this](const hierarchy::MembershipView& view) {
                    tell([this, view] { m_callbacks.changed(view); });
                },
            .holding =
                [this](std::optional<hierarchy::Holding> holding) {
                    tell([this, holding] { m_callbacks.holding(holding); });
                },
            .letGo =
                [this](hierarchy::Holding holding) {
                    // Behind the word on the main thread that nothing is held any more.
                    tell([this, holding] {
                        if (m_callbacks.letGo)
                            m_callbacks.letGo(holding);
                        else
                            hasStopped(holding);
                    });
                },
            .standing =
                [this](hierarchy::Standing standing) {
                    tell([this, standing] { m_callbacks.standing(standing); });
                },
            .fenced = [this] { tell([this] { m_callbacks.fenced(); }); },
            .rejoined = [this] { tell([this] { m_callbacks.rejoined(); }); },
            .shutOut = [this] { tell([this] { m_callbacks.shutOut(); }); },
            .overlapped =
                [this](const hierarchy::Overlap& overlap) {
                    tell([this, overlap] { m_callbacks.overlapped(overlap); });
                },
            .overlapTold =
                [this](const hierarchy::Overlap& overlap,
                       std::optional<std::chrono::nanoseconds> lostFor) {
                    tell([this, overlap, lostFor] { m_callbacks.overlapTold(overlap, lostFor); });
                },
            .masterSilent =
                [this](bool silent) { tell([this, silent] { m_callbacks.masterSilent(silent); }); },
            .missing =
                [this](std::vector<ProcessorId> missing) {
                    tell([this, missing = std::move(missing)] { m_callbacks.missing(missing); });
                },
            .lengthened =
                [this](std::chrono::nanoseconds allowance) {
                    tell([this, allowance] { m_callbacks.lengthened(allowance); });
                },
            .givenUp =
                [this](const hierarchy::TableOrder& order, const Phrase& reason) {
                    tell([this, order, reason] { m_callbacks.givenUp(order, reason); });
                },
            .decisions = m_decisions ? &*m_decisions : nullptr};
    }

    void take(control::ControlSender from, std::string_view bytes)
    {
        const Result<ControlMessage> message = hierarchy::decode(std::string(bytes));
        if (!message) {
            tell([this, error = message.error()] { m_callbacks.problem(error); });
            return;
        }
        m_membership->receive(from.processor, *message, from.life);
    }

    void poll()
    {
        m_membership->setTurns(m_turns.load(std::memory_order_relaxed));
        const SteadyTime next = m_membership->poll();
        const SteadyTime now = m_clock.now();
        const std::chrono::nanoseconds beat = m_membership->view().system().settings.heartbeat;
        m_acts.say(m_membership->standing() == hierarchy::Standing::Valid
                       && !m_membership->fenced(),
                   now, beat);
        // The timer stops with the machine, which is seen as lateness when it wakes.
        m_timer->expires_after(
            std::min<SteadyTime::duration>(next - now, ActingWord::beats * beat / 2));
        m_timer->async_wait([this](const boost::system::error_code& error) {
            // A wait that was over before it could be cancelled comes without an error.
            if (!error && m_membership)
                poll();
        });
    }

    /// Nothing is posted any more, and what was posted does nothing.
    void mute()
    {
        *m_open = false;
        const std::lock_guard lock(m_postMutex);
        m_post = nullptr;
    }

    void answerWith(Answer answer, Result<void> result)
    {
        if (result)
            poll(); // what was decided may be due at once
        tell([answer = std::move(answer), result = std::move(result)] { answer(result); });
    }

    /// Runs a function on the main thread, unless this is closed by then.
    void tell(std::function<void()> what)
    {
        const std::lock_guard lock(m_postMutex);
        if (m_post == nullptr)
            return;
        m_post([open = m_open, what = std::move(what)] {
            if (*open)
                what();
        });
    }

    Setup m_setup;
    std::mutex m_postMutex;
    std::function<void(std::function<void()>)> m_post; ///< none: muted
    Callbacks m_callbacks;
    std::shared_ptr<bool> m_open = std::make_shared<bool>(true); ///< main thread
    std::atomic<std::uint64_t> m_turns = 0;
    BootClock m_clock; ///< leases end elsewhere while this machine is suspended
    ActingWord m_acts;
    std::unique_ptr<control::ControlThread> m_thread;
    // On the control thread:
    std::unique_ptr<control::ControlNetwork> m_network;
    std::optional<boost::asio::steady_timer> m_timer;
    std::optional<hierarchy::DecisionWriter> m_decisions;
    std::optional<hierarchy::MembershipAgent> m_membership;
};

Result<std::unique_ptr<MembershipThread>> MembershipThread::open(
    Setup setup, std::function<void(std::function<void()>)> post, Callbacks callbacks)
{
    auto core = std::make_unique<Core>(std::move(setup), std::move(post), std::move(callbacks));
    if (const Result<void> opened = core->open(); !opened)
        return opened.error();
    return std::unique_ptr<MembershipThread>(new MembershipThread(std::move(core)));
}

MembershipThread::MembershipThread(std::unique_ptr<Core> core) : m_core(std::move(core)) {}
MembershipThread::~MembershipThread() = default;

control::ControlAddress MembershipThread::address() const { return m_core->address(); }

void MembershipThread::begin(std::vector<control::ControlAddress> addresses)
{
    m_core->begin(std::move(addresses));
}

void MembershipThread::setReadiness(hierarchy::Readiness readiness)
{
    m_core->setReadiness(readiness);
}

void MembershipThread::leave() { m_core->leave(); }

void MembershipThread::hasStopped(const hierarchy::Holding& holding)
{
    m_core->hasStopped(holding);
}

void MembershipThread::giveUp() { m_core->giveUp(); }

void MembershipThread::comeBack() { m_core->comeBack(); }

void MembershipThread::tellOverlap(std::uint32_t refused) { m_core->tellOverlap(refused); }

void MembershipThread::order(hierarchy::Order order, Answer answer)
{
    m_core->order(std::move(order), std::move(answer));
}

void MembershipThread::changeSettings(hierarchy::Settings settings, Answer answer)
{
    m_core->changeSettings(settings, std::move(answer));
}

void MembershipThread::recall(std::vector<hierarchy::RecordedSeat> seats)
{
    m_core->recall(std::move(seats));
}

bool MembershipThread::mayAct() const { return m_core->mayAct(); }

void MembershipThread::turned() { m_core->turned(); }

} // namespace tasuki
