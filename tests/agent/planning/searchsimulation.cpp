// SPDX-License-Identifier: GPL-3.0-or-later
#include "searchsimulation.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace tasuki::planning::testing {

using namespace std::chrono_literals;

namespace {

/// A runtime that tells most allocations apart.
class Weigher final : public plan::Predictor {
public:
    Weigher(std::shared_ptr<const plan::Environment> environment, std::shared_ptr<Gate> gate)
        : m_environment(std::move(environment)), m_gate(std::move(gate))
    {}

    void predict(std::span<const plan::Allocation> allocations, std::span<double> timesUs) override
    {
        m_gate->pass();
        for (std::size_t index = 0; index < allocations.size(); ++index) {
            timesUs[index] = 0.0;
            for (std::size_t task = 0; task < allocations[index].size(); ++task)
                timesUs[index] += static_cast<double>(task + 1)
                    / m_environment->nodes[allocations[index][task].value()].speed;
        }
    }
    [[nodiscard]] std::size_t lanes() const override { return testing::lanes; }
    [[nodiscard]] std::unique_ptr<Predictor> clone() const override
    {
        return std::make_unique<Weigher>(m_environment, m_gate);
    }

private:
    std::shared_ptr<const plan::Environment> m_environment;
    std::shared_ptr<Gate> m_gate;
};

} // namespace

void Gate::pass()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_left > 0; });
    if (m_left != open)
        --m_left;
    ++m_passed;
}

void Gate::let(std::size_t handfuls)
{
    const std::lock_guard lock(m_mutex);
    m_left = handfuls;
    m_changed.notify_all();
}

std::size_t Gate::passed()
{
    const std::lock_guard lock(m_mutex);
    return m_passed;
}

std::shared_ptr<const plan::Predictor> gatedPredictor(
    std::shared_ptr<const plan::Environment> environment, std::shared_ptr<Gate> gate)
{
    return std::make_shared<Weigher>(std::move(environment), std::move(gate));
}

std::shared_ptr<const plan::Environment> sixNodes()
{
    auto environment = std::make_shared<plan::Environment>();
    for (const double speed : {1.0, 0.5, 0.3, 0.2, 3.0, 2.5}) {
        environment->nodes.push_back(
            {.name = "n" + std::to_string(environment->nodes.size()), .speed = speed});
    }
    environment->nodes[1].slots = 2;
    return environment;
}

plan::Ranking expected(std::uint32_t shares, const std::set<std::uint32_t>& missing)
{
    const auto environment = sixNodes();
    const Weigher weigher(environment, std::make_shared<Gate>(Gate::open));
    plan::Ranking all(keep);
    for (std::uint32_t share = 0; share < shares; ++share) {
        std::atomic<std::uint64_t> tried = 0;
        if (missing.count(share) == 0)
            all.add(plan::search(*environment, tasks, weigher,
                                 {.keep = keep, .share = share, .shares = shares}, {}, tried));
    }
    return all;
}

QString difference(const plan::Ranking& got, const plan::Ranking& wanted)
{
    if (got.tried() != wanted.tried())
        return QStringLiteral("%1 tried, not %2").arg(got.tried()).arg(wanted.tried());
    if (std::abs(got.sumUs() - wanted.sumUs()) > 1e-9 * wanted.sumUs())
        return QStringLiteral("another sum");
    const auto same = [](const plan::Ranked& one, const plan::Ranked& other) {
        return one.timeUs == other.timeUs && one.allocation == other.allocation;
    };
    if (!same(got.worst(), wanted.worst()))
        return QStringLiteral("another worst one");
    return std::ranges::equal(got.best(), wanted.best(), same) ? QString()
                                                               : QStringLiteral("other best ones");
}

bool comesTrue(const std::function<bool()>& condition)
{
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(100us);
    }
    return true;
}

SearchSimulation::SearchSimulation(std::size_t ranks, std::size_t handfuls, std::uint32_t threads)
    : m_network(ranks, m_clock, 7)
{
    const auto environment = sixNodes();
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        m_gates.push_back(std::make_shared<Gate>(handfuls));
        m_searches.push_back(std::make_unique<SharedSearch>(
            SearchJob{.environment = environment,
                      .predictor = gatedPredictor(environment, m_gates.back()),
                      .tasks = tasks,
                      .keep = keep,
                      .threads = threads},
            &m_network.at(ProcessorId(static_cast<ProcessorId::Representation>(rank))), m_clock,
            lostAfter));
    }
}

void SearchSimulation::openAll()
{
    for (std::size_t rank = 0; rank < m_gates.size(); ++rank)
        open(rank);
}

void SearchSimulation::step()
{
    for (std::size_t rank = 0; rank < m_searches.size(); ++rank) {
        if (m_asleep.count(rank) == 0 && !m_searches[rank]->over())
            m_searches[rank]->poll();
    }
    m_clock.advance(10ms);
}

void SearchSimulation::run(std::chrono::milliseconds time)
{
    const SteadyTime end = m_clock.now() + time;
    while (m_clock.now() < end)
        step();
}

bool SearchSimulation::runUntil(const std::function<bool()>& condition)
{
    return comesTrue([&] {
        const bool isTrue = condition();
        if (!isTrue)
            step();
        return isTrue;
    });
}

bool SearchSimulation::runToTheEnd()
{
    return runUntil([this] {
        for (std::size_t rank = 0; rank < m_searches.size(); ++rank) {
            if (m_asleep.count(rank) == 0 && !m_searches[rank]->over())
                return false;
        }
        return true;
    });
}

bool SearchSimulation::runUntilHeld(std::uint64_t triedByEach)
{
    return runUntil([&] { return at(0).tried() == triedByEach * m_searches.size(); });
}

} // namespace tasuki::planning::testing
