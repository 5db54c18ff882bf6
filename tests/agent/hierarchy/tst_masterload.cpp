// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/codec.h"
#include "systemsimulation.h"

#include <chrono>
#include <map>

namespace tst_masterload {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

constexpr auto loadSpan = 5s; ///< of the measurement
constexpr int loadBeats = 50; ///< in it

/// Who the master of each of 64 subclusters is, besides being that.
struct Placement {
    const char* name;
    SimulationShape shape;
};

/// Each subcluster has six ranks and a standby.
std::vector<Placement> placements()
{
    SimulationShape active{.subclusters = 64, .units = 1, .active = 6, .standby = 1, .io = 0};
    SimulationShape io = active;
    io.io = 1;
    SimulationShape dedicated = active;
    dedicated.dedicated = true;
    SimulationShape larger = dedicated; // four times the ranks, in as many units
    larger.units = 4;
    larger.active = 27;
    larger.standby = 4;
    return {{"a holder of a rank", active},
            {"an I/O processor", io},
            {"dedicated", dedicated},
            {"dedicated, 2048 in all", larger}};
}

/// What the system master has to do.
struct MasterLoad {
    std::size_t processors = 0;
    std::size_t children = 0;
    double messages = 0; ///< sent or received, a beat
    double bytes = 0;    ///< the same
    std::uint32_t tasks = 0;
    bool holdsRank = false;
    double mean = 0; ///< tasks of who holds a rank

    [[nodiscard]] double each() const { return messages / static_cast<double>(children); }
};

/// @return nothing when something went wrong
std::optional<MasterLoad> loadOf(const SimulationShape& shape)
{
    SystemSimulation system(shape, 1);
    const ProcessorId master(0);
    system.readyAll();
    if (!system.runUntil([&] { return system.membership(master).view().system().started; }, 5s))
        return std::nullopt;
    system.run(1s);           // the word that work may begin has reached everybody
    system.addTasks(100'000); // more than can be done
    std::size_t messages = 0;
    std::size_t bytes = 0;
    system.listen([&](ProcessorId from, ProcessorId to, const ControlMessage& message) {
        if (from != master && to != master)
            return;
        ++messages;
        bytes += encode(message).size();
    });
    system.run(loadSpan);
    if (!system.violations().empty() || system.systemMaster() != master)
        return std::nullopt;
    const auto& holding = system.membership(master).holding();
    const SeatRow* const seat = holding
        ? system.membership(master).view().cluster(SubclusterId(0)).seat(holding->seat)
        : nullptr;
    std::uint32_t all = 0;
    for (std::uint32_t number = 0; number < system.size(); ++number)
        all += system.tasksOf(ProcessorId(number));
    return MasterLoad{.processors = system.size(),
                      .children = system.membership(master).position().children.size(),
                      .messages = static_cast<double>(messages) / loadBeats,
                      .bytes = static_cast<double>(bytes) / loadBeats,
                      .tasks = system.tasksOf(master),
                      .holdsRank = seat != nullptr && seat->kind == SeatKind::Active,
                      .mean = static_cast<double>(all) / (shape.subclusters * shape.active)};
}

} // namespace

/// What the system master of 64 subclusters has to do, with and without dedicated masters.
class TestMasterLoad : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dedicatedMastersDoNothingElse();
};

// Fails if a dedicated master gets work, or if the messages that reach the system master grow with the
// system instead of with its own children. What is printed is said in docs/results.md.
void TestMasterLoad::dedicatedMastersDoNothingElse()
{
    std::map<std::string, MasterLoad> loads;
    for (const Placement& placement : placements()) {
        const auto load = loadOf(placement.shape);
        QVERIFY2(load.has_value(), placement.name);
        loads[placement.name] = *load;
        const double everybody = 2 * static_cast<double>(load->processors - 1);
        qInfo("%4zu processors, system master %-22s %3zu children, %5.0f messages and %6.0f bytes "
              "a beat (%5.0f and %6.0f a second), %.2f a child; 1/%.1f of what all would send it; "
              "its tasks: %.2f of a rank's",
              load->processors, placement.name, load->children, load->messages, load->bytes,
              load->messages * 10, load->bytes * 10, load->each(), everybody / load->messages,
              load->tasks / load->mean);
        QVERIFY(load->mean > 20);
        QVERIFY2(load->each() > 1.5 && load->each() <= 4.0, placement.name);
    }
    const MasterLoad& working = loads["a holder of a rank"];
    const MasterLoad& edge = loads["an I/O processor"];
    const MasterLoad& dedicated = loads["dedicated"];
    const MasterLoad& larger = loads["dedicated, 2048 in all"];
    QVERIFY(working.holdsRank && working.tasks > working.mean / 2);
    QVERIFY(!edge.holdsRank && edge.tasks == 0U);
    QVERIFY(!dedicated.holdsRank && dedicated.tasks == 0U);
    // Cluster masters, and those of its own unit. No message more than where it does other things.
    QCOMPARE(dedicated.children, std::size_t(63 + 7));
    QCOMPARE(dedicated.children, edge.children);
    QVERIFY(dedicated.messages <= 1.05 * edge.messages);
    // Cluster masters, unit masters of its own subcluster, and those of its own unit.
    QCOMPARE(larger.processors, std::size_t(2048));
    QCOMPARE(larger.children, std::size_t(63 + 3 + 7));
    QVERIFY(larger.messages <= 1.1 * dedicated.messages);
    // And a byte for each processor, with which its following is told.
    const auto more = static_cast<double>(larger.processors - dedicated.processors);
    QVERIFY(larger.bytes <= 1.1 * dedicated.bytes + more);
}

QTEST_APPLESS_MAIN(TestMasterLoad)

} // namespace tst_masterload

#include "tst_masterload.moc"
