// SPDX-License-Identifier: GPL-3.0-or-later
#include "folderrules.h"
#include "smalltree.h"

#include <QTest>

namespace tst_folders {

using tasuki::architecture::checkFolders;
using tasuki::architecture::layerFolders;
using tasuki::architecture::SmallTree;
using tasuki::architecture::textOf;

namespace {

constexpr const char* head = "| folder | what lives there | may include |\n|---|---|---|\n";
constexpr const char* farmRow = "| `agent/farm` | master | `shared/wire` |\n";
constexpr const char* wireRow = "| `shared/wire` | frames | |\n";
constexpr const char* domainRow = "| `shared/domain` | ids | |\n";

/// A farm that includes wire and domain, with all that the rules want.
void fill(SmallTree& tree)
{
    tree.add("ARCHITECTURE.md", std::string{head} + farmRow + wireRow + domainRow);
    tree.add("agent/farm/master.cpp", "#include \"wire/frame.h\"\n#include \"domain/ids.h\"\n");
    tree.add("agent/farm/README.md",
             "# farm\n\nMay include: `shared/wire`; `shared/domain`.\n* `master.cpp`, `b.cpp`\n");
    tree.add("shared/wire/frame.h", "#include <string>\n");
    tree.add("shared/wire/README.md", "May include: `shared/domain`.\n* `frame.h`, `b.h`\n");
    tree.add("shared/domain/ids.h", "");
    tree.add("shared/domain/README.md",
             "May include: nothing but the standard library.\n`ids.h`, `b.h`\n");
}

} // namespace

/// Folders and what they may include: the tables of ARCHITECTURE.md, includes and READMEs agree.
/// What breaks it: an include of a folder that the table does not name, a name that is not used any
/// more, a folder without row or README.md.
class TestFolders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void treeKeepsTheTables()
    {
        const QString violations = textOf(checkFolders(TASUKI_SOURCE_DIR));
        QVERIFY2(violations.isEmpty(), qPrintable("\n" + violations));
    }

    /// A checker that finds no folders would find no violations either.
    void checkerSeesTheFolders()
    {
        const auto folders = layerFolders(TASUKI_SOURCE_DIR);
        for (const char* folder : {"agent/farm", "agent/transport/mpi", "gui/app", "shared/wire"})
            QVERIFY2(std::find(folders.begin(), folders.end(), folder) != folders.end(), folder);
    }

    void acceptsWhatIsAllowed()
    {
        SmallTree tree;
        fill(tree);
        QCOMPARE(textOf(checkFolders(tree.root())), QString());
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
        row("an include that the table does not name", "shared/wire/b.cpp",
            "\n#include \"farm/master.cpp\"\n",
            "shared/wire/b.cpp:2: agent/farm [folder]\n"
            "agent/farm:0: includes itself by way of others [folder-cycle]\n"
            "shared/wire:0: includes itself by way of others [folder-cycle]\n");
        row("what is made of a .proto file", "agent/farm/b.cpp", "#include \"link.pb.h\"\n", "");
        row("the same where it is not named", "shared/domain/b.cpp", "#include \"link.pb.h\"\n",
            "shared/domain/b.cpp:1: shared/wire [folder]\n");
        row("what the build makes in a folder", "agent/commands/b.cpp",
            "#include \"farm/version.h\"\n",
            "ARCHITECTURE.md:0: no row for agent/commands [folder-table]\n"
            "agent/commands/README.md:0: is missing [readme]\n");
        row("the same, in a folder with a row", "shared/domain/b.cpp",
            "#include \"wire/version.h\"\n", "shared/domain/b.cpp:1: shared/wire [folder]\n");
        row("a folder below another one", "agent/farm/deep/a.h", "",
            "ARCHITECTURE.md:0: no row for agent/farm/deep [folder-table]\n"
            "agent/farm/deep/README.md:0: is missing [readme]\n");
        row("a row without a folder", "ARCHITECTURE.md",
            std::string{head} + farmRow + wireRow + domainRow + "| `gui/app` | | |\n",
            "ARCHITECTURE.md:6: no folder gui/app [folder-table]\n");
        row("a table that ends before", "ARCHITECTURE.md",
            std::string{head} + farmRow + wireRow + "\n" + domainRow,
            "ARCHITECTURE.md:0: no row for shared/domain [folder-table]\n");
        row("an include less", "agent/farm/master.cpp", "",
            "ARCHITECTURE.md:3: agent/farm does not include shared/wire [folder-unused]\n");
        row("a README that says more", "shared/wire/README.md",
            "`frame.h`\nMay include: `shared/files`; `shared/domain`.\n",
            "shared/wire/README.md:2: differs from the row of shared/wire [readme-includes]\n");
        row("a file that the README does not name", "shared/wire/other.cpp", "",
            "shared/wire/README.md:0: does not name other [readme-files]\n");
        row("a README that does not say it", "shared/wire/README.md", "# `frame`\n",
            "shared/wire/README.md:0: no line \"May include:\" [readme-includes]\n");
    }

    void reportsViolations()
    {
        QFETCH(QString, file);
        QFETCH(QString, content);
        QFETCH(QString, violation);
        SmallTree tree;
        fill(tree);
        tree.add(file.toStdString(), content.toStdString());
        QCOMPARE(textOf(checkFolders(tree.root())), violation);
    }
};

QTEST_APPLESS_MAIN(TestFolders)

} // namespace tst_folders

#include "tst_folders.moc"
