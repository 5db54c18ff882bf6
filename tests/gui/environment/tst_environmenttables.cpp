// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "environment/linkmatrixmodel.h"
#include "environment/nodetablemodel.h"
#include "sampleenvironment.h"

namespace tst_environmenttables {

using namespace tasuki;
using namespace tasuki::testing;

/// The tables of nodes and links as models: what they show, take, copy and paste.
/// What breaks it: a cell that shows another value than the environment has, an edit of another
/// cell, a paste of which a part is taken, a default that passes for measured.
class TestEnvironmentTables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsNodes();
    void editsNodes();
    void showsLinks();
    void editsLinks();
    void showsAndEditsBursts();
    void followsTheDocument();
    void copies();
    void pastesNodes();
    void refusesToPaste();
    void pastesLinks();
    void deletes();
    void takesALargeEnvironment();

private:
    static QModelIndex cell(const CellTableModel& model, int row, NodeField field)
    {
        return model.index(row, static_cast<int>(field));
    }
    static QString text(const QModelIndex& index) { return index.data().toString(); }
    static QString exact(const QModelIndex& index) { return index.data(Qt::EditRole).toString(); }
};

void TestEnvironmentTables::showsNodes()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    NodeTableModel model(document);
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.columnCount(), 6);
    QCOMPARE(text(cell(model, 0, NodeField::Name)), QStringLiteral("grid00"));
    QCOMPARE(text(cell(model, 0, NodeField::Speed)), QStringLiteral("1"));
    QCOMPARE(text(cell(model, 1, NodeField::Speed)), QStringLiteral("0.500 ± 0.012"));
    QCOMPARE(exact(cell(model, 1, NodeField::Speed)), QStringLiteral("0.5 ± 0.0123"));
    QCOMPARE(text(cell(model, 0, NodeField::Slots)), QStringLiteral("2"));
    QCOMPARE(text(cell(model, 0, NodeField::Cores)), QStringLiteral("8"));
    QCOMPARE(text(cell(model, 2, NodeField::Egress)), QStringLiteral("0.08"));
    // What is not given says so, and is empty to the editor.
    QVERIFY(cell(model, 1, NodeField::Cores).data(DimRole).toBool());
    QVERIFY(!text(cell(model, 1, NodeField::Cores)).isEmpty());
    QCOMPARE(exact(cell(model, 1, NodeField::Cores)), QString());
    QCOMPARE(exact(cell(model, 2, NodeField::Ingress)), QString());
    QVERIFY(!cell(model, 0, NodeField::Cores).data(DimRole).toBool());
    QVERIFY(model.headerData(4, Qt::Horizontal, Qt::DisplayRole)
                .toString()
                .contains(QStringLiteral("µs/byte")));
    const auto alignment = [&](NodeField field) {
        return static_cast<Qt::Alignment>(
            cell(model, 0, field).data(Qt::TextAlignmentRole).toInt());
    };
    QVERIFY(alignment(NodeField::Speed).testFlag(Qt::AlignRight));
    QVERIFY(alignment(NodeField::Name).testFlag(Qt::AlignLeft));
}

void TestEnvironmentTables::editsNodes()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    NodeTableModel model(document);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    const QModelIndex speed = cell(model, 2, NodeField::Speed);
    QVERIFY(model.flags(speed).testFlag(Qt::ItemIsEditable));
    QVERIFY(model.setData(speed, QStringLiteral("0.75")));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(document.environment().nodes[2].speed, 0.75);
    QVERIFY(!model.problem(speed, QStringLiteral("fast")).isEmpty());
    QVERIFY(!model.setData(speed, QStringLiteral("fast")));
    QCOMPARE(document.environment().nodes[2].speed, 0.75);
    // A name that another node has; its own is no other's.
    const QModelIndex name = cell(model, 2, NodeField::Name);
    QVERIFY(model.problem(name, QStringLiteral("grid03")).contains(QStringLiteral("grid03")));
    QCOMPARE(model.problem(name, QStringLiteral("grid02")), QString());
    document.undoStack().undo();
    QCOMPARE(text(speed), QStringLiteral("0.25"));
}

void TestEnvironmentTables::showsLinks()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    LinkMatrixModel model(document);
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.columnCount(), 4);
    QCOMPARE(model.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("grid03"));
    QCOMPARE(model.headerData(1, Qt::Vertical, Qt::DisplayRole).toString(),
             QStringLiteral("grid01"));
    QCOMPARE(text(model.index(0, 1)), QStringLiteral("60"));
    QVERIFY(model.index(0, 1).data(DimRole).toBool() && !model.isOwn(model.index(0, 1)));
    QCOMPARE(text(model.index(0, 3)), QStringLiteral("120.1 ± 0.4"));
    QVERIFY(model.isOwn(model.index(0, 3)));
    QCOMPARE(text(model.index(1, 2)), QStringLiteral("90"));
    QCOMPARE(text(model.index(2, 1)), QStringLiteral("60"));
    QCOMPARE(text(model.index(0, 0)), QStringLiteral("0.5"));
    QCOMPARE(text(model.index(2, 2)), QStringLiteral("0.25"));
    QCOMPARE(model.ownLinks(), std::size_t{4});
    QCOMPARE(model.index(3, 0).data(ShareRole).toDouble(), 1.0);
    QCOMPARE(model.index(1, 2).data(ShareRole).toDouble(), 90.0 / 120.1234);
    model.setFigure(LinkFigure::A1);
    QCOMPARE(text(model.index(0, 3)), QStringLiteral("0.800 ± 0.003"));
    QCOMPARE(model.index(0, 1).data(ShareRole).toDouble(), 0.1);
    const QString all = model.description(model.index(0, 3));
    for (const char* part : {"grid00", "grid03", "120.1 ± 0.4 µs", "0.800 ± 0.003 µs/byte"})
        QVERIFY2(all.contains(QString::fromUtf8(part)), qPrintable(all));
}

void TestEnvironmentTables::editsLinks()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    LinkMatrixModel model(document);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(model.bothWays());
    QVERIFY(model.setData(model.index(0, 1), QStringLiteral("240")));
    QCOMPARE(text(model.index(0, 1)), QStringLiteral("240"));
    QCOMPARE(text(model.index(1, 0)), QStringLiteral("240"));
    QCOMPARE(model.index(3, 0).data(ShareRole).toDouble(), 120.1234 / 240.0);
    model.setBothWays(false);
    QVERIFY(model.setData(model.index(0, 1), QStringLiteral("30")));
    QCOMPARE(text(model.index(1, 0)), QStringLiteral("240"));
    QVERIFY(!model.setData(model.index(0, 1), QStringLiteral("-1")));
    QVERIFY(model.problem(model.index(0, 1), QStringLiteral("-1"))
                .contains(QStringLiteral("from 0 to 1e12")));
    QCOMPARE(model.problem(model.index(0, 1), QString()), QString());
    QVERIFY(model.setData(model.index(0, 1), QString()));
    QVERIFY(!model.isOwn(model.index(0, 1)) && model.isOwn(model.index(1, 0)));
    // The default changes what is shown where nothing else is given.
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    document.setGeneral(GeneralField::DefaultA0, QStringLiteral("55"));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(text(model.index(0, 1)), QStringLiteral("55"));
    QCOMPARE(text(model.index(1, 2)), QStringLiteral("90"));
}

void TestEnvironmentTables::showsAndEditsBursts()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    LinkMatrixModel model(document);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setFigure(LinkFigure::Burst);
    const QModelIndex measured = model.index(0, 3);
    QCOMPARE(text(measured), QStringLiteral("5000"));
    QVERIFY(!measured.data(DimRole).toBool());
    QCOMPARE(measured.data(ShareRole).toDouble(), 1.0);
    // None is a word that steps back, whether the link has figures of its own or not.
    for (const QModelIndex& without : {model.index(0, 1), model.index(1, 2), model.index(0, 0)}) {
        QCOMPARE(text(without), QStringLiteral("none"));
        QCOMPARE(exact(without), QStringLiteral("0"));
        QVERIFY(without.data(DimRole).toBool());
        QCOMPARE(without.data(ShareRole).toDouble(), 0.0);
    }
    QVERIFY(model.index(1, 2).data(OwnRole).toBool());
    QVERIFY(model.description(measured).contains(QStringLiteral("burst = 5000 bytes")));
    QVERIFY(model.description(model.index(0, 1)).contains(QStringLiteral("no burst")));
    QCOMPARE(measured.data(HintRole).toString(), QStringLiteral("empty: none"));

    QVERIFY(model.problem(measured, QStringLiteral("-1"))
                .contains(QStringLiteral("bytes, a number from 0 to 1e15")));
    QVERIFY(!model.setData(measured, QStringLiteral("-1")));
    QCOMPARE(model.problem(measured, QString()), QString());
    QVERIFY(model.setData(measured, QStringLiteral("20000")));
    QCOMPARE(text(model.index(3, 0)), QStringLiteral("20000")); // the way back too
    QVERIFY(model.setData(measured, QString()));
    for (const QModelIndex& index : {measured, model.index(3, 0)}) {
        QCOMPARE(text(index), QStringLiteral("none"));
        QVERIFY(model.isOwn(index));
    }
    document.undoStack().undo();
    QCOMPARE(text(measured), QStringLiteral("5000")); // edits of one cell are one step
    document.setGeneral(GeneralField::DefaultBurst, QStringLiteral("700"));
    QCOMPARE(text(model.index(0, 1)), QStringLiteral("700"));
    QCOMPARE(text(model.index(0, 0)), QStringLiteral("none"));
    QCOMPARE(measured.data(HintRole).toString(), QStringLiteral("empty: 700"));
    // What is copied, none included, is the same where it is pasted.
    QModelIndexList all;
    for (int i = 0; i < 16; ++i)
        all << model.index(i / 4, i % 4);
    const QString copied = model.copy(all);
    QCOMPARE(copied,
             QStringLiteral("0\t700\t700\t5000\n700\t0\t0\t700\n700\t700\t0\t700\n"
                            "5000\t700\t700\t0\n"));
    QCOMPARE(model.paste({model.index(0, 0)}, copied), QString());
    QCOMPARE(model.copy(all), copied);
}

void TestEnvironmentTables::followsTheDocument()
{
    EnvironmentDocument document;
    NodeTableModel nodes(document);
    LinkMatrixModel links(document);
    QAbstractItemModelTester first(&nodes, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester second(&links, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(nodes.rowCount(), 0);
    document.addNode();
    document.addNode();
    QCOMPARE(nodes.rowCount(), 2);
    QCOMPARE(links.columnCount(), 2);
    QSignalSpy headers(&links, &QAbstractItemModel::headerDataChanged);
    nodes.setData(nodes.index(1, 0), QStringLiteral("renamed"));
    QCOMPARE(headers.size(), 2);
    QCOMPARE(links.headerData(1, Qt::Vertical, Qt::DisplayRole).toString(),
             QStringLiteral("renamed"));
    document.undoStack().undo();
    document.undoStack().undo();
    QCOMPARE(nodes.rowCount(), 1);
    document.replace(sampleEnvironment(), {});
    QCOMPARE(links.ownLinks(), std::size_t{4});
    document.removeNodes({3});
    QCOMPARE(links.ownLinks(), std::size_t{2});
}

void TestEnvironmentTables::copies()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    NodeTableModel model(document);
    QCOMPARE(model.copy({}), QString());
    QCOMPARE(model.copy({cell(model, 1, NodeField::Speed)}), QStringLiteral("0.5 ± 0.0123"));
    QCOMPARE(model.copy({cell(model, 0, NodeField::Speed), cell(model, 0, NodeField::Slots),
                         cell(model, 1, NodeField::Speed), cell(model, 1, NodeField::Slots)}),
             QStringLiteral("1\t2\n0.5 ± 0.0123\t1\n"));
    // What is not chosen is empty.
    QCOMPARE(model.copy({cell(model, 0, NodeField::Name), cell(model, 1, NodeField::Speed)}),
             QStringLiteral("grid00\t\n\t0.5 ± 0.0123\n"));
}

void TestEnvironmentTables::pastesNodes()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    NodeTableModel model(document);
    const plan::Environment before = document.environment();
    const int steps = document.undoStack().count();
    QCOMPARE(model.paste({cell(model, 3, NodeField::Name)},
                         QStringLiteral("x\t2\t3\r\ny\t0.5 ± 0.1\t4\r\n")),
             QString());
    QCOMPARE(document.nodeCount(), 5U); // one below the last row
    QCOMPARE(document.environment().nodes[3].name, std::string("x"));
    QCOMPARE(document.environment().nodes[4].name, std::string("y"));
    QCOMPARE(document.environment().nodes[4].slots, 4U);
    QCOMPARE(document.environment().nodes[4].speedConfidence, plan::Confidence(0.1));
    QCOMPARE(document.undoStack().count(), steps + 1);
    document.undoStack().undo();
    QVERIFY(document.environment() == before);

    // One value fills what is chosen.
    QModelIndexList column;
    for (int row = 0; row < 4; ++row)
        column << cell(model, row, NodeField::Slots);
    QCOMPARE(model.paste(column, QStringLiteral("7\n")), QString());
    for (const plan::NodeSpec& node : document.environment().nodes)
        QCOMPARE(node.slots, 7U);
    document.undoStack().undo();
    QVERIFY(document.environment() == before);
}

void TestEnvironmentTables::refusesToPaste()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    NodeTableModel nodes(document);
    LinkMatrixModel links(document);
    const plan::Environment before = document.environment();
    const QString wrong = nodes.paste({cell(nodes, 0, NodeField::Speed)},
                                      QStringLiteral("1\t2\nfast\t2\n"));
    for (const char* part : {"grid01", "fast", "a number above 0"})
        QVERIFY2(wrong.contains(QLatin1String(part)), qPrintable(wrong));
    QVERIFY(!nodes.paste({cell(nodes, 0, NodeField::Ingress)}, QStringLiteral("1\t2")).isEmpty());
    QVERIFY(!nodes.paste({cell(nodes, 0, NodeField::Name)}, QStringLiteral("a\nb\na")).isEmpty());
    QVERIFY(!nodes.paste({cell(nodes, 0, NodeField::Name)}, QString()).isEmpty());
    QVERIFY(!links.paste({links.index(3, 0)}, QStringLiteral("1\n2")).isEmpty());
    QVERIFY(!links.paste({links.index(0, 3)}, QStringLiteral("1\t2")).isEmpty());
    QVERIFY(document.environment() == before);
}

void TestEnvironmentTables::pastesLinks()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    LinkMatrixModel model(document);
    QVERIFY(model.bothWays());
    const QString matrix = QStringLiteral("0\t1\t2\t3\n4\t0\t5\t6\n7\t8\t0\t9\n10\t11\t12\t0");
    QCOMPARE(model.paste({model.index(0, 0)}, matrix), QString());
    QCOMPARE(text(model.index(0, 1)), QStringLiteral("1"));
    QCOMPARE(text(model.index(1, 0)), QStringLiteral("4"));
    QCOMPARE(text(model.index(3, 2)), QStringLiteral("12"));
    QModelIndexList all;
    for (int i = 0; i < 16; ++i)
        all << model.index(i / 4, i % 4);
    QCOMPARE(model.copy(all), matrix + QLatin1Char('\n'));
    QCOMPARE(model.paste({model.index(0, 2), model.index(0, 3)}, QStringLiteral("44")), QString());
    QCOMPARE(text(model.index(3, 0)), QStringLiteral("44")); // the way back too
}

void TestEnvironmentTables::deletes()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    NodeTableModel nodes(document);
    LinkMatrixModel links(document);
    QCOMPARE(links.clearCells({links.index(0, 3)}), QString());
    QVERIFY(!links.isOwn(links.index(0, 3)) && !links.isOwn(links.index(3, 0)));
    // Of nodes, what need not be given goes; whole rows are nodes.
    QCOMPARE(nodes.clearCells({cell(nodes, 0, NodeField::Slots), cell(nodes, 0, NodeField::Cores)}),
             QString());
    QCOMPARE(document.environment().nodes[0].cores, 0U);
    QCOMPARE(document.environment().nodes[0].slots, 2U);
    QVERIFY(!nodes.clearCells({cell(nodes, 0, NodeField::Name)}).isEmpty());
    QModelIndexList row;
    for (const NodeField field : allNodeFields)
        row << cell(nodes, 1, field);
    QCOMPARE(nodes.clearCells(row), QString());
    QCOMPARE(document.nodeCount(), 3U);
    QCOMPARE(text(cell(nodes, 1, NodeField::Name)), QStringLiteral("grid02"));
}

void TestEnvironmentTables::takesALargeEnvironment()
{
    EnvironmentDocument document;
    document.replace(wideEnvironment(1000), {});
    LinkMatrixModel model(document);
    QCOMPARE(model.rowCount(), 1000);
    QVERIFY(model.setData(model.index(999, 998), QStringLiteral("1000")));
    QCOMPARE(text(model.index(998, 999)), QStringLiteral("1000"));
    QCOMPARE(model.index(0, 1).data(ShareRole).toDouble(), 0.06);
    document.removeNodes({0});
    QVERIFY(model.isOwn(model.index(998, 997)));
    document.undoStack().undo();
    QVERIFY(model.isOwn(model.index(999, 998)));
}

QTEST_MAIN(TestEnvironmentTables)

} // namespace tst_environmenttables

#include "tst_environmenttables.moc"
