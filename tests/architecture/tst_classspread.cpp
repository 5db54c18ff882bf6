// SPDX-License-Identifier: GPL-3.0-or-later
#include "classspread.h"
#include "smalltree.h"

#include <QTest>

#include <string>

namespace tst_classspread {

using tasuki::architecture::SmallTree;
using tasuki::architecture::spreadClasses;

/// What breaks it: a class whose functions are moved into a second .cpp file. A class that grows is split by
/// the state that its parts own, not by length.
class TestClassSpread : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noClassIsSpread()
    {
        std::string found;
        for (const std::string& which : spreadClasses(TASUKI_SOURCE_DIR))
            found += '\n' + which;
        QVERIFY2(found.empty(), found.c_str());
    }

    void findsASpreadClass_data()
    {
        QTest::addColumn<QString>("second"); // agent/farm/b.cpp, beside Master::open in a.cpp
        QTest::addColumn<bool>("isSpread");
        QTest::newRow("a function") << "void Master::close(int how)\n{\n}\n" << true;
        QTest::newRow("one in a line") << "int Master::size() const { return 1; }\n" << true;
        QTest::newRow("a constructor") << "Master::Master(int a,\n               int b)\n" << true;
        QTest::newRow("a destructor") << "Master::~Master() = default;\n" << false;
        QTest::newRow("a nested class") << "void Master::Part::go()\n" << true;
        QTest::newRow("a qualified result") << "std::vector<Master::Held> Master::held()\n" << true;
        QTest::newRow("an operator") << "bool Master::operator==(const Master& other) const\n"
                                     << true;
        QTest::newRow("another class") << "Master::Held Other::held()\n" << false;
        QTest::newRow("a call") << "void f()\n{\n    Master::go();\n}\n" << false;
        QTest::newRow("a declaration") << "void f(Master::Held held);\n" << false;
    }
    void findsASpreadClass()
    {
        QFETCH(QString, second);
        QFETCH(bool, isSpread);
        SmallTree tree;
        tree.add("agent/farm/a.cpp", "void Master::open()\n{\n}\n");
        tree.add("agent/farm/b.cpp", second.toStdString());
        QCOMPARE(spreadClasses(tree.root()).contains("agent/farm Master"), isSpread);
    }

    void sameNameInTwoFoldersIsNoSpread()
    {
        SmallTree tree;
        tree.add("agent/link/a.cpp", "void Session::open()\n{\n}\n");
        tree.add("gui/client/a.cpp", "void Session::open()\n{\n}\n");
        QVERIFY(spreadClasses(tree.root()).empty());
    }
};

QTEST_APPLESS_MAIN(TestClassSpread)

} // namespace tst_classspread

#include "tst_classspread.moc"
