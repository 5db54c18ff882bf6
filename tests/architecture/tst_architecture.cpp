// SPDX-License-Identifier: GPL-3.0-or-later
#include "layerrules.h"
#include "smalltree.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <string>

namespace tst_architecture {

namespace fs = std::filesystem;
using tasuki::architecture::checkTree;
using tasuki::architecture::SmallTree;
using tasuki::architecture::textOf;

namespace {

const std::string licence = "// SPDX-License-Identifier: GPL-3.0-or-later\n";

} // namespace

/// Holds the tree against the rules of ARCHITECTURE.md, and the checker against small bad trees.
/// What breaks it: an include across layers, a source without a licence line, a long source.
class TestArchitecture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void treeKeepsTheRules();
    void checkerSeesTheSources();
    void reportsViolations_data();
    void reportsViolations();
    void acceptsWhatIsAllowed_data();
    void acceptsWhatIsAllowed();
    void skipsWhatIsNoSource();
};

void TestArchitecture::treeKeepsTheRules()
{
    const QString violations = textOf(checkTree(TASUKI_SOURCE_DIR));
    QVERIFY2(violations.isEmpty(), qPrintable("\n" + violations));
}

/// A checker that finds no files would find no violations either.
void TestArchitecture::checkerSeesTheSources()
{
    const auto files = tasuki::architecture::checkedFiles(TASUKI_SOURCE_DIR);
    for (const char* file :
         {"CMakeLists.txt", "shared/domain/task.h", "agent/transport/transport.h", "packaging/test",
          "tests/architecture/tst_architecture.cpp"})
        QVERIFY2(std::find(files.begin(), files.end(), fs::path{file}) != files.end(), file);
}

void TestArchitecture::reportsViolations_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("content");
    QTest::addColumn<QString>("violation");

    const auto row = [](const char* name, const char* file, const std::string& content,
                        const char* violation) {
        QTest::newRow(name) << QString(file) << QString::fromStdString(content)
                            << QString(violation);
    };
    row("mpi in the farm", "agent/farm/a.cpp", licence + "#include <mpi.h>\n",
        "agent/farm/a.cpp:2: mpi.h [mpi]\n");
    row("mpi beside its folder", "agent/transport/mpi.cpp", licence + "#  include \"mpi.h\"\n",
        "agent/transport/mpi.cpp:2: mpi.h [mpi]\n");
    row("mpi in shared", "shared/wire/a.h", licence + "\n#include <mpi-ext.h> // why\n",
        "shared/wire/a.h:3: mpi-ext.h [mpi]\n");
    row("Qt class in the agent", "agent/farm/a.h", licence + "#include <QString>\n",
        "agent/farm/a.h:2: QString [qt]\n");
    row("Qt module in shared", "shared/wire/a.h", licence + "#include <QtCore/qglobal.h>\n",
        "shared/wire/a.h:2: QtCore/qglobal.h [qt]\n");
    row("Qt header in shared", "shared/wire/a.h", licence + "#include <qglobal.h>\n",
        "shared/wire/a.h:2: qglobal.h [qt]\n");
    row("agent to window", "agent/farm/a.cpp", licence + "#include \"views/tree.h\"\n",
        "agent/farm/a.cpp:2: gui/views/tree.h [agent-gui]\n");
    row("agent to window by a path", "agent/farm/a.cpp",
        licence + "#include \"../../gui/views/tree.h\"\n",
        "agent/farm/a.cpp:2: gui/views/tree.h [agent-gui]\n");
    row("window to agent", "gui/views/a.cpp", licence + "#include <farm/master.h>\n",
        "gui/views/a.cpp:2: agent/farm/master.h [gui-agent]\n");
    row("shared to agent", "shared/wire/a.cpp", licence + "#include \"farm/master.h\"\n",
        "shared/wire/a.cpp:2: agent/farm/master.h [shared-agent]\n");
    row("shared to window", "shared/wire/a.cpp", licence + "#include \"views/tree.h\"\n",
        "shared/wire/a.cpp:2: gui/views/tree.h [shared-gui]\n");
    row("agent to tests", "agent/farm/a.cpp", licence + "#include \"support/clock.h\"\n",
        "agent/farm/a.cpp:2: tests/support/clock.h [agent-tests]\n");
    row("domain to a neighbour", "shared/domain/a.h", licence + "#include \"wire/frame.h\"\n",
        "shared/domain/a.h:2: wire/frame.h [domain]\n");
    row("domain to the system", "shared/domain/a.h", licence + "#include <unistd.h>\n",
        "shared/domain/a.h:2: unistd.h [domain]\n");
    row("domain to a library", "shared/domain/a.h", licence + "#include <boost/asio.hpp>\n",
        "shared/domain/a.h:2: boost/asio.hpp [asio]\n"
        "shared/domain/a.h:2: boost/asio.hpp [domain]\n");
    row("event loop in the farm", "agent/farm/a.cpp", licence + "#include <boost/asio/post.hpp>\n",
        "agent/farm/a.cpp:2: boost/asio/post.hpp [asio]\n");
    row("database in the farm", "agent/farm/a.cpp", licence + "#include <sqlite3.h>\n",
        "agent/farm/a.cpp:2: sqlite3.h [sqlite]\n");
    row("charts in a view", "gui/views/a.cpp", licence + "#include <QChartView>\n",
        "gui/views/a.cpp:2: QChartView [qt-charts]\n");
    row("JSON in the farm", "agent/farm/a.cpp", licence + "#include <nlohmann/json.hpp>\n",
        "agent/farm/a.cpp:2: nlohmann/json.hpp [json]\n");
    row("TOML in the window", "gui/views/a.cpp", licence + "#include <toml++/toml.h>\n",
        "gui/views/a.cpp:2: toml++/toml.h [toml]\n");
    row("a wire format in the window", "gui/views/a.cpp", licence + "#include \"link.pb.h\"\n",
        "gui/views/a.cpp:2: link.pb.h [protobuf]\n");
    row("no licence", "agent/farm/a.cpp", "#include <string>\n",
        "agent/farm/a.cpp:1: no licence line [licence]\n");
    row("empty file", "agent/farm/a.cpp", "", "agent/farm/a.cpp:1: no licence line [licence]\n");
    row("licence too late", "shared/wire/a.proto", "\n" + licence,
        "shared/wire/a.proto:1: no licence line [licence]\n");
    row("script without licence", "packaging/run", "#!/bin/sh\necho\n",
        "packaging/run:2: no licence line [licence]\n");
    row("build file without licence", "agent/CMakeLists.txt", "add_subdirectory(farm)\n",
        "agent/CMakeLists.txt:1: no licence line [licence]\n");
    std::string longest = licence;
    for (int i = 0; i < 600; ++i)
        longest += "\n";
    row("too long", "agent/farm/a.cpp", longest, "agent/farm/a.cpp:0: 601 lines [length]\n");
    row("left over", "agent/farm/a.cpp",
        licence
            + "int a; // TO"
              "DO: more\n",
        "agent/farm/a.cpp:2: TO"
        "DO [left-over]\n");
    row("left over in a build file", "cmake/a.cmake",
        "# " + licence
            + "# FIX"
              "ME\n",
        "cmake/a.cmake:2: FIX"
        "ME [left-over]\n");
}

void TestArchitecture::reportsViolations()
{
    QFETCH(QString, file);
    QFETCH(QString, content);
    QFETCH(QString, violation);
    SmallTree tree;
    tree.add("agent/farm/master.h", licence);
    tree.add("gui/views/tree.h", licence);
    tree.add("shared/wire/frame.h", licence);
    tree.add("tests/support/clock.h", licence);
    QCOMPARE(textOf(checkTree(tree.root())), QString());

    tree.add(file.toStdString(), content.toStdString());
    QCOMPARE(textOf(checkTree(tree.root())), violation);
}

void TestArchitecture::acceptsWhatIsAllowed_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("content");

    const auto row = [](const char* name, const char* file, const std::string& content) {
        QTest::newRow(name) << QString(file) << QString::fromStdString(content);
    };
    row("mpi in its folder", "agent/transport/mpi/a.cpp", licence + "#include <mpi.h>\n");
    row("mpi in a test", "tests/bench/a.c", licence + "#include <mpi.h>\n");
    row("Qt in the window", "gui/views/a.h", licence + "#include <QtCore/QString>\n");
    row("Qt in a test", "tests/agent/a.cpp", licence + "#include <QTest>\n");
    row("tests to everything", "tests/agent/a.cpp",
        licence + "#include \"farm/master.h\"\n#include \"views/tree.h\"\n");
    row("agent to shared", "agent/farm/a.cpp", licence + "#include \"wire/frame.h\"\n");
    row("window to shared", "gui/views/a.cpp", licence + "#include \"wire/frame.h\"\n");
    // A name that two layers have means the own one, as for the compiler.
    row("own layer first", "shared/wire/a.cpp", licence + "#include \"frame.h\"\n");
    row("domain to itself", "shared/domain/b.h",
        licence + "#include \"ids.h\"\n#include <cstdint>\n#include \"domain/ids.h\"\n");
    row("include in a comment", "agent/farm/a.cpp", licence + "// #include <mpi.h>\n");
    row("script", "packaging/run", "#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n");
    std::string longest = licence;
    for (int i = 0; i < 599; ++i)
        longest += "\n";
    row("just not too long", "agent/farm/a.cpp", longest);
    row("mark as a part of a word", "agent/farm/a.cpp",
        licence
            + "int TO"
              "DOS;\n");
}

void TestArchitecture::acceptsWhatIsAllowed()
{
    QFETCH(QString, file);
    QFETCH(QString, content);
    SmallTree tree;
    tree.add("agent/farm/master.h", licence);
    tree.add("gui/views/tree.h", licence);
    tree.add("gui/frame.h", licence);
    tree.add("shared/wire/frame.h", licence);
    tree.add("shared/domain/ids.h", licence);
    tree.add(file.toStdString(), content.toStdString());
    QCOMPARE(textOf(checkTree(tree.root())), QString());
}

void TestArchitecture::skipsWhatIsNoSource()
{
    SmallTree tree;
    tree.add("build/dev/a.cpp", "int a;\n");
    tree.add("tests/data/list.sh", "sleep 1\n");
    tree.add("tests/support/readme.txt", "text\n");
    tree.add("resources/examples/list.sh", "sleep 1\n");
    QCOMPARE(textOf(checkTree(tree.root())), QString());
    QVERIFY(tasuki::architecture::checkedFiles(tree.root()).empty());
}

QTEST_APPLESS_MAIN(TestArchitecture)

} // namespace tst_architecture

#include "tst_architecture.moc"
