// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cells/problembar.h"
#include "chart/allocationpanel.h"
#include "environment/environmentpanel.h"
#include "planner/folderdialog.h"
#include "planner/planpage.h"
#include "planner/plansearcher.h"
#include "tracetimeline/tracecomparison.h"

#include <QComboBox>
#include <QFileInfo>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <memory>

namespace tst_planpage {

using namespace tasuki;
using namespace tasuki::planner;

namespace {

/// Three tasks: the first computes and hands on; the others wait and compute.
constexpr auto traceLog = "-13 0 155 156 0 0 green:x RECV\n"
                          "-13 0 161 162 0 0 blue:x SEND\n"
                          "155 1 0 0 0 0\n"
                          "155 2 0 0 0 0\n"
                          "161 0 0 0 0 100000\n"
                          "-101 0 0 1 0 100000 0 1000\n"
                          "162 0 0 0 0 100010\n"
                          "161 0 0 0 0 100010\n"
                          "-101 0 0 2 0 100010 0 1000\n"
                          "162 0 0 0 0 100020\n"
                          "-102 1 0 0 0 100200 0 1000\n"
                          "156 1 0 0 0 100200\n"
                          "-102 2 0 0 0 100210 0 1000\n"
                          "156 2 0 0 0 100210\n"
                          "161 1 0 0 0 120000\n"
                          "-101 1 0 2 0 120000 0 1000\n"
                          "162 1 0 0 0 120010\n"
                          "155 2 0 0 0 130000\n"
                          "-102 2 0 1 0 130020 0 1000\n"
                          "156 2 0 0 0 130020\n";

constexpr auto environmentFile = "[[node]]\nname = \"a\"\n"
                                 "[[node]]\nname = \"b\"\nspeed = 0.5\n"
                                 "[[node]]\nname = \"c\"\nspeed = 0.25\n"
                                 "[link_default]\na0_us = 60.0\na1_us_per_byte = 0.08\n";

} // namespace

/// The page with a real trace, as an operator uses it.
class TestPlanPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void emptyPageExplainsItself();
    void chartTimelinesAndExplanation();
    void selectionShowsWhereItLoses();
    void editsOfTheEnvironmentCount();
    void modelsAndComparison();
    void bundle();
    void newFolder();
    void measurements();
    void badTraceIsTold();
    void aNewPageShowsTheSame();
    void placesToSearch();
    void lostAgentIsToldAndTheSearchGoesOnHere();
    void bestIsFollowedWhileASearchGoesOn();

private:
    void openBoth();
    [[nodiscard]] QString written(const QString& name, const QByteArray& content) const;

    QTemporaryDir m_folder;
    std::unique_ptr<Preferences> m_preferences;
    std::unique_ptr<PlanDocument> m_document;
    std::unique_ptr<PlanPage> m_page;
};

void TestPlanPage::initTestCase()
{
    QVERIFY(m_folder.isValid());
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    QCoreApplication::setOrganizationName(QStringLiteral("tasuki"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_planpage"));
}

void TestPlanPage::init()
{
    m_preferences = std::make_unique<Preferences>(std::make_unique<QSettings>());
    m_document = std::make_unique<PlanDocument>();
    m_page = std::make_unique<PlanPage>(*m_document, *m_preferences);
    m_page->resize(1200, 800);
    m_page->show();
}

void TestPlanPage::cleanup()
{
    m_page.reset();
    m_document.reset();
    m_preferences.reset();
}

QString TestPlanPage::written(const QString& name, const QByteArray& content) const
{
    const QString path = m_folder.filePath(name);
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? path
                                                                                    : QString();
}

void TestPlanPage::openBoth()
{
    m_document->session().open(written(QStringLiteral("t.alog"), traceLog));
    m_page->openEnvironment(written(QStringLiteral("e.toml"), environmentFile));
    QTRY_VERIFY(m_page->showsPrediction());
}

void TestPlanPage::emptyPageExplainsItself()
{
    QVERIFY(m_page->searchButton().isEnabled());
    QVERIFY(m_page->searchButton().text().contains(QStringLiteral("Open trace")));
    QSignalSpy wanted(m_page.get(), &PlanPage::traceWanted);
    m_page->searchButton().click();
    QCOMPARE(wanted.size(), 1);
    m_document->session().open(written(QStringLiteral("t.alog"), traceLog));
    QTRY_COMPARE(m_document->session().state(), PlanSession::State::Ready);
    // The trace can be looked at already.
    QCOMPARE(m_page->timelines().upper().title(), QStringLiteral("As traced"));
    QCOMPARE(m_page->timelines().upper().scene().store()->tasks(), 3U);
    QVERIFY(!m_page->searchButton().isEnabled());
    QVERIFY(m_page->searchButton().toolTip().contains(QStringLiteral("no nodes")));
}

void TestPlanPage::chartTimelinesAndExplanation()
{
    openBoth();
    QCOMPARE(m_document->allocations().count(), 6);
    QCOMPARE(m_document->allocations().selectedRow(), m_document->allocations().bestRow());
    QCOMPARE(m_page->title(), QStringLiteral("t.alog"));
    QVERIFY(!m_page->problems().isVisible());
    QVERIFY2(m_page->explanation().startsWith(QStringLiteral("The best:")),
             qPrintable(m_page->explanation()));
    QCOMPARE(m_page->timelines().upper().title(), QStringLiteral("As traced"));
    // The task that all wait for on the fast node, the one that computes least on the slow one.
    QCOMPARE(m_page->timelines().lower().title(), QStringLiteral("Predicted: a, c, b"));
}

void TestPlanPage::selectionShowsWhereItLoses()
{
    openBoth();
    AllocationList& list = m_document->allocations();
    list.selectRow(list.worstRow());
    QTRY_VERIFY(m_page->explanation().contains(QStringLiteral("longer than the best")));
    QVERIFY2(m_page->explanation().contains(QStringLiteral("task 0 on c")),
             qPrintable(m_page->explanation()));
    QVERIFY(m_page->timelines().lower().title().startsWith(QStringLiteral("Predicted: c")));
}

void TestPlanPage::editsOfTheEnvironmentCount()
{
    openBoth();
    const double before = m_document->allocations().at(0).predictedUs;
    QVERIFY(!m_document->environment().setCells(
        QList<NodeCell>{{.node = 0, .field = NodeField::Speed, .text = QStringLiteral("2")}}));
    QTRY_VERIFY(m_page->showsPrediction());
    QVERIFY(m_document->allocations().at(0).predictedUs < before);
    m_document->environment().undoStack().undo();
    QTRY_VERIFY(m_page->showsPrediction());
    QCOMPARE(m_document->allocations().at(0).predictedUs, before);
    // Too few nodes: nothing is shown that does not hold.
    m_document->environment().removeNodes({1, 2});
    QTRY_COMPARE(m_document->allocations().count(), 0);
    QVERIFY(!m_page->showsPrediction());
    QVERIFY(m_page->searchButton().toolTip().contains(QStringLiteral("3 tasks")));
    m_document->environment().undoStack().undo();
    QTRY_COMPARE(m_document->allocations().count(), 6);
}

void TestPlanPage::modelsAndComparison()
{
    openBoth();
    m_page->comparison().setCurrentIndex(1);
    QCOMPARE(m_page->timelines().upper().title(), QStringLiteral("The best: a, c, b"));
    m_page->models().setCurrentIndex(1);
    QTRY_VERIFY(m_document->session().result().has_value());
    QCOMPARE(m_document->session().result()->model, Model::Lsmg);
}

void TestPlanPage::bundle()
{
    openBoth();
    const QString folder = m_folder.filePath(QStringLiteral("bundle"));
    QVERIFY(QDir().mkpath(folder));
    m_page->writeBundle(folder);
    QFile rankfile(folder + QStringLiteral("/rankfile"));
    QVERIFY(rankfile.open(QIODevice::ReadOnly));
    QCOMPARE(rankfile.readAll(), QByteArray("rank 0=a slot=0\nrank 1=c slot=0\nrank 2=b slot=0\n"));
    QVERIFY(QFileInfo(folder + QStringLiteral("/run")).isExecutable());
    QVERIFY(QFileInfo::exists(folder + QStringLiteral("/machinefile")));
    QVERIFY(m_page->problems().headline().contains(QStringLiteral("bundle is written")));
    m_page->writeBundle(m_folder.filePath(QStringLiteral("missing")));
    QVERIFY(m_page->problems().headline().contains(QStringLiteral("not written")));
}

// A folder that is not there yet can be named.
void TestPlanPage::newFolder()
{
    const QString suggestion = m_folder.filePath(QStringLiteral("solver.plan"));
    FolderDialog dialog(nullptr, QStringLiteral("Where?"), suggestion);
    dialog.setOption(QFileDialog::DontUseNativeDialog);
    QCOMPARE(dialog.selectedFiles(), QStringList{suggestion});
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
    QVERIFY(QFileInfo(suggestion).isDir());
    QCOMPARE(dialog.selectedFiles(), QStringList{suggestion});
}

void TestPlanPage::measurements()
{
    m_page->loadMeasurementsLater(
        written(QStringLiteral("m.csv"), "task0,task1,task2,seconds\na,b,c,0.2\nc,b,a,0.5\n"));
    openBoth();
    QTRY_VERIFY(m_document->allocations().hasMeasurements());
    QCOMPARE(m_document->allocations().summary().measured, std::size_t(2));
    m_page->loadMeasurements(written(QStringLiteral("bad.csv"), "task0\n"));
    QVERIFY(m_page->problems().isVisible());
    QVERIFY(m_page->problems().details().contains(QStringLiteral("task1")));
    QVERIFY(m_document->allocations().hasMeasurements());
}

void TestPlanPage::badTraceIsTold()
{
    m_document->session().open(m_folder.filePath(QStringLiteral("missing.alog")));
    QTRY_VERIFY(m_page->problems().isVisible());
    QVERIFY(m_page->problems().headline().contains(QStringLiteral("cannot be used")));
    QVERIFY(m_page->problems().details().contains(QStringLiteral("missing.alog")));
}

// As when the language or the theme is changed.
void TestPlanPage::aNewPageShowsTheSame()
{
    openBoth();
    AllocationList& list = m_document->allocations();
    list.selectRow(list.worstRow());
    QTRY_VERIFY(m_page->explanation().contains(QStringLiteral("longer")));
    const QString explanation = m_page->explanation();
    m_page = std::make_unique<PlanPage>(*m_document, *m_preferences);
    m_page->show();
    QTRY_COMPARE(m_page->explanation(), explanation);
    QCOMPARE(list.selectedRow(), list.worstRow());
}

namespace {

AgentEntry agentOf(const std::string& run, const QString& accessFile)
{
    AgentEntry agent;
    agent.run = RunId{run};
    agent.accessFile = accessFile;
    agent.host = QStringLiteral("grid00");
    agent.title = QStringLiteral("tasks.sh");
    agent.running = true;
    return agent;
}

/// Hands out what the test says.
class ManualSearcher final : public PlanSearcher {
public:
    void search(const SearchRequest& request) override
    {
        m_result = {.number = request.number,
                    .diagnostics = {},
                    .environment = request.environment,
                    .model = request.model};
        m_result.total = plan::AllocationCount(6);
    }
    void cancel() override {}
    void find(plan::Allocation allocation, double timeUs, bool last = false)
    {
        if (m_result.ranking.tried() == 0)
            m_result.ranking = plan::Ranking(10);
        m_result.ranking.add(allocation, timeUs);
        m_result.last = last;
        Q_EMIT found(m_result);
    }

private:
    SearchResult m_result;
};

plan::Allocation nodes(std::initializer_list<std::uint32_t> numbers)
{
    plan::Allocation allocation;
    for (const std::uint32_t number : numbers)
        allocation.emplace_back(number);
    return allocation;
}

} // namespace

// The choice is there when an agent is, begins with "here", and is remembered by the run.
void TestPlanPage::placesToSearch()
{
    QVERIFY(!m_page->places().isVisible());
    AgentEntry gone = agentOf("aa", QStringLiteral("/gone.json"));
    gone.running = false;
    m_page->setAgents({gone});
    QVERIFY(!m_page->places().isVisible());
    m_page->setAgents({agentOf("bb", QStringLiteral("/b.json")), gone});
    QVERIFY(m_page->places().isVisible());
    QCOMPARE(m_page->places().count(), 2);
    QCOMPARE(m_page->places().currentText(), QStringLiteral("here"));
    QCOMPARE(m_page->places().itemText(1), QStringLiteral("on grid00 (tasks.sh)"));
    m_page->places().setCurrentIndex(1);
    Q_EMIT m_page->places().activated(1);
    // The agent goes, and comes again with another file: it is the same run.
    m_page->setAgents({});
    QCOMPARE(m_page->places().currentIndex(), 0);
    m_page->setAgents(
        {agentOf("cc", QStringLiteral("/c.json")), agentOf("bb", QStringLiteral("/b2.json"))});
    QCOMPARE(m_page->places().currentIndex(), 2);
    m_page->places().setCurrentIndex(0);
    Q_EMIT m_page->places().activated(0);
    m_page->setAgents({agentOf("bb", QStringLiteral("/b.json"))});
    QCOMPARE(m_page->places().currentIndex(), 0);
}

void TestPlanPage::lostAgentIsToldAndTheSearchGoesOnHere()
{
    openBoth();
    m_page->setAgents({agentOf("bb", m_folder.filePath(QStringLiteral("nobody.json")))});
    m_page->places().setCurrentIndex(1);
    Q_EMIT m_page->places().activated(1);
    QVERIFY(!m_page->loss().isVisible());
    m_page->searchButton().click();
    QTRY_VERIFY(m_page->loss().isVisible());
    QCOMPARE(m_page->loss().headline(), QStringLiteral("The agent did not search to the end"));
    QVERIFY2(m_page->loss().details().contains(QStringLiteral("nobody.json")),
             qPrintable(m_page->loss().details()));
    QVERIFY(m_page->loss().action().isVisible());
    m_page->loss().action().click();
    QVERIFY(!m_page->loss().isVisible());
    QCOMPARE(m_page->places().currentIndex(), 0);
    QTRY_COMPARE(m_document->session().state(), PlanSession::State::Ready);
    QVERIFY(!m_page->loss().isVisible());
    QCOMPARE(m_document->allocations().count(), 6);
}

void TestPlanPage::bestIsFollowedWhileASearchGoesOn()
{
    openBoth();
    auto made = std::make_unique<ManualSearcher>();
    ManualSearcher& searcher = *made;
    m_document->session().setSearcher(std::move(made));
    const AllocationList& list = m_document->allocations();
    m_document->allocations().select(std::nullopt);
    m_page->search();
    searcher.find(nodes({0, 1, 2}), 9e5);
    QVERIFY(list.selected() == nodes({0, 1, 2}));
    QCOMPARE(list.count(), 1);
    searcher.find(nodes({1, 0, 2}), 8e5);
    QVERIFY(list.selected() == nodes({1, 0, 2}));
    // What somebody chooses stays.
    m_document->allocations().select(nodes({0, 1, 2}));
    searcher.find(nodes({2, 0, 1}), 7e5);
    QVERIFY(list.selected() == nodes({0, 1, 2}));
    searcher.find(nodes({2, 1, 0}), 6e5, true);
    QVERIFY(list.selected() == nodes({0, 1, 2}));
    QCOMPARE(list.count(), 4);
    QCOMPARE(m_document->session().state(), PlanSession::State::Ready);
}

QTEST_MAIN(TestPlanPage)

} // namespace tst_planpage

#include "tst_planpage.moc"
