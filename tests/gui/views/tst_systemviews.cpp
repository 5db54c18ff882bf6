// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "gui/models/systembench.h"
#include "viewbench.h"
#include "views/acknowledgedialog.h"
#include "views/alarmpanel.h"
#include "views/commandreport.h"
#include "views/eventpanel.h"
#include "views/failoverpanel.h"
#include "views/icons.h"
#include "views/processoractions.h"
#include "views/processorpanel.h"
#include "views/runpage.h"
#include "views/systemtreeview.h"
#include "views/theme.h"

#include "timeline/timelinewidget.h"

#include <QAction>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>
#include <QTranslator>

#include <set>

namespace tst_systemviews {

using namespace tasuki;
using namespace std::chrono_literals;
using tasuki::testing::healthOf;
using tasuki::testing::systemBegins;
using tasuki::testing::ViewBench;

namespace {

/// When all events of a ViewBench happen.
constexpr WallTime when{1'700'000'000s};

template <class T>
T* childOf(const QWidget& widget)
{
    const QList<T*> all = widget.findChildren<T*>();
    return all.isEmpty() ? nullptr : all.back();
}

QString cell(const QTableView& table, int row, int column)
{
    return table.model()->index(row, column).data().toString();
}

std::vector<EventPayload> twoLosses()
{
    return {healthOf(3, Health::Lost, HealthCause::Gone, 4'200us),
            tasuki::testing::takeover(2, 5, 3), healthOf(8, Health::Lost, HealthCause::Gone)};
}

/// A page of a run whose first task began ten minutes ago, and twoLosses() now.
std::unique_ptr<RunPage> pageWithLosses(ViewBench& bench)
{
    auto page = std::make_unique<RunPage>(*bench.document, bench.preferences);
    page->resize(1400, 900);
    page->show();
    std::vector<EventPayload> events = systemBegins();
    for (std::int32_t rank = 0; rank < 8; ++rank)
        events.emplace_back(ProcessorJoined{
            .rank = Rank(rank), .incarnation = Incarnation(1), .host = "s0", .slots = 1});
    events.emplace_back(TaskAdded{.id = TaskId(0), .task = ViewBench::task(0, "x")});
    AttemptStarted started = ViewBench::started(0);
    started.startedAt = when - 600s;
    events.emplace_back(started);
    bench.happen(std::move(events));
    bench.happen(twoLosses());
    return page;
}

} // namespace

/// What an operator sees of a failing system and does about it.
/// What breaks it: a jump to another place, an alarm that is acknowledged though nobody did, a refusal
/// or conflict that nobody is told of, an order that can be given where it makes no sense.
class TestSystemViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void treeFitsTheRun();
    void foldingStays();
    void selectionIsLinked();
    void conditionsHaveShapes();
    void failoverLeadsToTimeline();
    void alarmLeadsToTimeline();
    void failoversSayWhyThereAreNone();
    void acknowledging();
    void acknowledgingUntil();
    void othersWereFaster();
    void runFileTakesNoAcknowledgements();
    void orders();
    void refusedOrder();
    void agentSpeaksTheLanguageOfTheUser();
    void docksComeToTheFront();
    void docksKeepTheirWidths();
};

void TestSystemViews::treeFitsTheRun()
{
    ViewBench plain;
    ProcessorPanel hosts(plain.models(), plain.preferences);
    plain.begin(2);
    QVERIFY(!hosts.showsSystem());
    QVERIFY(!hosts.view().isHidden() && hosts.system().isHidden());

    ViewBench bench;
    ProcessorPanel panel(bench.models(), bench.preferences);
    QSignalSpy changed(&panel, &ProcessorPanel::treeChanged);
    bench.happen(systemBegins());
    QVERIFY(panel.showsSystem());
    QCOMPARE(changed.count(), 1);
    QVERIFY(panel.view().isHidden() && !panel.system().isHidden());
    QVERIFY(panel.system().isExpanded(bench.models().system.indexOf(ProcessorId(3)).parent()));
}

void TestSystemViews::foldingStays()
{
    ViewBench bench;
    SystemTreeView view(bench.models(), bench.preferences);
    bench.happen(systemBegins());
    SystemTreeModel& model = bench.models().system;
    view.setCurrentIndex(model.indexOf(ProcessorId(1)));
    view.collapse(model.indexOf(ProcessorId(8)).parent().parent());
    tasuki::testing::SystemSize larger;
    larger.standby = 2;
    bench.happen({tasuki::testing::madeUpLayout(larger)});
    QCOMPARE(view.currentIndex(), model.indexOf(ProcessorId(1)));
    QVERIFY(view.isExpanded(model.indexOf(ProcessorId(1)).parent()));
    QVERIFY(!view.isExpanded(model.indexOf(ProcessorId(8)).parent().parent()));

    ViewBench large;
    SystemTreeView many(large.models(), large.preferences);
    large.happen(systemBegins({.subclusters = 2, .units = 4, .active = 60, .standby = 2, .io = 2}));
    const QModelIndex unit = large.models().system.indexOf(ProcessorId(3)).parent();
    QVERIFY(many.isExpanded(unit.parent()));
    QVERIFY(!many.isExpanded(unit));
}

void TestSystemViews::selectionIsLinked()
{
    ViewBench bench;
    SystemTreeView view(bench.models(), bench.preferences);
    bench.happen(systemBegins());
    Selection& selection = bench.models().selection;
    view.setCurrentIndex(bench.models().system.indexOf(ProcessorId(2)));
    QCOMPARE(selection.processor(), Rank(1));
    selection.setProcessor(Rank(5));
    QCOMPARE(view.currentIndex(), bench.models().system.indexOf(ProcessorId(8)));
    view.setCurrentIndex(bench.models().system.indexOf(ProcessorId(5))); // a standby
    QVERIFY(!selection.processor());
    QCOMPARE(view.currentIndex(), bench.models().system.indexOf(ProcessorId(5)));
}

// Colour-blind eyes tell them by shape: in one colour no two pictures are alike.
void TestSystemViews::conditionsHaveShapes()
{
    std::set<QByteArray> pictures;
    std::size_t count = 0;
    for (auto condition = Condition::Left; condition <= Condition::Down;
         condition = static_cast<Condition>(static_cast<int>(condition) + 1)) {
        const QImage image =
            icons::condition(condition).pixmap(QSize(24, 24), QIcon::Disabled).toImage();
        const QImage shape = image.convertToFormat(QImage::Format_Alpha8);
        QByteArray bytes;
        for (int y = 0; y < shape.height(); ++y)
            bytes.append(reinterpret_cast<const char*>(shape.scanLine(y)), shape.width());
        QVERIFY(bytes.count('\0') < bytes.size());
        pictures.insert(bytes);
        ++count;
        for (const QPalette& palette : {theme::light(), theme::dark()}) {
            const QColor colour = theme::condition(condition, palette);
            const double contrast = std::abs(colour.lightnessF()
                                             - palette.color(QPalette::Base).lightnessF());
            QVERIFY2(contrast > 0.2, qPrintable(colour.name()));
        }
    }
    QCOMPARE(count, std::size_t{8});
    QCOMPARE(pictures.size(), count);
}

void TestSystemViews::failoverLeadsToTimeline()
{
    ViewBench bench;
    const std::unique_ptr<RunPage> shown = pageWithLosses(bench);
    RunPage& page = *shown;
    QTableView& table = page.failovers().view();
    QCOMPARE(table.model()->rowCount(), 1);
    QVERIFY(!page.failovers().showOnTimeline().isEnabled());
    page.setView(RunView::Failovers);
    QTRY_VERIFY(table.isVisible());
    table.selectRow(0);
    QVERIFY(page.failovers().showOnTimeline().isEnabled());
    QVERIFY(page.timeline().isFollowing());
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(page.view(), RunView::Overview);
    QCOMPARE(bench.models().selection.processor(), Rank(2));
    QVERIFY(!page.timeline().isFollowing());
    QCOMPARE(page.timeline().scene().mark(), when);
    const TimeWindow& window = page.timeline().scene().view().window();
    QVERIFY(window.span <= toNanoseconds(when) - toNanoseconds(when - 60s));
    const double middle = page.timeline().scene().view().xOf(toNanoseconds(when))
        / page.timeline().scene().view().width();
    QVERIFY2(std::abs(middle - 0.5) < 0.05, qPrintable(QString::number(middle)));
    page.timeline().showAll();
    QVERIFY(!page.timeline().scene().mark());
    // The same by the button's action.
    table.selectRow(0);
    page.failovers().showOnTimeline().trigger();
    QCOMPARE(page.timeline().scene().mark(), when);
}

void TestSystemViews::alarmLeadsToTimeline()
{
    ViewBench bench;
    const std::unique_ptr<RunPage> page = pageWithLosses(bench);
    QTableView& table = page->alarms().view();
    QAction& show = page->alarms().showOnTimeline();
    QCOMPARE(table.model()->rowCount(), 2);
    QVERIFY(!show.isEnabled());
    page->setView(RunView::Alarms);
    QTRY_VERIFY(table.isVisible());
    int row = 0; // of the loss of processor 3, which held rank 2
    while (!cell(table, row, static_cast<int>(AlarmListModel::Column::Where))
                .contains(QStringLiteral("processor 3")))
        ++row;
    table.selectRow(row);
    QVERIFY(show.isEnabled() && table.actions().contains(&show));
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(page->view(), RunView::Overview);
    QCOMPARE(bench.models().selection.processor(), Rank(2));
    QCOMPARE(page->timeline().scene().mark(), when);
    QVERIFY(bench.source->commands.empty()); // nobody has acknowledged it
    page->timeline().showAll();
    // The same with the mouse, and from the menu.
    page->setView(RunView::Alarms);
    QTRY_VERIFY(table.isVisible());
    const QPoint place = table.visualRect(table.model()->index(row, 1)).center();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(page->timeline().scene().mark(), when);
    page->timeline().showAll();
    show.trigger();
    QCOMPARE(page->timeline().scene().mark(), when);
}

void TestSystemViews::failoversSayWhyThereAreNone()
{
    ViewBench bench;
    FailoverPanel panel(bench.models(), bench.preferences);
    panel.resize(600, 300);
    panel.show();
    bench.begin(1);
    const auto says = [&panel](const char* words) {
        const QList<QLabel*> labels = panel.view().findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [words](const QLabel* label) {
            return label->isVisible() && label->text().contains(QLatin1String(words));
        });
    };
    QVERIFY(says("no failure hierarchy"));
    auto begin = systemBegins();
    begin.erase(begin.begin()); // the run is open
    bench.happen(begin);
    QVERIFY(says("No processor has been lost"));
    bench.happen({healthOf(5, Health::Lost, HealthCause::Gone)});
    QVERIFY(says("No seat has changed hands"));
}

void TestSystemViews::acknowledging()
{
    ViewBench bench;
    AlarmPanel panel(bench.models(), bench.preferences);
    panel.resize(900, 300);
    panel.show();
    QVERIFY(!panel.acknowledge().isEnabled());
    bench.happen(systemBegins());
    bench.happen(twoLosses());
    QCOMPARE(panel.view().model()->rowCount(), 2);
    QVERIFY(panel.acknowledge().isEnabled());
    panel.view().selectAll();
    QSignalSpy said(&panel, &AlarmPanel::said);
    panel.acknowledge().trigger();
    auto* dialog = childOf<AcknowledgeDialog>(panel);
    QVERIFY(dialog != nullptr);
    const QString list = childOf<QPlainTextEdit>(*dialog)->toPlainText();
    QVERIFY(list.contains(QStringLiteral("processor 3 (s0)")));
    QVERIFY(list.contains(QStringLiteral("processor 8 (s1)")));
    QTest::keyClicks(&dialog->commentLine(), QStringLiteral("on my way"));
    dialog->expiry().setCurrentIndex(2);
    QVERIFY(!dialog->time().isEnabled());
    QTest::keyClick(&dialog->commentLine(), Qt::Key_Return);
    QCOMPARE(bench.source->commands.size(), std::size_t{1});
    const auto& command = std::get<AcknowledgeAlarms>(bench.source->commands[0].first);
    QCOMPARE(command.comment, std::string("on my way"));
    QCOMPARE(command.until, bench.models().session.runNow() + 8h);
    QCOMPARE(command.targets.size(), std::size_t{2});
    QVERIFY(command.targets[0].base == EventId{});
    bench.source->commands[0].second(ViewBench::accepted());
    QCOMPARE(said.count(), 1);
    QVERIFY(said[0][0].toString().contains(QStringLiteral("2 alarm")));
    QVERIFY(childOf<CommandReport>(panel) == nullptr);

    // Once the event is there, another acknowledgement is based on it.
    const EventId first = command.targets[0].alarm;
    bench.happen({AlarmAcknowledged{.alarm = first, .who = "me", .comment = {}}});
    const EventId event =
        bench.models().session.state().alarms().find(first)->acknowledgement->event;
    QVERIFY(!cell(panel.view(), 0, 0).isEmpty());
    panel.view().selectAll();
    panel.acknowledge().trigger();
    childOf<AcknowledgeDialog>(panel)->accept();
    const auto& again = std::get<AcknowledgeAlarms>(bench.source->commands[1].first);
    QVERIFY(again.targets[0].base == event);
    QVERIFY(!again.until);
    // With nothing selected it is about all that are open.
    panel.view().clearSelection();
    panel.acknowledge().trigger();
    childOf<AcknowledgeDialog>(panel)->accept();
    const auto& open = std::get<AcknowledgeAlarms>(bench.source->commands[2].first);
    QCOMPARE(open.targets.size(), std::size_t{1});
    QVERIFY(open.targets[0].alarm != first);
}

void TestSystemViews::acknowledgingUntil()
{
    AcknowledgeDialog dialog({QStringLiteral("a")}, QStringLiteral("me"), {}, when);
    QVERIFY(!dialog.until(when));
    dialog.expiry().setCurrentIndex(1);
    QCOMPARE(dialog.until(when), when + 1h);
    dialog.expiry().setCurrentIndex(3);
    QVERIFY(dialog.time().isEnabled());
    const auto accept = [&dialog] {
        const auto buttons = dialog.buttons().buttons();
        return *std::find_if(buttons.begin(), buttons.end(), [&dialog](QAbstractButton* button) {
            return dialog.buttons().buttonRole(button) == QDialogButtonBox::AcceptRole;
        });
    };
    QVERIFY(accept()->isEnabled());
    dialog.time().setDateTime(QDateTime::fromSecsSinceEpoch(1'700'000'000 - 60));
    QVERIFY(!accept()->isEnabled());
    dialog.time().setDateTime(QDateTime::fromSecsSinceEpoch(1'700'000'000 + 7200));
    QVERIFY(accept()->isEnabled());
    QCOMPARE(dialog.until(when), when + 2h);
}

void TestSystemViews::othersWereFaster()
{
    ViewBench bench;
    AlarmPanel panel(bench.models(), bench.preferences);
    bench.happen(systemBegins());
    bench.happen(twoLosses());
    panel.acknowledge().trigger();
    const EventId alarm = bench.models().alarms.alarmAt(0).id;
    // While the dialog stands open, somebody else says what he knows.
    bench.happen({AlarmAcknowledged{.alarm = alarm, .who = "ken@ops", .comment = "power cut"}});
    childOf<AcknowledgeDialog>(panel)->accept();
    const auto& command = std::get<AcknowledgeAlarms>(bench.source->commands[0].first);
    QVERIFY(command.targets[0].base == EventId{}); // as it was seen
    CommandAnswer answer = ViewBench::accepted();
    answer.alarms = {alarm};
    bench.source->commands[0].second(answer);
    auto* report = childOf<CommandReport>(panel);
    QVERIFY(report != nullptr);
    const QString text = childOf<QPlainTextEdit>(*report)->toPlainText();
    QVERIFY2(text.contains(QStringLiteral("ken@ops: power cut")), qPrintable(text));

    const auto name = [](EventId) { return QStringLiteral("it"); };
    const CommandOutcome partly = describeAlarms(QStringLiteral("Do"), answer, 3, name);
    QVERIFY(!partly.good);
    QVERIFY2(partly.headline.contains(QStringLiteral("2 of 3")), qPrintable(partly.headline));
    answer.accepted = false;
    answer.reason = "alarm 1.2 has been acknowledged meanwhile by ken@ops";
    const CommandOutcome refused = describeAlarms(QStringLiteral("Do"), answer, 1, name);
    QVERIFY(!refused.good);
    QCOMPARE(refused.lines, QStringList{QStringLiteral("it")});
    const CommandOutcome lost = describeAlarms(QStringLiteral("Do"), Error{.message = "no agent"},
                                               1, name);
    QVERIFY(!lost.good && lost.headline.contains(QStringLiteral("no agent")));
}

void TestSystemViews::runFileTakesNoAcknowledgements()
{
    ViewBench bench(SourceKind::RunFile);
    AlarmPanel panel(bench.models(), bench.preferences);
    bench.happen(systemBegins());
    bench.happen(twoLosses());
    panel.view().selectAll();
    QVERIFY(!panel.acknowledge().isEnabled());
    QVERIFY(panel.acknowledge().toolTip().contains(QStringLiteral("run file")));
    const QList<QLabel*> labels = panel.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->text().contains(QStringLiteral("run file"));
    }));
    SystemTreeView tree(bench.models(), bench.preferences);
    tree.setCurrentIndex(bench.models().system.indexOf(ProcessorId(4)));
    QVERIFY(!tree.actions().drain().isEnabled());
}

void TestSystemViews::orders()
{
    ViewBench bench;
    SystemTreeView view(bench.models(), bench.preferences);
    bench.happen(systemBegins());
    ProcessorActions& actions = view.actions();
    QVERIFY(!actions.drain().isEnabled() && !actions.stop().isEnabled());
    const auto at = [&](std::uint32_t number) {
        view.setCurrentIndex(bench.models().system.indexOf(ProcessorId(number)));
    };
    at(4);
    QVERIFY(actions.drain().isEnabled() && !actions.undrain().isEnabled());
    QVERIFY(actions.stop().isEnabled() && actions.promote().isEnabled());
    actions.drain().trigger();
    QVERIFY(std::get<DrainProcessor>(bench.source->commands.back().first)
            == (DrainProcessor{.processor = ProcessorId(4), .drained = true}));
    bench.happen(
        {ProcessorDrained{.processor = ProcessorId(4), .drained = true, .who = "me"},
         MasterChanged{.role = MasterRole::System, .index = 0, .processor = ProcessorId(4)}});
    QVERIFY(!actions.drain().isEnabled() && actions.undrain().isEnabled());
    QVERIFY(!actions.promote().isEnabled());
    actions.undrain().trigger();
    QVERIFY(!std::get<DrainProcessor>(bench.source->commands.back().first).drained);
    at(5);
    actions.promote().trigger();
    QVERIFY(std::get<PromoteProcessor>(bench.source->commands.back().first).processor
            == ProcessorId(5));
    // Stopping is asked back, and the safe answer is the one that Return gives.
    const std::size_t sent = bench.source->commands.size();
    const auto answer = [&view](int role) {
        QTimer::singleShot(0, &view, [&view, role] {
            auto* question = childOf<QMessageBox>(view);
            for (QAbstractButton* button : question->buttons()) {
                if (question->buttonRole(button) == role)
                    button->click();
            }
        });
    };
    answer(QMessageBox::RejectRole);
    actions.stop().trigger();
    QCOMPARE(bench.source->commands.size(), sent);
    answer(QMessageBox::DestructiveRole);
    actions.stop().trigger();
    QVERIFY(std::get<StopProcessor>(bench.source->commands.back().first).processor
            == ProcessorId(5));
    QMenu menu;
    actions.fill(menu);
    QVERIFY(menu.actions().contains(actions.roles().menuAction()));
    at(1);
    answer(QMessageBox::DestructiveRole);
    actions.role(ProcessorKind::Standby)->trigger();
    QVERIFY(std::get<ChangeRole>(bench.source->commands.back().first)
            == (ChangeRole{.processor = ProcessorId(1), .kind = ProcessorKind::Standby}));
    at(5);
    bench.happen({healthOf(5, Health::Lost, HealthCause::Ordered)});
    QVERIFY(!actions.stop().isEnabled() && !actions.drain().isEnabled());
    view.setCurrentIndex(bench.models().system.index(0, 0));
    QVERIFY(!actions.drain().isEnabled());
}

void TestSystemViews::refusedOrder()
{
    ViewBench bench;
    SystemTreeView view(bench.models(), bench.preferences);
    bench.happen(systemBegins());
    view.setCurrentIndex(bench.models().system.indexOf(ProcessorId(4)));
    QSignalSpy said(&view.actions(), &ProcessorActions::said);
    view.actions().drain().trigger();
    bench.source->commands.back().second(ViewBench::refused("the last rank of s0 stays"));
    QVERIFY(said[0][0].toString().contains(QStringLiteral("the last rank of s0 stays")));
    QVERIFY(childOf<CommandReport>(view) != nullptr);
}

// What breaks it: words of the agent that are put into words before they are here.
void TestSystemViews::agentSpeaksTheLanguageOfTheUser()
{
    QTranslator japanese;
    QVERIFY(japanese.load(QStringLiteral(":/translations/tasuki_ja")));
    QCoreApplication::installTranslator(&japanese);
    ViewBench bench;
    bench.happen(systemBegins());
    const Phrase drains = Phrase::tr("drains %1")(Phrase::tr("processor %1 (%2)")(3, "node0"));
    bench.happen({Notice{.text = Phrase::tr("%1 %2")("ann", drains)}});
    const EventListModel& events = bench.models().events;
    const int text = static_cast<int>(EventListModel::Column::Text);
    QCOMPARE(events.index(events.rowCount() - 1, text).data().toString(),
             QStringLiteral("ann がプロセッサ 3 (node0) の割り当てを止めます"));
    CommandAnswer refused;
    refused.reason = refusal(Phrase::tr("processor %1 is not the system master")(3),
                             Phrase::tr("ask processor %1")(0))
                         .phrase();
    const QString headline = describe(QStringLiteral("X"), refused, 1).headline;
    QVERIFY2(headline.contains(QStringLiteral("プロセッサ 3 はシステムマスターではありません。"
                                              "プロセッサ 0 に指示してください")),
             qPrintable(headline));
}

void TestSystemViews::docksComeToTheFront()
{
    ViewBench bench;
    RunPage page(*bench.document, bench.preferences);
    page.resize(1400, 900);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QAction* alarms = page.dockActions().at(4);
    QTRY_VERIFY(page.events().view().isVisible());
    QTRY_VERIFY(!page.alarms().isEnabled() && page.events().isEnabled());
    QVERIFY(!alarms->isChecked() && page.dockActions().at(2)->isChecked());
    alarms->trigger();
    QTRY_VERIFY(page.alarms().isEnabled() && !page.events().isEnabled());
    QTRY_VERIFY(!page.alarms().view().visibleRegion().isEmpty());
    QVERIFY(alarms->isChecked());
    bench.happen(systemBegins());
    bench.happen(twoLosses());
    QCOMPARE(alarms->text(), QStringLiteral("Alarms (2)"));
    QCOMPARE(page.findChild<QDockWidget*>(QStringLiteral("alarms"))->windowTitle(),
             QStringLiteral("Alarms (2)"));
}

// Fails when what Qt restores at the size that a page has before it is shown stays.
void TestSystemViews::docksKeepTheirWidths()
{
    ViewBench bench;
    std::unique_ptr<RunPage> before = pageWithLosses(bench);
    auto* main = before->findChild<QMainWindow*>();
    auto* processors = main->findChild<QDockWidget*>(QStringLiteral("processors"));
    QVERIFY(QTest::qWaitForWindowExposed(before.get()));
    main->resizeDocks({processors}, {480}, Qt::Horizontal);
    QTRY_COMPARE(processors->width(), 480);
    before.reset();

    RunPage after(*bench.document, bench.preferences);
    after.show();
    after.resize(700, 500);
    QVERIFY(QTest::qWaitForWindowExposed(&after));
    after.resize(1400, 900);
    QTRY_COMPARE(after.findChild<QDockWidget*>(QStringLiteral("processors"))->width(), 480);
}

QTEST_MAIN(TestSystemViews)

} // namespace tst_systemviews

#include "tst_systemviews.moc"
