// SPDX-License-Identifier: GPL-3.0-or-later
#include "listtesting.h"

#include "tasklist/listpieces.h"

#include <random>

namespace tst_listpieces {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

ListPiece nextOf(ListPieces& pieces) { return pieces.next().value_or(ListPiece{"none", 0}); }

/// What the master makes of pieces that are added one after the other.
TaskListParse added(const std::vector<ListPiece>& pieces)
{
    TaskListParse all;
    EarlierTasks earlier;
    for (const ListPiece& piece : pieces) {
        earlier.lines = piece.firstLine - 1;
        TaskListParse parse = parseTaskList(piece.text, "list.sh", {}, earlier);
        for (Task& task : parse.tasks) {
            earlier.stage = std::max(earlier.stage, task.stage);
            if (task.links && !task.links->label.empty())
                earlier.labels[task.links->label].emplace_back(earlier.count);
            ++earlier.count;
            all.tasks.push_back(std::move(task));
        }
        for (Diagnostic& found : parse.diagnostics)
            all.diagnostics.push_back(std::move(found));
    }
    return all;
}

/// Cuts a text at random places and takes pieces at random moments.
std::vector<ListPiece> cut(const std::string& text, std::uint32_t seed)
{
    std::mt19937 random(seed);
    ListPieces pieces;
    std::vector<ListPiece> all;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = 1 + random() % 40;
        pieces.feed(std::string_view(text).substr(at, size));
        at += size;
        if (random() % 3 == 0)
            if (auto piece = pieces.next())
                all.push_back(std::move(*piece));
    }
    pieces.finish();
    while (auto piece = pieces.next())
        all.push_back(std::move(*piece));
    return all;
}

} // namespace

/// What breaks it: a command in two pieces, a label without its task, a directive that is forgotten or holds too long, a
/// line with another number.
class TestListPieces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void endsBehindAWholeCommand()
    {
        ListPieces pieces;
        pieces.feed("a\nb");
        QCOMPARE(nextOf(pieces), (ListPiece{"a\n", 1}));
        QVERIFY(!pieces.next());
        pieces.feed("b\nc \\\n");
        QCOMPARE(nextOf(pieces), (ListPiece{"bb\n", 2}));
        pieces.feed("d\n#TASUKI label=x\n");
        QCOMPARE(nextOf(pieces), (ListPiece{"c \\\nd\n", 3}));
        QCOMPARE(pieces.ready(), std::size_t(0));
        pieces.feed("e");
        QVERIFY(!pieces.next());
        pieces.finish();
        QCOMPARE(nextOf(pieces), (ListPiece{"#TASUKI label=x\ne", 5}));
        QVERIFY(!pieces.next());
    }

    void directivesGoOnHolding()
    {
        ListPieces pieces;
        pieces.feed("#TASUKI retries=2 label=x env=A='1 2' env=B=1\na\n#TASUKI timeout=1m\n");
        QCOMPARE(nextOf(pieces).firstLine, std::uint64_t(1));
        pieces.feed("#TASUKI retries=3 env=default env=C=2\nb\n");
        QCOMPARE(nextOf(pieces),
                 (ListPiece{"#TASUKI retries=2 env='A=1 2' env=B=1\n#TASUKI timeout=1m\n"
                            "#TASUKI retries=3 env=default env=C=2\nb\n",
                            2}));
        pieces.feed("c\n");
        QCOMPARE(nextOf(pieces),
                 (ListPiece{"#TASUKI retries=3 timeout=1m env=default env=C=2\nc\n", 5}));
    }

    void whatIsBehindTheLastCommand_data()
    {
        QTest::addColumn<QByteArray>("rest");
        QTest::addColumn<bool>("told"); // to who reads the pieces
        QTest::newRow("nothing") << QByteArray() << false;
        QTest::newRow("comments") << QByteArray("# that is all\n\n") << false;
        QTest::newRow("a setting") << QByteArray("#TASUKI retries=2\n") << false;
        QTest::newRow("a label") << QByteArray("#TASUKI label=x\n") << true;
        QTest::newRow("a barrier") << QByteArray("#TASUKI barrier\n") << true;
        QTest::newRow("an unknown word") << QByteArray("#TASUKI nothing\n") << true;
        QTest::newRow("a backslash") << QByteArray("b \\\n") << true;
    }
    void whatIsBehindTheLastCommand()
    {
        QFETCH(QByteArray, rest);
        ListPieces pieces;
        pieces.feed("a\n");
        QVERIFY(pieces.next());
        pieces.feed(rest.toStdString());
        pieces.finish();
        QTEST(pieces.next().has_value(), "told");
    }

    void aListWithoutCommandsIsNoNothing()
    {
        ListPieces pieces;
        pieces.feed("# nothing to do\n");
        QVERIFY(!pieces.next());
        pieces.finish();
        QCOMPARE(nextOf(pieces), (ListPiece{"# nothing to do\n", 1}));
        ListPieces empty;
        empty.finish();
        QVERIFY(!empty.next());
    }

    /// However a list is cut, the same tasks come of it, with the same lines and the same errors.
    void cutAnywhere()
    {
        std::string text;
        for (int i = 0; i < 40; ++i) {
            const std::string number = std::to_string(i);
            if (i % 11 == 10)
                text += "#TASUKI env=default\n#TASUKI barrier\n";
            text += "#TASUKI retries=" + std::to_string(i % 4) + " env=V" + std::to_string(i % 3)
                + "='a " + number + "'\n# a comment \\\n";
            if (i % 5 == 0)
                text += "#TASUKI label=l" + number + '\n';
            if (i % 7 == 6)
                text += "#TASUKI after=l" + std::to_string((i - 1) / 5 * 5)
                    + " timeout=" + std::to_string(i) + "s\n";
            text += "echo " + number + (i % 6 == 5 ? " \\\n  more\r\n" : "\n")
                + (i % 4 == 3 ? "\n" : "");
        }
        const TaskListParse whole = parseTaskList(text, "list.sh");
        QVERIFY2(whole.usable(), told(whole).c_str());
        for (std::uint32_t seed = 1; seed <= 300; ++seed) {
            const auto pieces = cut(text, seed);
            const TaskListParse list = added(pieces);
            QVERIFY2(list.usable(), told(list).c_str());
            QCOMPARE(list.tasks.size(), whole.tasks.size());
            for (std::size_t i = 0; i < list.tasks.size(); ++i) {
                QVERIFY2(list.tasks[i] == whole.tasks[i], list.tasks[i].command.c_str());
                QCOMPARE(list.tasks[i].line, whole.tasks[i].line);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestListPieces)

} // namespace tst_listpieces

#include "tst_listpieces.moc"
