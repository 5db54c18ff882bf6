// SPDX-License-Identifier: GPL-3.0-or-later
#include "conformance.h"

#include "payload.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <utility>

namespace tasuki::conformance {

namespace {

using Sizes = std::vector<std::size_t>;
/// The sizes of the messages from one processor to another, in order.
using Plan = std::function<Sizes(ProcessorId from, ProcessorId to)>;

constexpr auto patience = std::chrono::seconds(180); // beside many others, too
constexpr auto settling = std::chrono::milliseconds(100);
/// What one poll() may hand over, so that a flood leaves time for everything else.
constexpr std::size_t mostPerPoll = 1024;

std::string nameOf(ProcessorId rank) { return "rank " + std::to_string(rank.value()); }

std::vector<ProcessorId> ranksOf(const Transport& transport)
{
    std::vector<ProcessorId> ranks;
    for (std::size_t index = 0; index < transport.size(); ++index)
        ranks.emplace_back(static_cast<std::int32_t>(index));
    return ranks;
}

ProcessorId lastOf(const Transport& transport)
{
    return ProcessorId(static_cast<std::uint32_t>(transport.size()) - 1);
}

/// The first endpoint that this process has of a rank, or null.
Transport* localOf(Fixture& fixture, ProcessorId rank)
{
    for (Transport* transport : fixture.local()) {
        if (transport->self() == rank)
            return transport;
    }
    return nullptr;
}

bool stepUntil(Fixture& fixture, const std::function<bool()>& done)
{
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        fixture.step();
    }
    return true;
}

/// Lets whatever is still under way arrive.
void settle(Fixture& fixture)
{
    const auto end = std::chrono::steady_clock::now() + settling;
    while (std::chrono::steady_clock::now() < end)
        fixture.step();
}

bool allLeft(Fixture& fixture)
{
    for (const Transport* transport : fixture.local()) {
        if (transport->pending() != 0)
            return false;
    }
    return true;
}

/// Sends by a plan and checks that exactly the plan arrives.
class Exchange {
public:
    Exchange(Fixture& fixture, Plan plan, std::uint64_t salt)
        : m_fixture(fixture), m_plan(std::move(plan)), m_salt(salt)
    {
        for (Transport* transport : fixture.local()) {
            const ProcessorId self = transport->self();
            for (const ProcessorId from : ranksOf(*transport))
                m_due[{from, self}] = m_plan(from, self);
            transport->setHandler([this, self](ProcessorId from, const Message& message) {
                ++m_thisStep;
                check(from, self, message);
            });
        }
    }
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    ~Exchange()
    {
        for (Transport* transport : m_fixture.local())
            transport->setHandler({});
    }

    void sendAll()
    {
        for (Transport* transport : m_fixture.local()) {
            for (const ProcessorId to : ranksOf(*transport)) {
                const Sizes sizes = m_plan(transport->self(), to);
                for (std::size_t index = 0; index < sizes.size(); ++index)
                    transport->send(to,
                                    payload(m_salt, transport->self(), to, index, sizes[index]));
            }
        }
    }

    [[nodiscard]] bool complete() const
    {
        for (const auto& [pair, sizes] : m_due) {
            const auto got = m_got.find(pair);
            if ((got == m_got.end() ? 0 : got->second) < sizes.size())
                return false;
        }
        return true;
    }

    /// Runs until all is sent and received, or something went wrong.
    std::string finish()
    {
        const bool done = stepUntil(m_fixture, [this] {
            m_mostInStep = std::max(m_mostInStep, std::exchange(m_thisStep, 0));
            return !m_error.empty() || (complete() && allLeft(m_fixture));
        });
        if (!m_error.empty() || done)
            return m_error;
        return "not everything arrived or left in time: " + missing();
    }

    /// What went wrong so far; messages that nobody is due to get count.
    [[nodiscard]] const std::string& error() const { return m_error; }
    [[nodiscard]] std::size_t mostInStep() const { return m_mostInStep; }

private:
    using Pair = std::pair<ProcessorId, ProcessorId>;

    void check(ProcessorId from, ProcessorId self, const Message& message)
    {
        if (!m_error.empty())
            return;
        const Sizes& sizes = m_due[{from, self}];
        std::size_t& index = m_got[{from, self}];
        const std::string what = "message " + std::to_string(index) + " from " + nameOf(from)
            + " to " + nameOf(self);
        if (index >= sizes.size())
            m_error = what + " was not due";
        else if (message.size() != sizes[index])
            m_error = what + " has " + std::to_string(message.size()) + " bytes, due were "
                + std::to_string(sizes[index]);
        else if (message != payload(m_salt, from, self, index, sizes[index]))
            m_error = what + " has other content";
        ++index;
    }

    std::string missing()
    {
        std::string text;
        for (const auto& [pair, sizes] : m_due) {
            if (m_got[pair] < sizes.size())
                text += nameOf(pair.second) + " has " + std::to_string(m_got[pair]) + " of "
                    + std::to_string(sizes.size()) + " from " + nameOf(pair.first) + "; ";
        }
        for (const Transport* transport : m_fixture.local())
            text += nameOf(transport->self()) + " has " + std::to_string(transport->pending())
                + " pending; ";
        return text;
    }

    Fixture& m_fixture;
    Plan m_plan;
    std::uint64_t m_salt;
    std::map<Pair, Sizes> m_due;
    std::map<Pair, std::size_t> m_got;
    std::size_t m_thisStep = 0;
    std::size_t m_mostInStep = 0;
    std::string m_error;
};

/// One exchange, and nothing that comes after it.
std::string exchange(Fixture& fixture, const Plan& plan, std::uint64_t salt)
{
    Exchange run(fixture, plan, salt);
    run.sendAll();
    const std::string error = run.finish();
    // Before the handlers go: what comes too often must not fall into the next case.
    if (fixture.agree(error.empty()))
        settle(fixture);
    return run.error().empty() ? error : run.error();
}

} // namespace

std::string keepsOrderPerPair(Fixture& fixture)
{
    // Sizes that MPI sends in different ways, mixed: the order must not depend on them.
    return exchange(
        fixture,
        [](ProcessorId from, ProcessorId to) {
            Sizes sizes;
            for (std::size_t index = 0; index < 400; ++index) {
                const auto turn = index + static_cast<std::size_t>(from.value() + 3 * to.value());
                sizes.push_back(turn % 7 == 0 ? 70'000 : turn % 5 == 0 ? 5'000 : turn % 50);
            }
            return sizes;
        },
        1);
}

std::string carriesEverySize(Fixture& fixture)
{
    return exchange(
        fixture,
        [](ProcessorId, ProcessorId) {
            Sizes sizes{0, 0, 1, 2, 15, 16, 17, 0};
            for (const std::size_t edge : {4096U, 65'536U, 4U << 20U}) {
                for (const std::size_t size : {edge - 65, edge - 1, edge, edge + 1, edge + 65})
                    sizes.push_back(size);
            }
            sizes.push_back(1'000'000);
            sizes.push_back(0);
            return sizes;
        },
        2);
}

std::string carriesALargeMessage(Fixture& fixture)
{
    const ProcessorId last = lastOf(*fixture.local().front());
    return exchange(
        fixture,
        [last](ProcessorId from, ProcessorId to) {
            if (from == ProcessorId(0) && to == last)
                return Sizes{10, 100'000'000, 10};
            return Sizes{10, 10};
        },
        3);
}

std::string carriesAHugeMessage(Fixture& fixture)
{
    const ProcessorId last = lastOf(*fixture.local().front());
    return exchange(
        fixture,
        [last](ProcessorId from, ProcessorId to) {
            if (from == ProcessorId(0) && to == last)
                return Sizes{(std::size_t{11} << 30U) / 10 + 1, 1};
            return Sizes{1};
        },
        4);
}

std::string survivesAFlood(Fixture& fixture)
{
    Exchange run(
        fixture, [](ProcessorId, ProcessorId) { return Sizes(10'000, 40); }, 5);
    run.sendAll();
    std::string error = run.finish();
    const std::size_t most = run.mostInStep() / fixture.local().size();
    if (error.empty() && most > mostPerPoll)
        error = "one poll handed over " + std::to_string(most) + " messages";
    fixture.agree(error.empty());
    return error;
}

std::string deliversToItselfAtTheNextPoll(Fixture& fixture)
{
    std::string error;
    for (Transport* transport : fixture.local()) {
        const ProcessorId self = transport->self();
        std::vector<Message> got;
        transport->setHandler([&](ProcessorId from, Message message) {
            if (from != self)
                error = "a message to oneself came from " + nameOf(from);
            got.push_back(std::move(message));
            if (got.size() == 2)
                transport->send(self, "third");
        });
        transport->send(self, "first");
        transport->send(self, "second");
        if (!got.empty())
            error = "a message arrived from inside send()";
        if (transport->pending(self) != 2)
            error = "pending to oneself: " + std::to_string(transport->pending(self));
        const bool moved = transport->poll();
        if (!moved || got != std::vector<Message>{"first", "second"})
            error = "the first poll brought " + std::to_string(got.size()) + " messages";
        transport->poll();
        if (got.size() != 3 || got.back() != "third")
            error = "the second poll brought in all " + std::to_string(got.size());
        transport->setHandler({});
    }
    return error;
}

std::string asksForAPollAfterSending(Fixture& fixture)
{
    settle(fixture);
    std::string error;
    Transport* const first = localOf(fixture, ProcessorId(0));
    for (int round = 0; first != nullptr && first->size() > 1 && round < 10; ++round) {
        first->send(ProcessorId(1), "question"); // nobody else sends anything
        if (!first->poll())
            error = "a poll after a message was sent says that nothing moved";
    }
    settle(fixture);
    return fixture.agree(error.empty()) ? std::string() : error;
}

std::string sendsFromTheHandler(Fixture& fixture)
{
    // A token goes round; at the end rank 0 tells all. Every hop is sent by a handler.
    std::map<ProcessorId, bool> ended;
    std::size_t hops = 0;
    for (Transport* transport : fixture.local()) {
        const ProcessorId self = transport->self();
        ended[self] = false;
        transport->setHandler([&, transport, self](ProcessorId, const Message& message) {
            if (message == "end") {
                ended[self] = true;
                return;
            }
            ++hops;
            const std::size_t left = std::stoul(message);
            if (left == 0) {
                for (const ProcessorId to : ranksOf(*transport))
                    transport->send(to, "end");
                return;
            }
            const ProcessorId next = self == lastOf(*transport) ? ProcessorId(0) : self.next();
            transport->send(next, std::to_string(left - 1));
        });
    }
    const std::size_t rounds = 50;
    const std::size_t count = fixture.local().front()->size();
    if (Transport* first = localOf(fixture, ProcessorId(0)))
        first->send(ProcessorId(0), std::to_string(rounds * count - 1));
    const bool done = stepUntil(fixture, [&] {
        bool all = allLeft(fixture);
        for (const auto& [rank, end] : ended)
            all = all && end;
        return all;
    });
    for (Transport* transport : fixture.local())
        transport->setHandler({});
    if (!done)
        return "the token got lost after " + std::to_string(hops) + " hops";
    if (hops != rounds * ended.size())
        return "the token came " + std::to_string(hops) + " times, due were "
            + std::to_string(rounds * ended.size());
    return {};
}

std::string countsWhatIsPending(Fixture& fixture)
{
    Exchange run(
        fixture, [](ProcessorId, ProcessorId) { return Sizes(60, 100'000); }, 6);
    run.sendAll();
    std::string error;
    const bool done = stepUntil(fixture, [&] {
        bool left = true;
        for (const Transport* transport : fixture.local()) {
            std::size_t sum = 0;
            for (const ProcessorId to : ranksOf(*transport))
                sum += transport->pending(to);
            if (sum != transport->pending())
                error = "the peers' sum is " + std::to_string(sum) + ", the total "
                    + std::to_string(transport->pending());
            left = left && sum == 0;
        }
        return left && run.complete();
    });
    if (!done)
        error = "messages stayed pending";
    fixture.agree(error.empty());
    return error.empty() ? run.error() : error;
}

std::string holdsBackWhoSendsMuch(Fixture& fixture)
{
    const ProcessorId last = lastOf(*fixture.local().front());
    if (last == ProcessorId(0))
        return {};
    constexpr std::size_t messages = 200;
    constexpr std::size_t mostUnderWay = 50;
    Exchange run(
        fixture,
        [last](ProcessorId from, ProcessorId to) {
            return from == ProcessorId(0) && to == last ? Sizes(messages, 256 * 1024) : Sizes{};
        },
        10);
    run.sendAll();
    std::string error;
    if (Transport* first = localOf(fixture, ProcessorId(0))) {
        const auto end = std::chrono::steady_clock::now() + settling;
        while (std::chrono::steady_clock::now() < end)
            first->poll();
        if (first->pending(last) < messages - mostUnderWay)
            error = std::to_string(messages - first->pending(last))
                + " messages left for a peer that takes none";
    }
    fixture.meet();
    if (!fixture.agree(error.empty()))
        return error;
    error = run.finish();
    fixture.agree(error.empty());
    return error;
}

std::string takesProcessorsThatJoin(Fixture& fixture)
{
    const std::size_t before = fixture.local().front()->size();
    const Plan plan = [](ProcessorId from, ProcessorId to) {
        return Sizes{from.value() + to.value(), 90'000, 0};
    };
    if (!fixture.join())
        return {};
    for (const Transport* transport : fixture.local()) {
        if (transport->size() != before + 1)
            return nameOf(transport->self()) + " knows " + std::to_string(transport->size())
                + " processors, due were " + std::to_string(before + 1);
    }
    std::string error = exchange(fixture, plan, 11);
    if (error.empty() && fixture.join()) // also where one has joined before
        error = exchange(fixture, plan, 12);
    return error.empty() ? forgetsAndRemembers(fixture) : error;
}

std::string forgetsAndRemembers(Fixture& fixture)
{
    const ProcessorId last = lastOf(*fixture.local().front());
    if (last == ProcessorId(0))
        return {};
    const auto apart = [last](ProcessorId from, ProcessorId to) {
        return (from == ProcessorId(0) && to == last) || (from == last && to == ProcessorId(0));
    };
    Transport* first = localOf(fixture, ProcessorId(0));
    if (first != nullptr)
        first->forget(last);
    if (!fixture.agree(true))
        return "another process gave up";

    std::string error;
    {
        Exchange run(
            fixture,
            [&](ProcessorId from, ProcessorId to) {
                return apart(from, to) ? Sizes{} : Sizes(20, 80);
            },
            7);
        run.sendAll();
        // Beside the plan: what comes of this is "not due".
        if (first != nullptr) {
            for (int count = 0; count < 50; ++count)
                first->send(last, Message(90'000, 'x'));
            if (first->pending(last) != 0)
                error = "messages to a forgotten peer are pending";
        }
        if (Transport* far = localOf(fixture, last)) {
            for (int count = 0; count < 50; ++count)
                far->send(ProcessorId(0), Message(count % 2 == 0 ? 90'000 : 9, 'y'));
        }
        if (error.empty())
            error = run.finish();
        // All has left; rank 0 has taken and dropped it once it is quiet everywhere.
        if (!fixture.agree(error.empty()))
            return error.empty() ? "another process failed" : error;
        settle(fixture);
        if (!run.error().empty())
            error = run.error();
        if (!fixture.agree(error.empty()))
            return error;
    }
    if (first != nullptr)
        first->remember(last);
    if (!fixture.agree(true))
        return "another process gave up";
    return exchange(
        fixture,
        [](ProcessorId, ProcessorId) {
            return Sizes{30, 90'000, 0};
        },
        8);
}

std::string forgetsFromTheHandler(Fixture& fixture)
{
    const ProcessorId last = lastOf(*fixture.local().front());
    if (last == ProcessorId(0))
        return {};
    std::size_t got = 0;
    Transport* first = localOf(fixture, ProcessorId(0));
    if (first != nullptr) {
        first->setHandler([&](ProcessorId from, const Message&) {
            if (from == last && ++got == 3)
                first->forget(last);
        });
    }
    if (!fixture.agree(true))
        return "another process gave up";
    if (Transport* far = localOf(fixture, last)) {
        for (int count = 0; count < 100; ++count)
            far->send(ProcessorId(0), Message(count % 3 == 0 ? 90'000 : 9, 'z'));
    }
    std::string error;
    if (!stepUntil(fixture, [&] { return allLeft(fixture) && (first == nullptr || got >= 3); }))
        error = "a forgotten peer's messages were not taken";
    fixture.agree(error.empty());
    settle(fixture);
    if (first != nullptr) {
        if (got != 3)
            error = std::to_string(got) + " messages arrived of a peer forgotten at the third";
        first->setHandler({});
        first->remember(last);
    }
    return error;
}

std::string staysInStepAfterAnInterruptedMessage(Fixture& fixture)
{
    const ProcessorId last = lastOf(*fixture.local().front());
    if (last == ProcessorId(0))
        return {};
    const Message big = payload(9, ProcessorId(0), last, 0, 20'000'000);
    const Message after = payload(9, ProcessorId(0), last, 1, 1'000);
    const Message bigAfter = payload(9, ProcessorId(0), last, 2, 9'000'000);
    std::vector<Message> got;
    Transport* far = localOf(fixture, last);
    if (far != nullptr)
        far->setHandler([&](ProcessorId, Message message) { got.push_back(std::move(message)); });
    if (Transport* first = localOf(fixture, ProcessorId(0))) {
        first->send(last, big);
        fixture.step();
        first->forget(last);
        first->remember(last);
        first->send(last, after);
        first->send(last, bigAfter);
    }
    std::string error;
    const bool done = stepUntil(fixture, [&] {
        return allLeft(fixture) && (far == nullptr || (!got.empty() && got.back() == bigAfter));
    });
    if (!done)
        error = "what was sent after an interrupted message did not arrive";
    else if (far != nullptr && got != std::vector{after, bigAfter}
             && got != std::vector{big, after, bigAfter})
        error = "an interrupted message arrived in part";
    if (far != nullptr)
        far->setHandler({});
    return error;
}

} // namespace tasuki::conformance
