// SPDX-License-Identifier: GPL-3.0-or-later
#include "documentrules.h"
#include "smalltree.h"

#include <QTest>

#include <algorithm>
#include <string>

namespace tst_documents {

using tasuki::architecture::checkDocuments;
using tasuki::architecture::documents;
using tasuki::architecture::SmallTree;
using tasuki::architecture::textOf;
using tasuki::architecture::userDocuments;

namespace {

constexpr const char* master = "/// See docs/farm.md, \"Handing out\".\n"
                               "class Master {\n"
                               "    int size() const { return 1; }\n"
                               "    void stop();\n"
                               "};\n"
                               "void Master::handOut(int most)\n"
                               "{\n"
                               "    stop();\n"
                               "}\n"
                               "int main()\n";

void fill(SmallTree& tree)
{
    tree.add("ARCHITECTURE.md", "# Architecture\n\nSee [farm](docs/farm.md). `g++`: compiles.\n");
    tree.add("packaging/packages-debian", "# Why\n[build]\ng++    compiles\n");
    tree.add("docs/farm.md", "# Farm\n\n## Handing out\n");
    tree.add("README.md", "# All\n\nSee the [guide](docs/guide/farm.md).\n");
    tree.add("docs/guide/farm.md", "# Lists\n\n`tasks.sh`, `fit`: [all](../../README.md#all).\n");
    tree.add("agent/farm/README.md", "Begin with `master.cpp`.\n");
    tree.add("agent/farm/master.cpp", master);
}

} // namespace

/// Documents against the tree. What breaks it: a file or function that is renamed and still named in a
/// document, a link or a reference to a section that leads nowhere, an ARCHITECTURE.md that grows.
class TestDocuments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void treeAgrees()
    {
        const QString violations = textOf(checkDocuments(TASUKI_SOURCE_DIR));
        QVERIFY2(violations.isEmpty(), qPrintable("\n" + violations));
    }

    /// A checker that finds no documents would find no violations either.
    void checkerSeesTheDocuments()
    {
        const auto found = documents(TASUKI_SOURCE_DIR);
        for (const char* file : {"ARCHITECTURE.md", "CONTRIBUTING.md", "docs/membership.md",
                                 "agent/farm/README.md", "gui/app/README.md"})
            QVERIFY2(std::find(found.begin(), found.end(), file) != found.end(), file);
        const auto read = userDocuments(TASUKI_SOURCE_DIR);
        for (const char* file : {"README.md", "docs/guide/README.md", "docs/guide/farm.md"})
            QVERIFY2(std::find(read.begin(), read.end(), file) != read.end(), file);
    }

    void acceptsWhatIsThere_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << text; };
        row("a path from the root", "`agent/farm/master.cpp`, `agent/farm`");
        row("a path from the layer", "`farm/master.cpp`");
        row("a file by its name", "`master.cpp`");
        row("a path with options", "`agent/farm --root`");
        row("what a build makes", "`build/dev/bin/tasuki`");
        row("a path of the system", "`/dev/shm`, `w.tasuki`, `~/.local/state`");
        row("a member", "`agent/farm/master.cpp:Master::handOut`");
        row("one within its class", "`agent/farm/master.cpp:size`");
        row("a free function", "`agent/farm/master.cpp:main`");
        row("identifiers", "`Master`, `Master::handOut`, `handOut()`");
        row("words that are no identifiers", "`mpirun -np 2`, `T + 1`");
        row("a drawing", "```\n`agent/farm/none.cpp`\n```");
        row("a section", "See docs/farm.md, \"Handing out\".");
        row("a section of a link", "See [farm](farm.md), \"Handing out\".");
        row("a section over two lines", "See docs/farm.md, \"Handing\nout\".");
    }
    void acceptsWhatIsThere()
    {
        QFETCH(QString, text);
        SmallTree tree;
        fill(tree);
        tree.add("docs/plans.md", text.toStdString() + "\n");
        QCOMPARE(textOf(checkDocuments(tree.root())), QString());
    }

    void reportsViolations_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("violation");
        const auto row = [](const char* name, const char* file, const std::string& content,
                            const char* violation) {
            QTest::newRow(name) << file << QString::fromStdString(content) << violation;
        };
        row("no such file", "docs/a.md", "\n`agent/farm/none.cpp`\n",
            "docs/a.md:2: agent/farm/none.cpp [path]\n");
        row("no such file of a layer", "docs/a.md", "`farm/none`\n",
            "docs/a.md:1: farm/none [path]\n");
        row("no such file by its name", "agent/farm/README.md", "`none.h`\n",
            "agent/farm/README.md:1: none.h [path]\n");
        row("no such function", "docs/a.md", "`agent/farm/master.cpp:Master::close`\n",
            "docs/a.md:1: agent/farm/master.cpp:Master::close [function]\n");
        row("a function that is only called", "docs/a.md", "`agent/farm/master.cpp:Master::stop`\n",
            "docs/a.md:1: agent/farm/master.cpp:Master::stop [function]\n");
        row("a function that is only declared", "docs/a.md", "`agent/farm/master.cpp:stop`\n",
            "docs/a.md:1: agent/farm/master.cpp:stop [function]\n");
        row("a function in no file", "docs/a.md", "`agent/farm/none.cpp:Master::handOut`\n",
            "docs/a.md:1: agent/farm/none.cpp:Master::handOut [function]\n");
        row("no such identifier", "docs/a.md", "`Foreman`\n", "docs/a.md:1: Foreman [word]\n");
        row("no such member", "docs/a.md", "`Master::close()`\n",
            "docs/a.md:1: Master::close() [word]\n");
        row("a link that leads nowhere", "docs/a.md", "[a](b.md#c)\n",
            "docs/a.md:1: b.md [link]\n");
        row("a section that is not there", "docs/a.md", "docs/farm.md, \"Taking back\"\n",
            "docs/a.md:0: farm.md, \"Taking back\" [section]\n");
        row("the same behind a link", "docs/a.md", "[farm](farm.md), \"Taking back\"\n",
            "docs/a.md:0: farm.md), \"Taking back\" [section]\n");
        row("the same in a source", "agent/farm/b.h", "/// docs/farm.md, \"Taking\n/// back\".\n",
            "agent/farm/b.h:0: farm.md, \"Taking back\" [section]\n");
        row("a package without a reason", "packaging/packages-debian", "g++  a\nspin  b\n",
            "ARCHITECTURE.md:0: spin [package]\n");
        row("a link of the README that leads nowhere", "README.md", "\n[a](docs/guide/b.md)\n",
            "README.md:2: docs/guide/b.md [link]\n");
        row("a link of the guide that leads nowhere", "docs/guide/a.md",
            "[a](docs/guide/farm.md)\n", "docs/guide/a.md:1: docs/guide/farm.md [link]\n");
        row("a section that the guide names", "docs/guide/a.md", "docs/farm.md, \"Taking back\"\n",
            "docs/guide/a.md:0: farm.md, \"Taking back\" [section]\n");
        row("a README of too many lines", "README.md", std::string(251, '\n'),
            "README.md:0: 251 lines [length]\n");
        row("a README of too many bytes", "README.md", std::string(14000, 'a') + "\n",
            "README.md:0: 14001 bytes [length]\n");
        std::string longest = "`g++`";
        for (int i = 0; i < 301; ++i)
            longest += "\n";
        row("too long", "ARCHITECTURE.md", longest, "ARCHITECTURE.md:0: 301 lines [length]\n");
    }
    void reportsViolations()
    {
        QFETCH(QString, file);
        QFETCH(QString, content);
        QFETCH(QString, violation);
        SmallTree tree;
        fill(tree);
        tree.add(file.toStdString(), content.toStdString());
        QCOMPARE(textOf(checkDocuments(tree.root())), violation);
    }

    void whatFitsIsNotTooMuch()
    {
        SmallTree tree;
        fill(tree);
        tree.add("README.md", std::string(249, '\n') + std::string(13750, 'a') + "\n");
        std::string text = "`g++`";
        for (int i = 0; i < 300; ++i)
            text += "\n";
        tree.add("ARCHITECTURE.md", text);
        QCOMPARE(textOf(checkDocuments(tree.root())), QString());
    }
};

QTEST_APPLESS_MAIN(TestDocuments)

} // namespace tst_documents

#include "tst_documents.moc"
