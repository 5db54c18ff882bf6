// SPDX-License-Identifier: GPL-3.0-or-later
#include <QByteArray>
#include <QTest>

#include "report/runreporter.h"
#include "support/manualclock.h"

#include <cstdio>
#include <memory>

namespace tst_runreporter {

using namespace tasuki;
using namespace std::chrono_literals;

/// What people read on the terminal of a system whose masters change.
class TestRunReporter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void successionsAreTold();
};

void TestRunReporter::successionsAreTold()
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> errors(std::tmpfile(), &std::fclose);
    QVERIFY(errors != nullptr);
    ManualClock clock;
    RunState state;
    RunReporter::Options options;
    options.quiet = true; // that is told all the same
    options.errors = errors.get();
    RunReporter reporter(state, clock, options);
    std::uint64_t last = 0;
    const auto happen = [&](EventPayload payload) {
        const Event event{.id = {Epoch(1), Sequence(++last)},
                          .wallTime = {},
                          .monotonic = {},
                          .payload = std::move(payload)};
        QVERIFY(state.apply(event).ok());
        reporter.published(event);
    };
    SystemLaidOut layout;
    layout.subclusters = {{.name = "a"}};
    layout.units = {{.name = "u", .host = "h", .subcluster = SubclusterId(0)}};
    for (std::uint32_t number = 0; number < 2; ++number)
        layout.processors.push_back({.id = ProcessorId(number), .host = "h"});
    happen(RunOpened{});
    happen(layout);
    happen(MasterChanged{.role = MasterRole::System, .index = 0, .processor = ProcessorId(0)});
    happen(MasterChanged{.role = MasterRole::System,
                         .index = 0,
                         .processor = ProcessorId(1),
                         .previous = ProcessorId(0),
                         .detection = 1ms,
                         .takeover = 8ms});
    happen(MasterChanged{.role = MasterRole::System,
                         .index = 0,
                         .processor = ProcessorId(1),
                         .previous = ProcessorId(1),
                         .takeover = 4s});
    std::rewind(errors.get());
    QByteArray told(1'000, '\0');
    told.resize(static_cast<qsizetype>(std::fread(told.data(), 1, 1'000, errors.get())));
    QCOMPARE(told.count('\n'), qsizetype(2)); // who was first succeeded nobody
    QVERIFY2(told.contains("processor 1 (h) is system master in place of processor 0 (h)"), told);
    QVERIFY2(told.contains("processor 1 (h) is system master again"), told);
}

QTEST_APPLESS_MAIN(TestRunReporter)

} // namespace tst_runreporter

#include "tst_runreporter.moc"
