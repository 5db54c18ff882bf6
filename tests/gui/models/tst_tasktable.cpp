// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/exportvalue.h"
#include "models/tasktablemodel.h"
#include "models/wording.h"
#include "sessionbench.h"
#include "shared/domain/randomhistory.h"

#include <QAbstractItemModelTester>
#include <QThreadPool>

#include <random>
#include <ranges>

namespace tst_tasktable {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

/// A table on a session, watched by Qt's tester.
struct Bench : SessionBench {
    Bench() : drafts(*session), model(*session, history, &drafts)
    {
        session->addSink(history);
        tester = std::make_unique<QAbstractItemModelTester>(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    ~Bench() { session->removeSink(history); }

    void settle()
    {
        for (int i = 0; i < 10'000 && model.arranging(); ++i)
            turn();
        model.rearrangeNow();
        for (int i = 0; i < 10'000 && model.arranging(); ++i)
            turn();
    }
    /// Tasks are chosen while the event loop turns, and sorted on another thread.
    static void turn()
    {
        QCoreApplication::processEvents();
        QThreadPool::globalInstance()->waitForDone();
    }
    [[nodiscard]] std::vector<std::uint32_t> rows() const
    {
        std::vector<std::uint32_t> rows;
        for (int row = 0; row < model.rowCount(); ++row)
            rows.push_back(model.taskAt(row).value());
        return rows;
    }
    /// The rows by the plainest of ways.
    [[nodiscard]] std::vector<std::uint32_t> expected(TaskColumn column, Qt::SortOrder order) const
    {
        const TaskMatcher matcher(model.filter());
        std::vector<std::uint32_t> ids;
        for (std::uint32_t id = 0; id < session->state().tasks().size(); ++id) {
            if (matcher.matches(session->state().task(TaskId(id)), history.latest(TaskId(id))))
                ids.push_back(id);
        }
        const auto view = [&](std::uint32_t id) {
            const AttemptEntry* latest = history.latest(TaskId(id));
            return TaskView{.id = TaskId(id),
                            .record = session->state().task(TaskId(id)),
                            .latest = latest,
                            .holder = latest ? &history.holder(*latest) : nullptr};
        };
        std::ranges::sort(ids, [&](std::uint32_t a, std::uint32_t b) {
            return comesBefore(view(a), view(b), column, order);
        });
        return ids;
    }
    [[nodiscard]] QVariant cell(int row, TaskColumn column, int role = Qt::DisplayRole) const
    {
        return model.index(row, static_cast<int>(column)).data(role);
    }

    AttemptHistory history;
    TaskDrafts drafts;
    TaskTableModel model;
    std::unique_ptr<QAbstractItemModelTester> tester;
};

TaskFilter textFilter(const QString& text)
{
    TaskFilter filter;
    filter.text = text;
    return filter;
}

} // namespace

class TestTaskTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cells();
    void sortKeys();
    void output();
    void filters_data();
    void filters();
    void wrongExpression();
    void statesAndRanks();
    void live_data();
    void live();
    void indexesFollowTheirTasks();
    void fewAnnouncements();
    void changedCellsAreTold();
    void startOver();
    void drafts();
    void draftsAreShownWhateverTheFilterSays();
    void manyRows();
    void changesWhileArranging();
};

void TestTaskTable::cells()
{
    Bench bench;
    bench.begin(3);
    TaskSettings settings;
    settings.timeout = 90s;
    settings.workingDirectory = "/data";
    settings.environment = {{"A", "1"}};
    Task task = SessionBench::task(1, "echo \\\n two");
    task.settings = std::make_shared<const TaskSettings>(settings);
    TaskLinks links;
    links.label = "mine";
    task.links = std::make_shared<const TaskLinks>(links);
    task.stage = 2;
    bench.happen({TaskChanged{.id = TaskId(1), .task = task}});
    bench.happen({bench.started(1)});
    bench.settle();
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{0, 1, 2}));
    QCOMPARE(bench.cell(1, TaskColumn::Number).toUInt(), 1U);
    QCOMPARE(bench.cell(1, TaskColumn::State).toString(), wording::state(TaskState::Running));
    QCOMPARE(bench.cell(1, TaskColumn::Command).toString(), QStringLiteral("echo \\  two"));
    QCOMPARE(bench.cell(1, TaskColumn::Command, Qt::EditRole).toString(),
             QStringLiteral("echo \\\n two"));
    QCOMPARE(bench.cell(1, TaskColumn::Attempts).toInt(), 1);
    QCOMPARE(bench.cell(1, TaskColumn::Result).toString(), QString());
    QCOMPARE(bench.cell(1, TaskColumn::RanOn).toInt(), 0);
    QCOMPARE(bench.cell(1, TaskColumn::Host).toString(), QStringLiteral("node0"));
    QCOMPARE(bench.cell(1, TaskColumn::Label).toString(), QStringLiteral("mine"));
    QCOMPARE(bench.cell(1, TaskColumn::Stage).toInt(), 2);
    QCOMPARE(bench.cell(1, TaskColumn::Timeout).toString(), QStringLiteral("1m30s"));
    QCOMPARE(bench.cell(1, TaskColumn::Timeout, RawRole).toLongLong(), 90'000);
    QCOMPARE(bench.cell(1, TaskColumn::Directory).toString(), QStringLiteral("/data"));
    QCOMPARE(bench.cell(1, TaskColumn::Environment).toString(), QStringLiteral("A=1"));
    QCOMPARE(bench.cell(1, TaskColumn::Number, TaskIdRole).toUInt(), 1U);
    QCOMPARE(bench.cell(1, TaskColumn::Label, TaskStateRole).toInt(),
             static_cast<int>(TaskState::Running));
    QCOMPARE(bench.cell(0, TaskColumn::Attempts), QVariant());
    QCOMPARE(bench.cell(0, TaskColumn::RanOn), QVariant());
    bench.at += 2s;
    bench.happen({bench.ended(1, 1, Outcome::Failed, 2s)});
    QCOMPARE(bench.cell(1, TaskColumn::Result).toString(), QStringLiteral("exit 3"));
    QCOMPARE(bench.cell(1, TaskColumn::RunTime).toString(), wording::duration(2s));
    QCOMPARE(bench.cell(1, TaskColumn::RunTime, RawRole).toLongLong(), 2'000'000);
    for (int column = 0; column < taskColumnCount; ++column) {
        QVERIFY(!bench.model.headerData(column, Qt::Horizontal).toString().isEmpty());
        // A heading is painted before there are cells.
        QCOMPARE(bench.model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole),
                 bench.cell(1, static_cast<TaskColumn>(column), Qt::TextAlignmentRole));
    }
}

void TestTaskTable::sortKeys()
{
    Bench bench;
    bench.begin(4);
    bench.happen({bench.ended(2, 1, Outcome::Succeeded, 5s), bench.ended(0, 1, Outcome::Failed, 1s),
                  bench.started(3)});
    bench.settle();
    const auto sorted = [&](TaskColumn column, Qt::SortOrder order) {
        bench.model.sort(static_cast<int>(column), order);
        bench.settle();
        return bench.rows();
    };
    using Ids = std::vector<std::uint32_t>;
    QCOMPARE(sorted(TaskColumn::Number, Qt::DescendingOrder), (Ids{3, 2, 1, 0}));
    // Without a value: last, by number.
    QCOMPARE(sorted(TaskColumn::RunTime, Qt::AscendingOrder), (Ids{0, 2, 1, 3}));
    QCOMPARE(sorted(TaskColumn::RunTime, Qt::DescendingOrder), (Ids{1, 3, 2, 0}));
    QCOMPARE(sorted(TaskColumn::State, Qt::AscendingOrder), (Ids{1, 3, 2, 0}));
    QCOMPARE(sorted(TaskColumn::Command, Qt::DescendingOrder), (Ids{3, 2, 1, 0}));
    bench.model.sort(-1);
    bench.settle();
    QCOMPARE(bench.rows(), (Ids{0, 1, 2, 3}));
}

// Fails if what was printed and what is kept of it are mixed up, or are no numbers for programs.
void TestTaskTable::output()
{
    Bench bench;
    bench.begin(5);
    const auto wrote = [&](std::uint32_t task, std::uint64_t output, std::uint64_t errors) {
        AttemptFinished finished = bench.ended(task);
        finished.result.standardOutput.totalBytes = output;
        finished.result.standardError.totalBytes = errors;
        return finished;
    };
    bench.happen({Notice{.text = outputNotice({.recordBytes = 1'000, .directory = "/out"})},
                  wrote(0, 5'000, 10), wrote(1, 0, 0), wrote(2, 900, 2'000), bench.started(3)});
    bench.happen({RunOpened{}, wrote(4, 3'000, 0)}); // a life that keeps the usual
    bench.settle();
    const auto exported = [&](int row, TaskColumn column) {
        return bench.cell(row, column, exportRole).toString();
    };
    QCOMPARE(exported(0, TaskColumn::Printed), QStringLiteral("5010"));
    QCOMPARE(exported(0, TaskColumn::Kept), QStringLiteral("1010"));
    QCOMPARE(exported(1, TaskColumn::Printed), QStringLiteral("0"));
    QCOMPARE(exported(2, TaskColumn::Kept), QStringLiteral("1900"));
    QCOMPARE(exported(3, TaskColumn::Printed), QString()); // cut off
    QCOMPARE(exported(4, TaskColumn::Kept), QStringLiteral("3000"));
    QCOMPARE(bench.cell(0, TaskColumn::Printed).toString(), wording::bytes(5'010));
    QVERIFY(bench.model.headerData(static_cast<int>(TaskColumn::Kept), Qt::Horizontal, exportRole)
                .toString()
                .contains(QStringLiteral("bytes")));
    bench.model.sort(static_cast<int>(TaskColumn::Kept), Qt::DescendingOrder);
    bench.settle();
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{3, 4, 2, 0, 1}));
    QCOMPARE(bench.history.outputDirectory(*bench.history.latest(TaskId(0))), std::string("/out"));
    QVERIFY(bench.history.outputDirectory(*bench.history.latest(TaskId(4))).empty());
}

void TestTaskTable::filters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<std::vector<std::uint32_t>>("shown");
    using Ids = std::vector<std::uint32_t>;
    QTest::newRow("all") << "" << Ids{0, 1, 2, 3};
    QTest::newRow("any case") << "GREP" << Ids{0, 1};
    QTest::newRow("none") << "perl" << Ids{};
    QTest::newRow("Japanese") << QStringLiteral("襷") << Ids{2};
    QTest::newRow("not ASCII, any case") << QStringLiteral("É") << Ids{3};
    QTest::newRow("label") << "nightly" << Ids{2};
    QTest::newRow("directory") << "/data" << Ids{3};
    QTest::newRow("expression") << "/^grep .*x$/" << Ids{0};
    QTest::newRow("expression, any case") << "/Grep/" << Ids{0, 1};
    QTest::newRow("alternatives") << QStringLiteral("/襷|é/") << Ids{2, 3};
    QTest::newRow("a slash") << "/" << Ids{3};
    QTest::newRow("special characters") << ".*" << Ids{};
}

void TestTaskTable::filters()
{
    QFETCH(QString, text);
    QFETCH(std::vector<std::uint32_t>, shown);
    Bench bench;
    Task labelled = SessionBench::task(2, "echo \xe8\xa5\xb7");
    TaskLinks links;
    links.label = "Nightly";
    labelled.links = std::make_shared<const TaskLinks>(links);
    Task placed = SessionBench::task(3, "caf\xc3\xa9");
    TaskSettings settings;
    settings.workingDirectory = "/data";
    placed.settings = std::make_shared<const TaskSettings>(settings);
    bench.happen(
        {RunOpened{}, SessionBench::added(0, "grep -r x"), SessionBench::added(1, "zGREP y \xff"),
         TaskAdded{.id = TaskId(2), .task = labelled}, TaskAdded{.id = TaskId(3), .task = placed}});
    bench.settle();
    bench.model.setFilter(textFilter(text));
    bench.settle();
    QCOMPARE(bench.rows(), shown);
    QVERIFY(bench.model.filterProblem().isEmpty());
    // Live changes go through the filter too.
    bench.happen({SessionBench::added(4, "grep x")});
    bench.settle();
    QCOMPARE(bench.rows(), bench.expected(TaskColumn::Number, Qt::AscendingOrder));
    bench.model.setFilter({});
    bench.settle();
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

void TestTaskTable::draftsAreShownWhateverTheFilterSays()
{
    Bench bench;
    bench.begin(0);
    bench.happen({SessionBench::added(0, "grep x"), SessionBench::added(1, "sort y"),
                  SessionBench::added(2, "grep z")});
    bench.settle();
    bench.drafts.edit({TaskId(1)}, TaskField::Command, QStringLiteral("sort -u y"));
    bench.model.setFilter(textFilter(QStringLiteral("grep")));
    bench.settle();
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{0, 1, 2}));
    bench.drafts.edit({TaskId(2)}, TaskField::Command, QStringLiteral("sort z"));
    bench.drafts.undoStack().undo();
    bench.settle();
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{0, 1, 2}));
    bench.drafts.undoStack().undo(); // no draft any more: the filter holds again
    bench.settle();
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{0, 2}));
}

void TestTaskTable::wrongExpression()
{
    Bench bench;
    bench.begin(3);
    bench.settle();
    bench.model.setFilter(textFilter(QStringLiteral("/(/")));
    bench.settle();
    QVERIFY(!bench.model.filterProblem().isEmpty());
    QCOMPARE(bench.model.rowCount(), 0);
    bench.model.setFilter(textFilter(QStringLiteral("/(1)/")));
    bench.settle();
    QVERIFY(bench.model.filterProblem().isEmpty());
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{1}));
}

void TestTaskTable::statesAndRanks()
{
    Bench bench;
    bench.begin(5);
    bench.happen(
        {ProcessorJoined{
             .rank = Rank(1), .incarnation = Incarnation(1), .host = "node1", .pid = 1, .slots = 1},
         bench.ended(0, 1, Outcome::Failed), bench.started(1, 1, 1), TaskRemoved{.id = TaskId(4)}});
    bench.settle();
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{0, 1, 2, 3})); // not what is removed
    TaskFilter filter;
    filter.states.set(static_cast<std::size_t>(TaskState::Removed));
    filter.states.set(static_cast<std::size_t>(TaskState::Failed));
    bench.model.setFilter(filter);
    bench.settle();
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{0, 4}));
    filter = {};
    filter.rank = Rank(1);
    bench.model.setFilter(filter);
    bench.settle();
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{1}));
}

void TestTaskTable::live_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 15; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestTaskTable::live()
{
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned limit) { return static_cast<unsigned>(random()) % limit; };
    RandomHistory history(seed);
    Bench bench;
    auto column = TaskColumn::Number;
    auto order = Qt::AscendingOrder;
    std::map<std::uint32_t, QPersistentModelIndex> kept;
    for (int step = 0; step < 120; ++step) {
        bench.play(history.more(1 + below(30)));
        switch (below(8)) {
        case 0:
            column = static_cast<TaskColumn>(below(taskColumnCount));
            order = below(2) == 0 ? Qt::AscendingOrder : Qt::DescendingOrder;
            bench.model.sort(static_cast<int>(column), order);
            break;
        case 1: {
            TaskFilter filter;
            if (below(2) == 0)
                filter.text = QChar(u'a' + static_cast<char16_t>(below(26)));
            for (std::size_t state = 0; below(2) == 0 && state < taskStateCount; ++state)
                filter.states.set(state, below(2) == 0);
            if (below(4) == 0)
                filter.rank = Rank(static_cast<std::int32_t>(below(4)));
            bench.model.setFilter(filter);
            break;
        }
        case 2:
            if (below(6) == 0) {
                bench.startOver();
                history = RandomHistory(seed * 1'000 + static_cast<unsigned>(step));
            }
            break;
        case 3: QCoreApplication::processEvents(); break;
        default: break;
        }
        if (bench.model.rowCount() != 0 && below(2) == 0) {
            const int row = static_cast<int>(below(static_cast<unsigned>(bench.model.rowCount())));
            kept[bench.model.taskAt(row).value()] = bench.model.index(
                row, static_cast<int>(below(taskColumnCount)));
        }
        if (below(3) != 0)
            continue;
        bench.settle();
        QCOMPARE(bench.rows(), bench.expected(column, order));
        for (const auto& [id, index] : kept) {
            if (index.isValid())
                QCOMPARE(bench.model.taskAt(index.row()).value(), id);
        }
        for (std::uint32_t id = 0; id < bench.session->state().tasks().size(); ++id) {
            const int row = bench.model.rowOf(TaskId(id));
            QVERIFY(row < 0 || bench.model.taskAt(row) == TaskId(id));
        }
        std::erase_if(kept, [](const auto& entry) { return !entry.second.isValid(); });
    }
}

void TestTaskTable::indexesFollowTheirTasks()
{
    Bench bench;
    bench.begin(50);
    bench.settle();
    bench.model.sort(static_cast<int>(TaskColumn::State));
    bench.settle();
    const QPersistentModelIndex stays(bench.model.index(bench.model.rowOf(TaskId(20)), 2));
    const QPersistentModelIndex moves(bench.model.index(bench.model.rowOf(TaskId(10)), 0));
    const QPersistentModelIndex goes(bench.model.index(bench.model.rowOf(TaskId(30)), 1));
    bench.happen({bench.ended(10), TaskRemoved{.id = TaskId(30)}, SessionBench::added(50, "new"),
                  bench.started(5)});
    bench.settle();
    QVERIFY(stays.isValid());
    QCOMPARE(bench.model.taskAt(stays.row()), TaskId(20));
    QCOMPARE(stays.column(), 2);
    QVERIFY(moves.isValid());
    QCOMPARE(bench.model.taskAt(moves.row()), TaskId(10));
    QCOMPARE(moves.row(), bench.model.rowCount() - 1); // done tasks come after the others
    QVERIFY(!goes.isValid());
}

void TestTaskTable::fewAnnouncements()
{
    Bench bench;
    bench.begin(1'000);
    bench.settle();
    TaskFilter filter;
    filter.states.set(static_cast<std::size_t>(TaskState::Queued));
    bench.model.setFilter(filter);
    bench.settle();
    int announced = 0;
    const auto count = [&] { ++announced; };
    connect(&bench.model, &QAbstractItemModel::rowsInserted, this, count);
    connect(&bench.model, &QAbstractItemModel::rowsRemoved, this, count);
    connect(&bench.model, &QAbstractItemModel::layoutChanged, this, count);
    connect(&bench.model, &QAbstractItemModel::modelReset, this, [] { QFAIL("a reset"); });
    std::vector<EventPayload> payloads;
    for (std::uint32_t id = 0; id < 1'000; id += 2)
        payloads.emplace_back(bench.started(id));
    bench.happen(std::move(payloads));
    bench.settle();
    QCOMPARE(bench.model.rowCount(), 500);
    QVERIFY2(announced <= 3, qPrintable(QString::number(announced)));
}

void TestTaskTable::changedCellsAreTold()
{
    Bench bench;
    bench.begin(100);
    bench.settle();
    std::vector<std::pair<int, int>> told;
    connect(&bench.model, &QAbstractItemModel::dataChanged, this,
            [&](const QModelIndex& first, const QModelIndex& last) {
                told.emplace_back(first.row(), last.row());
                QCOMPARE(first.column(), 0);
                QCOMPARE(last.column(), taskColumnCount - 1);
            });
    bench.happen({bench.started(7), bench.started(9), bench.started(8), bench.started(50)});
    QCOMPARE(told, (std::vector<std::pair<int, int>>{{7, 9}, {50, 50}}));
    // Many of them: as one.
    told.clear();
    std::vector<EventPayload> payloads;
    for (std::uint32_t id = 0; id < 100; id += 2)
        payloads.emplace_back(TaskHeld{.id = TaskId(id)});
    std::erase_if(payloads, [](const EventPayload& payload) {
        const std::uint32_t id = std::get<TaskHeld>(payload).id.value();
        return id == 8 || id == 50;
    });
    bench.happen(payloads);
    QCOMPARE(told.size(), std::size_t(48));
    told.clear();
    History more(Epoch(2));
    more.add(RunOpened{});
    bench.play(more.events());
    QCOMPARE(told, (std::vector<std::pair<int, int>>{{0, 99}}));
}

void TestTaskTable::startOver()
{
    Bench bench;
    bench.begin(20);
    bench.settle();
    bench.model.sort(static_cast<int>(TaskColumn::Number), Qt::DescendingOrder);
    bench.settle();
    int resets = 0;
    connect(&bench.model, &QAbstractItemModel::modelReset, this, [&] { ++resets; });
    bench.startOver();
    QCOMPARE(resets, 1);
    QCOMPARE(bench.model.rowCount(), 0);
    bench.begin(3);
    bench.settle();
    QCOMPARE(bench.rows(), (std::vector<std::uint32_t>{2, 1, 0})); // the order stays wanted
    bench.model.sort(static_cast<int>(TaskColumn::Command));
    bench.startOver(); // while it is being worked out
    QVERIFY(!bench.model.arranging());
    for (int i = 0; i < 3; ++i)
        Bench::turn();
    QCOMPARE(bench.model.rowCount(), 0);
}

void TestTaskTable::drafts()
{
    Bench bench;
    bench.begin(5);
    bench.settle();
    const int commandColumn = static_cast<int>(TaskColumn::Command);
    QModelIndex cell = bench.model.index(2, commandColumn);
    QVERIFY(cell.flags() & Qt::ItemIsEditable);
    QVERIFY(
        !(bench.model.index(2, static_cast<int>(TaskColumn::Label)).flags() & Qt::ItemIsEditable));
    std::vector<int> told;
    connect(&bench.model, &QAbstractItemModel::dataChanged, this,
            [&](const QModelIndex& first) { told.push_back(first.row()); });
    QVERIFY(bench.model.setData(cell, QStringLiteral("echo 'open")));
    QCOMPARE(told, std::vector{2});
    QCOMPARE(cell.data().toString(), QStringLiteral("echo 'open"));
    QCOMPARE(cell.data(Qt::EditRole).toString(), QStringLiteral("echo 'open"));
    QVERIFY(cell.data(DraftRole).toBool());
    QVERIFY(bench.cell(2, TaskColumn::Number, DraftRole).toBool());
    QVERIFY(!bench.cell(2, TaskColumn::Timeout, DraftRole).toBool());
    QVERIFY(!bench.cell(3, TaskColumn::Command, DraftRole).toBool());
    QVERIFY(!cell.data(ProblemRole).toString().isEmpty());
    QCOMPARE(cell.data(Qt::ToolTipRole), cell.data(ProblemRole));
    QCOMPARE(cell.data(TheirsRole).toString(), QStringLiteral("task 2"));
    QVERIFY(bench.model.setData(cell, QStringLiteral("mine")));
    QVERIFY(cell.data(ProblemRole).toString().isEmpty());
    QVERIFY(cell.data(ConflictRole).toString().isEmpty());
    bench.happen({bench.started(2)});
    bench.settle();
    cell = bench.model.index(2, commandColumn);
    QCOMPARE(cell.data(ConflictRole).toString(), wording::conflict(ConflictCause::Started));
    QCOMPARE(bench.cell(2, TaskColumn::Number, ConflictRole), cell.data(ConflictRole));
    QVERIFY(!(cell.flags() & Qt::ItemIsEditable));
    QVERIFY(!bench.model.setData(cell, QStringLiteral("again")));
}

void TestTaskTable::manyRows()
{
    constexpr std::uint32_t count = 60'000;
    Bench bench;
    bench.tester.reset(); // looks at every row every time
    std::vector<EventPayload> payloads{RunOpened{}};
    for (std::uint32_t id = 0; id < count; ++id)
        payloads.emplace_back(
            SessionBench::added(id, "run " + std::to_string(id * 7'919U % count)));
    bench.happen(std::move(payloads));
    bench.settle();
    QCOMPARE(bench.model.rowCount(), static_cast<int>(count));
    bench.model.sort(static_cast<int>(TaskColumn::Command), Qt::DescendingOrder);
    QVERIFY(bench.model.arranging());
    QCOMPARE(bench.model.taskAt(5), TaskId(5)); // the old rows stay until it is done
    bench.settle();
    QCOMPARE(bench.rows(), bench.expected(TaskColumn::Command, Qt::DescendingOrder));
    bench.model.setFilter(textFilter(QStringLiteral("77")));
    bench.settle();
    QCOMPARE(bench.rows(), bench.expected(TaskColumn::Command, Qt::DescendingOrder));
    // More changes than are put in place at once.
    payloads.clear();
    for (std::uint32_t id = 0; id < count; id += 2)
        payloads.emplace_back(TaskRemoved{.id = TaskId(id)});
    bench.happen(std::move(payloads));
    bench.settle();
    QCOMPARE(bench.rows(), bench.expected(TaskColumn::Command, Qt::DescendingOrder));
}

void TestTaskTable::changesWhileArranging()
{
    Bench bench;
    bench.tester.reset();
    std::vector<EventPayload> payloads{RunOpened{}};
    for (std::uint32_t id = 0; id < 30'000; ++id)
        payloads.emplace_back(SessionBench::added(id, "x"));
    bench.happen(std::move(payloads));
    bench.settle();
    std::uint32_t next = 0;
    for (int round = 0; round < 8; ++round) {
        bench.model.sort(static_cast<int>(TaskColumn::State),
                         round % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
        while (bench.model.arranging()) {
            bench.happen(
                {bench.started(next), bench.ended(next + 1), TaskHeld{.id = TaskId(next + 2)}});
            next += 3;
            QCoreApplication::processEvents();
        }
        bench.settle();
        QCOMPARE(bench.rows(),
                 bench.expected(TaskColumn::State,
                                round % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder));
    }
    QVERIFY(next > 0);
}

QTEST_GUILESS_MAIN(TestTaskTable)

} // namespace tst_tasktable

#include "tst_tasktable.moc"
