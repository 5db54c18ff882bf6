// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "farmhistory.h"

#include <memory>
#include <optional>

namespace tst_farmload {

using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

constexpr std::uint32_t loadProcessors = 512;
constexpr std::uint32_t loadTasks = 30'000;

/// Tasks that wait for nothing.
std::vector<EventPayload> plainList()
{
    std::vector<EventPayload> opening{RunOpened{}};
    for (std::uint32_t i = 0; i < loadTasks; ++i) {
        Task task;
        task.command = "task " + std::to_string(i);
        task.settings = std::make_shared<const TaskSettings>();
        task.position = i;
        opening.emplace_back(TaskAdded{TaskId(i), std::move(task)});
    }
    return opening;
}

/// @param groups  with group schedulers; 0: the master feeds everybody
/// @param apart  masters hold no ranks
FarmScenario loadScenario(std::uint32_t groups, bool apart)
{
    FarmScenario scenario{.seed = 1, .ranks = loadProcessors, .dedicatedMaster = apart};
    scenario.groups = groups;
    scenario.leadersApart = apart;
    return scenario;
}

struct LoadFigures {
    FarmSimulation::Load load;
    std::size_t attempts = 0; ///< of all
    std::size_t holders = 0;  ///< of ranks

    [[nodiscard]] double messages() const { return each(load.messages); }
    [[nodiscard]] double bytes() const { return each(load.bytes); }
    /// Of what a processor that holds a rank runs in the mean.
    [[nodiscard]] double share() const
    {
        return static_cast<double>(load.attempts) * static_cast<double>(holders)
            / static_cast<double>(attempts);
    }

private:
    [[nodiscard]] double each(std::uint64_t sum) const
    {
        return static_cast<double>(sum) / static_cast<double>(attempts);
    }
};

/// @return nothing when something went wrong
std::optional<LoadFigures> figuresOf(const FarmScenario& scenario)
{
    RunState state;
    FarmSimulation simulation(scenario, state, Epoch(1), plainList());
    if (!simulation.run().empty() || simulation.end() != RunEnd::Complete)
        return std::nullopt;
    LoadFigures figures{.load = simulation.masterLoad()};
    for (const Event& event : simulation.record())
        figures.attempts += std::holds_alternative<AttemptFinished>(event.payload) ? 1U : 0U;
    figures.holders = state.processors().size();
    return figures;
}

} // namespace

/// What the processor of a farm's master has to do, with and without group schedulers, with and without
/// dedicated masters.
class TestFarmLoad : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void masterOf64Subclusters();
};

// Fails if a dedicated master runs a task, or if the group schedulers of 63 subclusters spare it hardly any
// messages. What is printed is said in docs/results.md.
void TestFarmLoad::masterOf64Subclusters()
{
    struct Row {
        const char* name;
        FarmScenario scenario;
        std::optional<LoadFigures> found = {};
    };
    std::vector<Row> rows{{"feeds all ranks", loadScenario(0, false)},
                          {"feeds all ranks, dedicated", loadScenario(0, true)},
                          {"with 63 group schedulers", loadScenario(63, false)},
                          {"with 63 group schedulers, all dedicated", loadScenario(63, true)}};
    for (Row& row : rows) {
        row.found = figuresOf(row.scenario);
        QVERIFY2(row.found.has_value(), row.name);
    }
    const double most = rows.front().found->messages();
    for (const Row& row : rows) {
        qInfo(
            "%u processors, %zu ranks, the master %-31s %5.2f messages and %4.0f bytes an attempt "
            "(%.2f of the first); it runs %.2f of what a rank does",
            loadProcessors, row.found->holders, row.name, row.found->messages(), row.found->bytes(),
            row.found->messages() / most, row.found->share());
    }
    const LoadFigures& working = *rows[2].found;
    const LoadFigures& dedicated = *rows[3].found;
    QVERIFY(rows[0].found->share() > 0.5 && working.share() > 0.5);
    QCOMPARE(rows[1].found->load.attempts, 0U);
    QCOMPARE(dedicated.load.attempts, 0U);
    QCOMPARE(dedicated.holders, std::size_t(loadProcessors - 64));
    QVERIFY(working.messages() < 0.7 * most && dedicated.messages() < 0.7 * most);
}

QTEST_APPLESS_MAIN(TestFarmLoad)

} // namespace tst_farmload

#include "tst_farmload.moc"
