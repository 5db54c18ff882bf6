// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "environment/environmentdocument.h"
#include "sampleenvironment.h"

#include <random>

namespace tst_environmentdocument {

using namespace tasuki;
using namespace tasuki::testing;

/// What an environment is after edits, undo and redo.
/// What breaks it: an edit that undo does not take back, links that belong to other nodes after
/// some came or went, a wrong value that is taken.
class TestEnvironmentDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void addsNodes();
    void namesGoOn();
    void removalTakesLinksAndUndoRestoresThem();
    void duplicatesWithLinks();
    void renamingKeepsLinks();
    void setsEveryNodeField();
    void setsLinks();
    void setsBursts();
    void setsGeneralValues();
    void refusesWhatFilesRefuse_data();
    void refusesWhatFilesRefuse();
    void manyCellsAreOneStepAllOrNone();
    void repeatedEditsOfACellAreOneStep();
    void aTypedValueHasNoInterval();
    void replacesAsOneStep();
    void undoAndRedoOfAnything();
    void takesNoMoreThanAllowed();
};

void TestEnvironmentDocument::addsNodes()
{
    EnvironmentDocument document;
    QVERIFY(document.isEmpty() && document.isClean() && document.path().isEmpty());
    QSignalSpy changes(&document, &EnvironmentDocument::changed);
    QCOMPARE(document.addNode(), std::optional<std::uint32_t>(0));
    QCOMPARE(document.addNode(), std::optional<std::uint32_t>(1));
    QCOMPARE(changes.size(), 2);
    QCOMPARE(document.environment().nodes[0].name, std::string("node00"));
    QCOMPARE(document.environment().nodes[1].name, std::string("node01"));
    QCOMPARE(document.environment().links.size(), std::size_t{4});
    QVERIFY(!document.isClean());
    document.undoStack().undo();
    QCOMPARE(document.nodeCount(), 1U);
    document.undoStack().undo();
    QVERIFY(document.isEmpty() && document.isClean());
    document.undoStack().redo();
    QCOMPARE(document.environment().nodes.at(0).name, std::string("node00"));
}

void TestEnvironmentDocument::namesGoOn()
{
    const auto named = [](std::initializer_list<const char*> names) {
        std::vector<plan::NodeSpec> nodes;
        for (const char* name : names)
            nodes.push_back({.name = name});
        return nodes;
    };
    QCOMPARE(freshNode({}).name, std::string("node00"));
    QCOMPARE(freshNode(named({"grid07"})).name, std::string("grid08"));
    QCOMPARE(freshNode(named({"grid09"})).name, std::string("grid10"));
    QCOMPARE(freshNode(named({"grid01", "grid00"})).name, std::string("grid02"));
    QCOMPARE(freshNode(named({"host"})).name, std::string("host2"));
    QCOMPARE(freshNode(named({"10"})).name, std::string("11"));
    QCOMPARE(freeName(named({"a"}), "b"), std::string("b"));
    const std::string long9(255, '9');
    const std::string next = freeName({{.name = long9}}, long9);
    QVERIFY(next != long9 && !plan::nameFault(next));
}

void TestEnvironmentDocument::removalTakesLinksAndUndoRestoresThem()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    const plan::Environment before = document.environment();
    document.removeNodes({0, 2, 2, 17, -1});
    QCOMPARE(document.nodeCount(), 2U);
    QCOMPARE(document.environment().nodes[0].name, std::string("grid01"));
    QCOMPARE(document.environment().nodes[1].name, std::string("grid03"));
    for (const auto& link : document.environment().links)
        QVERIFY(!link);
    const plan::Environment after = document.environment();
    document.undoStack().undo();
    QVERIFY(document.environment() == before);
    document.undoStack().redo();
    QVERIFY(document.environment() == after);
    document.undoStack().undo();

    document.removeNodes({1}); // of the others, the links stay with their nodes
    QCOMPARE(document.environment().link(plan::Node(0), plan::Node(2)).a0Us, 120.1234);
    QCOMPARE(document.environment().link(plan::Node(1), plan::Node(1)).a0Us, 0.25);
    QCOMPARE(document.environment().link(plan::Node(0), plan::Node(1)).a0Us, 60.0);
    document.undoStack().undo();
    QVERIFY(document.environment() == before);

    const int steps = document.undoStack().count();
    document.removeNodes({});
    QCOMPARE(document.undoStack().count(), steps);
}

void TestEnvironmentDocument::duplicatesWithLinks()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    const plan::Environment before = document.environment();
    QSignalSpy resets(&document, &EnvironmentDocument::reset);
    QVERIFY(document.duplicateNodes({2, 1}));
    QCOMPARE(resets.takeFirst().at(0).value<QList<int>>(), (QList<int>{4, 5}));
    const plan::Environment& after = document.environment();
    QCOMPARE(document.nodeCount(), 6U);
    QCOMPARE(after.nodes[4].name, std::string("grid04"));
    QCOMPARE(after.nodes[4].speedConfidence, plan::Confidence(0.0123));
    QCOMPARE(after.nodes[5].name, std::string("grid05"));
    QCOMPARE(after.nodes[5].egressUsPerByte, 0.08);
    const auto a0 = [&after](std::uint32_t from, std::uint32_t to) {
        return after.link(plan::Node(from), plan::Node(to)).a0Us;
    };
    QCOMPARE(a0(4, 2), 90.0); // copy of 1, to 2 as 1 has it
    QCOMPARE(a0(1, 5), 90.0); // to the copy of 2
    QCOMPARE(a0(4, 5), 90.0); // between the copies
    QCOMPARE(a0(5, 5), 0.25);
    QCOMPARE(a0(2, 5), 60.0);
    QCOMPARE(a0(4, 4), 0.5);
    document.undoStack().undo();
    QVERIFY(document.environment() == before);
}

void TestEnvironmentDocument::renamingKeepsLinks()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    QVERIFY(!document.setCells({{3, NodeField::Name, QStringLiteral(" far ")}}));
    QCOMPARE(document.environment().nodes[3].name, std::string("far"));
    QCOMPARE(document.environment().link(plan::Node(0), plan::Node(3)).a0Us, 120.1234);
    const std::string text = plan::environmentText(document.environment());
    QVERIFY(text.find("between = [\"grid00\", \"far\"]") != std::string::npos);
}

void TestEnvironmentDocument::setsEveryNodeField()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    const plan::NodeSpec before = document.environment().nodes[3];
    const auto set = [&document](NodeField field, const char* text) {
        return !document.setCells({{3, field, QString::fromUtf8(text)}});
    };
    QVERIFY(set(NodeField::Name, "計算機"));
    QVERIFY(set(NodeField::Speed, "0.75 ± 0.01"));
    QVERIFY(set(NodeField::Slots, "4096"));
    QVERIFY(set(NodeField::Cores, "16"));
    QVERIFY(set(NodeField::Egress, "1e-3"));
    QVERIFY(set(NodeField::Ingress, "+0.002"));
    const plan::NodeSpec expected{.name = "計算機",
                                  .speed = 0.75,
                                  .speedConfidence = 0.01,
                                  .slots = 4096,
                                  .cores = 16,
                                  .egressUsPerByte = 0.001,
                                  .ingressUsPerByte = 0.002};
    QVERIFY(document.environment().nodes[3] == expected);
    QVERIFY(set(NodeField::Cores, "") && set(NodeField::Egress, " ")
            && set(NodeField::Ingress, ""));
    QCOMPARE(document.environment().nodes[3].cores, 0U);
    QCOMPARE(document.environment().nodes[3].egressUsPerByte, 0.0);
    QCOMPARE(document.environment().nodes[3].ingressUsPerByte, 0.0);
    while (document.undoStack().index() > 1)
        document.undoStack().undo();
    QVERIFY(document.environment().nodes[3] == before);
}

void TestEnvironmentDocument::setsLinks()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    const plan::Environment before = document.environment();
    const auto link = [&document](std::uint32_t from, std::uint32_t to) {
        return document.environment().links[from * 4 + to];
    };
    // One direction; the other figure is the default's.
    QVERIFY(!document.setCells({{0, 1, LinkFigure::A0, QStringLiteral("75")}}, false));
    QVERIFY(link(0, 1) == (plan::LinkSpec{.a0Us = 75.0, .a1UsPerByte = 0.08}));
    QVERIFY(!link(1, 0));
    // Both; of a link that has figures the other one stays.
    QVERIFY(!document.setCells({{2, 1, LinkFigure::A1, QStringLiteral("0.2")}}, true));
    QVERIFY(link(2, 1) == (plan::LinkSpec{.a0Us = 60.0, .a1UsPerByte = 0.2}));
    QVERIFY(link(1, 2) == (plan::LinkSpec{.a0Us = 90.0, .a1UsPerByte = 0.2}));
    // Inside a node.
    QVERIFY(!document.setCells({{1, 1, LinkFigure::A0, QStringLiteral("0.75")}}, true));
    QVERIFY(link(1, 1) == (plan::LinkSpec{.a0Us = 0.75, .a1UsPerByte = 0.0002}));
    // An empty text and clearLinks() give the default back.
    QVERIFY(!document.setCells({{0, 1, LinkFigure::A0, QString()}}, false));
    QVERIFY(!link(0, 1));
    document.clearLinks({{0, 3}}, false);
    QVERIFY(!link(0, 3) && link(3, 0));
    document.clearLinks({{2, 1}, {3, 3}}, true);
    QVERIFY(!link(2, 1) && !link(1, 2));
    const int steps = document.undoStack().count();
    document.clearLinks({{2, 1}}, true);
    QCOMPARE(document.undoStack().count(), steps);
    while (document.undoStack().index() > 1)
        document.undoStack().undo();
    QVERIFY(document.environment() == before);
    // A whole matrix is taken as it stands, though edits hold for both directions.
    QVERIFY(!document.setCells(
        {{0, 1, LinkFigure::A0, QStringLiteral("1")}, {1, 0, LinkFigure::A0, QStringLiteral("2")}},
        true));
    QCOMPARE(link(0, 1)->a0Us, 1.0);
    QCOMPARE(link(1, 0)->a0Us, 2.0);
}

void TestEnvironmentDocument::setsBursts()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    const plan::Environment before = document.environment();
    const auto link = [&document](std::uint32_t from, std::uint32_t to) {
        return document.environment().links[from * 4 + to];
    };
    const auto set = [&document](std::uint32_t from, std::uint32_t to, const char* text) {
        return !document.setCells({{from, to, LinkFigure::Burst, QString::fromUtf8(text)}}, false);
    };
    QVERIFY(set(0, 1, "1e4"));
    QVERIFY(link(0, 1)
            == (plan::LinkSpec{.a0Us = 60.0, .a1UsPerByte = 0.08, .burstBytes = 10'000.0}));
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Burst from grid00 to grid01"));
    // Taking the burst away leaves what was measured of the link.
    QVERIFY(set(0, 3, ""));
    plan::LinkSpec withoutBurst = *before.links[0 * 4 + 3];
    withoutBurst.burstBytes = 0.0;
    QVERIFY(link(0, 3) == withoutBurst);
    QVERIFY(set(3, 0, "0"));
    QVERIFY(link(3, 0) == withoutBurst);
    // Of a link that has no figures, there is nothing to take away.
    QVERIFY(set(1, 0, " "));
    QVERIFY(!link(1, 0));
    // The default's is what links have that say nothing of it.
    QCOMPARE(document.setGeneral(GeneralField::DefaultBurst, QStringLiteral("700")), QString());
    QVERIFY(set(0, 3, ""));
    QCOMPARE(link(0, 3)->burstBytes, 700.0);
    QCOMPARE(link(0, 3)->a0Confidence, plan::Confidence(0.412));
    QVERIFY(set(1, 0, "0"));
    QVERIFY(link(1, 0) == (plan::LinkSpec{.a0Us = 60.0, .a1UsPerByte = 0.08}));
    // It was not measured with an interval, and cannot have one.
    QVERIFY(!set(0, 3, "700 ± 1"));
    while (document.undoStack().index() > 1)
        document.undoStack().undo();
    QVERIFY(document.environment() == before);
}

void TestEnvironmentDocument::setsGeneralValues()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    const plan::Environment before = document.environment();
    QSignalSpy edits(&document, &EnvironmentDocument::generalEdited);
    QCOMPARE(document.setGeneral(GeneralField::TraceSpeed, QStringLiteral("2")), QString());
    QCOMPARE(document.setGeneral(GeneralField::EagerBytes, QStringLiteral("4096")), QString());
    QCOMPARE(document.setGeneral(GeneralField::DefaultA0, QStringLiteral("50 +- 2")), QString());
    QCOMPARE(document.setGeneral(GeneralField::DefaultA1, QStringLiteral("0.05")), QString());
    QCOMPARE(document.setGeneral(GeneralField::InsideA0, QStringLiteral("0.3")), QString());
    QCOMPARE(document.setGeneral(GeneralField::InsideA1, QStringLiteral("1e-5")), QString());
    QCOMPARE(document.setGeneral(GeneralField::SendBufferBytes, QStringLiteral("2.5e5")),
             QString());
    QCOMPARE(document.setGeneral(GeneralField::DefaultBurst, QStringLiteral("3000")), QString());
    QCOMPARE(document.setGeneral(GeneralField::InsideBurst, QStringLiteral("4000")), QString());
    QCOMPARE(edits.size(), 9);
    const plan::Environment& now = document.environment();
    QCOMPARE(now.traceSpeed, 2.0);
    QCOMPARE(now.eagerBytes, std::uint64_t{4096});
    QVERIFY(now.linkDefault
            == (plan::LinkSpec{
                .a0Us = 50.0, .a1UsPerByte = 0.05, .burstBytes = 3000.0, .a0Confidence = 2.0}));
    QVERIFY(now.linkInside
            == (plan::LinkSpec{.a0Us = 0.3, .a1UsPerByte = 1e-5, .burstBytes = 4000.0}));
    QCOMPARE(now.sendBufferBytes, 250'000.0);
    // What need not be given is empty, and 0 to the environment.
    for (const GeneralField field :
         {GeneralField::SendBufferBytes, GeneralField::DefaultBurst, GeneralField::InsideBurst}) {
        QVERIFY(!editText(generalOf(document.environment()), field).isEmpty());
        QCOMPARE(document.setGeneral(field, QString()), QString());
        QCOMPARE(editText(generalOf(document.environment()), field), QString());
        QVERIFY(!emptyText(field).isEmpty());
    }
    QCOMPARE(now.sendBufferBytes, 0.0);
    QCOMPARE(now.linkDefault.burstBytes, 0.0);
    QCOMPARE(now.linkInside.burstBytes, 0.0);
    while (document.undoStack().index() > 1)
        document.undoStack().undo();
    QVERIFY(document.environment() == before);
}

void TestEnvironmentDocument::refusesWhatFilesRefuse_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value"); ///< as typed, and as in the file
    QTest::addColumn<QString>("reason");
    const QString speed = QStringLiteral("a number above 0, from 0.000001 to 1000000");
    const QString perByte = QStringLiteral("microseconds for a byte, a number from 0 to 1e9");
    const QString us = QStringLiteral("microseconds, a number from 0 to 1e12");
    const QString bytes = QStringLiteral("bytes, a number from 0 to 1e15");
    const auto row = [](const QString& key, const char* value, const QString& reason) {
        QTest::addRow("%s %s", qPrintable(key), value) << key << QString::fromUtf8(value) << reason;
    };
    for (const char* value : {"0", "-1", "nan", "1000001"})
        row(QStringLiteral("speed"), value, speed);
    for (const char* value : {"0", "-1", "4097", "1.5"})
        row(QStringLiteral("slots"), value, QStringLiteral("a whole number from 1 to 4096"));
    for (const char* value : {"0", "65537", "0.5"})
        row(QStringLiteral("cores"), value, QStringLiteral("a whole number from 1 to 65536"));
    row(QStringLiteral("egress_us_per_byte"), "-0.1", perByte);
    row(QStringLiteral("ingress_us_per_byte"), "1.1e9", perByte);
    row(QStringLiteral("trace_speed"), "0", speed);
    row(QStringLiteral("eager_bytes"), "-1", QStringLiteral("a whole number of bytes"));
    row(QStringLiteral("eager_bytes"), "1.5", QStringLiteral("a whole number of bytes"));
    row(QStringLiteral("a0_us"), "-1", us);
    row(QStringLiteral("a0_us"), "1.1e12", us);
    row(QStringLiteral("a1_us_per_byte"), "inf", perByte);
    for (const char* key : {"burst_bytes", "send_buffer_bytes"}) {
        for (const char* value : {"-1", "1.1e15", "nan"})
            row(QString::fromLatin1(key), value, bytes);
    }
    row(QStringLiteral("name"), "\"\"", QStringLiteral("is empty"));
    row(QStringLiteral("name"), "\"a b\"", QStringLiteral("has a blank in it"));
    row(QStringLiteral("name"), "\"a\tb\"", QStringLiteral("has a control character in it"));
    row(QStringLiteral("name"), "\"grid00\"", QStringLiteral("wo nodes have the name \"grid00\""));
}

void TestEnvironmentDocument::refusesWhatFilesRefuse()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, reason);
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    const plan::Environment before = document.environment();

    const QStringList nodeKeys{
        "name", "speed", "slots", "cores", "egress_us_per_byte", "ingress_us_per_byte"};
    const QStringList linkKeys{"a0_us", "a1_us_per_byte", "burst_bytes"};
    QString typed = value;
    typed.remove(QLatin1Char('"'));
    QString told;
    QString file = QStringLiteral("[[node]]\nname = \"grid00\"\n");
    if (nodeKeys.contains(key)) {
        const auto field = static_cast<NodeField>(nodeKeys.indexOf(key));
        told = document.problem(NodeCell{3, field, typed});
        const auto fault = document.setCells({{3, field, typed}});
        QVERIFY(fault);
        QCOMPARE(fault->reason, told);
        file += QStringLiteral("[[node]]\n%1 = %2\n").arg(key, value);
        if (key != QLatin1String("name"))
            file += QStringLiteral("name = \"b\"\n");
        file += QStringLiteral("[link_default]\na0_us = 1\na1_us_per_byte = 1\n");
    } else if (linkKeys.contains(key)) {
        const auto figure = static_cast<LinkFigure>(linkKeys.indexOf(key));
        told = document.problem(LinkCell{0, 1, figure, typed});
        QVERIFY(document.setCells({{0, 1, figure, typed}}, true));
        const std::array inside{GeneralField::InsideA0, GeneralField::InsideA1,
                                GeneralField::InsideBurst};
        QCOMPARE(document.setGeneral(inside[static_cast<std::size_t>(figure)], typed), told);
        file += QStringLiteral("[link_default]\n%1 = %2\n").arg(key, value);
        for (const QString& other : linkKeys) {
            if (other != key)
                file += other + QStringLiteral(" = 1\n");
        }
    } else {
        const QStringList generalKeys{"trace_speed", "eager_bytes", "send_buffer_bytes"};
        const auto field = static_cast<GeneralField>(generalKeys.indexOf(key));
        told = document.problem(field, typed);
        QCOMPARE(document.setGeneral(field, typed), told);
        file.prepend(QStringLiteral("%1 = %2\n").arg(key, value));
    }
    QVERIFY2(told.contains(reason), qPrintable(told));
    QVERIFY(document.environment() == before);

    const auto reading = plan::readEnvironmentText(file.toStdString(), "f");
    QVERIFY(!reading.environment);
    QCOMPARE(reading.diagnostics.size(), std::size_t{1});
    const QString inFile = QString::fromStdString(reading.diagnostics[0].text());
    QVERIFY2(inFile.contains(reason), qPrintable(inFile));
}

void TestEnvironmentDocument::manyCellsAreOneStepAllOrNone()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    const plan::Environment before = document.environment();
    const auto fault = document.setCells({{0, NodeField::Speed, QStringLiteral("2")},
                                          {1, NodeField::Speed, QStringLiteral("fast")},
                                          {2, NodeField::Speed, QStringLiteral("-1")}});
    QVERIFY(fault);
    QCOMPARE(fault->cell, std::size_t{1});
    QVERIFY(document.environment() == before);

    // Names may change places, and cells below the last node make nodes.
    QVERIFY(!document.setCells({{0, NodeField::Name, QStringLiteral("grid01")},
                                {1, NodeField::Name, QStringLiteral("grid00")},
                                {5, NodeField::Speed, QStringLiteral("3")}}));
    QCOMPARE(document.nodeCount(), 6U);
    QCOMPARE(document.environment().nodes[0].name, std::string("grid01"));
    QCOMPARE(document.environment().nodes[1].name, std::string("grid00"));
    QCOMPARE(document.environment().nodes[4].name, std::string("grid04"));
    QCOMPARE(document.environment().nodes[5].name, std::string("grid05"));
    QCOMPARE(document.environment().nodes[5].speed, 3.0);
    document.undoStack().undo();
    QVERIFY(document.environment() == before);

    const auto twice = document.setCells({{0, NodeField::Slots, QStringLiteral("1")},
                                          {4, NodeField::Name, QStringLiteral("grid02")}});
    QVERIFY(twice);
    QCOMPARE(twice->cell, std::size_t{1});
    QVERIFY(document.environment() == before);
}

void TestEnvironmentDocument::repeatedEditsOfACellAreOneStep()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    const int steps = document.undoStack().count();
    const auto speed = [&document](std::uint32_t node, const char* text) {
        return !document.setCells({{node, NodeField::Speed, QString::fromLatin1(text)}});
    };
    QVERIFY(speed(0, "2") && speed(0, "3"));
    QCOMPARE(document.undoStack().count(), steps + 1);
    QVERIFY(speed(3, "3"));
    QCOMPARE(document.undoStack().count(), steps + 2);
    QVERIFY(speed(0, "4"));
    QCOMPARE(document.undoStack().count(), steps + 3);
    QVERIFY(speed(0, "3")); // as before: no step is left
    QCOMPARE(document.undoStack().count(), steps + 2);
    QVERIFY(speed(3, "3")); // nothing changes
    QCOMPARE(document.undoStack().count(), steps + 2);
    document.undoStack().undo();
    document.undoStack().undo();
    QCOMPARE(document.environment().nodes[0].speed, 1.0);
    QVERIFY(document.undoStack().undoText() != QStringLiteral("Speed of grid00"));
}

void TestEnvironmentDocument::aTypedValueHasNoInterval()
{
    EnvironmentDocument document;
    document.replace(sampleEnvironment(), {});
    QCOMPARE(shownText(document.environment().nodes[1], NodeField::Speed),
             QStringLiteral("0.500 ± 0.012"));
    QVERIFY(!document.setCells({{1, NodeField::Speed, QStringLiteral("0.6")}}));
    QVERIFY(!document.environment().nodes[1].speedConfidence);
    QVERIFY(document.setCells({{1, NodeField::Speed, QStringLiteral("0.6 ± -1")}}));
    QVERIFY(document.setCells({{1, NodeField::Speed, QStringLiteral("0.6 ±")}}));
    const plan::LinkSpec measured = document.environment().link(plan::Node(0), plan::Node(3));
    QCOMPARE(shownText(measured, LinkFigure::A0), QStringLiteral("120.1 ± 0.4"));
    QCOMPARE(shownText(measured, LinkFigure::A1), QStringLiteral("0.800 ± 0.003"));
    QCOMPARE(editText(measured, LinkFigure::A0), QStringLiteral("120.1234 ± 0.412"));
    plan::LinkSpec back;
    QCOMPARE(setField(back, LinkFigure::A0, editText(measured, LinkFigure::A0)), QString());
    QCOMPARE(back.a0Us, measured.a0Us);
    QCOMPARE(back.a0Confidence, measured.a0Confidence);
    plan::LinkSpec large{.a0Us = 1234567.0, .a1UsPerByte = 0.00002};
    QCOMPARE(shownText(large, LinkFigure::A0), QStringLiteral("1234567"));
    QCOMPARE(shownText(large, LinkFigure::A1), QStringLiteral("0.00002"));
    large.a0Confidence = 12.7;
    QCOMPARE(shownText(large, LinkFigure::A0), QStringLiteral("1234567 ± 13"));
}

void TestEnvironmentDocument::replacesAsOneStep()
{
    EnvironmentDocument document;
    document.addNode();
    plan::Environment bare = sampleEnvironment();
    bare.links.clear(); // may be left out
    document.replace(bare, QStringLiteral("Measure"));
    QCOMPARE(document.nodeCount(), 4U);
    QCOMPARE(document.environment().links.size(), std::size_t{16});
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Measure"));
    document.undoStack().undo();
    QCOMPARE(document.nodeCount(), 1U);
    document.undoStack().redo();
    QCOMPARE(document.nodeCount(), 4U);
    document.clear();
    QVERIFY(document.isEmpty() && document.isClean() && !document.undoStack().canUndo());
}

void TestEnvironmentDocument::undoAndRedoOfAnything()
{
    std::mt19937 random(11);
    EnvironmentDocument document;
    std::vector<plan::Environment> states{document.environment()};
    const auto number = [&random] { return QString::number(1 + random() % 1000); };
    const auto node = [&random, &document] {
        return static_cast<std::uint32_t>(random() % std::max(1U, document.nodeCount()));
    };
    for (int step = 0; step < 400; ++step) {
        const std::uint32_t count = document.nodeCount();
        switch (count == 0 ? 0 : random() % 11) {
        case 0: document.addNode(); break;
        case 1:
            if (count < 12)
                document.duplicateNodes({static_cast<int>(node()), static_cast<int>(node())});
            break;
        case 2:
            if (count > 3)
                document.removeNodes({static_cast<int>(node()), static_cast<int>(node())});
            break;
        case 3: document.setCells({{node(), NodeField::Speed, number()}}); break;
        case 4:
            document.setCells({{count, NodeField::Slots, number()}, {0, NodeField::Cores, {}}});
            break;
        case 5: document.setGeneral(GeneralField::DefaultA1, number()); break;
        case 6: document.clearLinks({{node(), node()}}, random() % 2 == 0); break;
        case 7: document.setGeneral(GeneralField::SendBufferBytes, number()); break;
        case 8:
            document.setCells(
                {{node(), node(), LinkFigure::Burst, random() % 3 == 0 ? QString() : number()}},
                random() % 2 == 0);
            break;
        default:
            document.setCells({{node(), node(), LinkFigure::A0, number()},
                               {node(), node(), LinkFigure::A0, number()}},
                              random() % 2 == 0);
        }
        states.resize(static_cast<std::size_t>(document.undoStack().index()));
        states.push_back(document.environment());
        QCOMPARE(document.environment().links.size(),
                 std::size_t{document.nodeCount()} * document.nodeCount());
        if (random() % 4 == 0) { // somewhere else among the steps
            const auto place = random() % states.size();
            document.undoStack().setIndex(static_cast<int>(place));
            QVERIFY2(document.environment() == states[place], qPrintable(QString::number(step)));
        }
    }
    for (std::size_t i = states.size(); i-- > 0;) {
        document.undoStack().setIndex(static_cast<int>(i));
        QVERIFY(document.environment() == states[i]);
    }
}

void TestEnvironmentDocument::takesNoMoreThanAllowed()
{
    EnvironmentDocument document;
    document.replace(wideEnvironment(plan::limits::mostNodes - 1), {});
    QVERIFY(!document.duplicateNodes({0, 1}));
    QVERIFY(document.addNode());
    QVERIFY(!document.addNode());
    QVERIFY(!document.duplicateNodes({0}));
    const auto fault = document.setCells({{1024, NodeField::Speed, QStringLiteral("1")}});
    QVERIFY(fault);
    QVERIFY(fault->reason.contains(QStringLiteral("1024")));
    QCOMPARE(document.nodeCount(), 1024U);
}

QTEST_GUILESS_MAIN(TestEnvironmentDocument)

} // namespace tst_environmentdocument

#include "tst_environmentdocument.moc"
