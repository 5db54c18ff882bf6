// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/taskfield.h"

namespace tst_taskfield {

using namespace tasuki;
using namespace std::chrono_literals;

class TestTaskField : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goodText_data();
    void goodText();
    void badText_data();
    void badText();
    void whatIsShownIsTakenBack();
    void valuesAreSet();
    void bytesThatAreNoText();
};

namespace {

constexpr auto command = TaskField::Command;
constexpr auto retries = TaskField::Retries;
constexpr auto timeout = TaskField::Timeout;
constexpr auto directory = TaskField::Directory;
constexpr auto environment = TaskField::Environment;

TaskContent content()
{
    TaskContent content{.command = "echo hello", .settings = {}};
    content.settings.timeout = 90min;
    content.settings.workingDirectory = "/data";
    content.settings.environment = {{"A", "1"}, {"B", "two words"}};
    return content;
}

} // namespace

void TestTaskField::goodText_data()
{
    QTest::addColumn<TaskField>("field");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::newRow("command") << command << "ls -l | wc"
                             << "ls -l | wc";
    QTest::newRow("blanks around") << command << "  ls \t"
                                   << "ls";
    QTest::newRow("continued") << command << "a \\\n  b"
                               << "a \\\n  b";
    QTest::newRow("quotes") << command << "echo 'a \"b'"
                            << "echo 'a \"b'";
    QTest::newRow("Japanese") << command << QStringLiteral("echo 襷") << QStringLiteral("echo 襷");
    QTest::newRow("time") << timeout << "3600"
                          << "1h";
    QTest::newRow("no time") << timeout << ""
                             << "";
    QTest::newRow("none") << timeout << "none"
                          << "";
    QTest::newRow("directory") << directory << "/tmp/a b"
                               << "/tmp/a b";
    QTest::newRow("default directory") << directory << "default"
                                       << "";
    QTest::newRow("variables") << environment << "X=1 Y='a b'"
                               << "X=1 Y='a b'";
    QTest::newRow("no variables") << environment << ""
                                  << "";
}

void TestTaskField::goodText()
{
    QFETCH(TaskField, field);
    QFETCH(QString, text);
    QFETCH(QString, shown);
    TaskContent changed = content();
    QCOMPARE(setField(changed, field, text), QString());
    QCOMPARE(fieldText(changed, field), shown);
    // Only this field, and what is shown means the same again.
    for (const TaskField other : allTaskFields) {
        if (other != field)
            QCOMPARE(fieldText(changed, other), fieldText(content(), other));
    }
    TaskContent again = changed;
    QCOMPARE(setField(again, field, shown), QString());
    QCOMPARE(again, changed);
}

void TestTaskField::badText_data()
{
    QTest::addColumn<TaskField>("field");
    QTest::addColumn<QString>("text");
    QTest::newRow("no command") << command << "";
    QTest::newRow("blank command") << command << "  ";
    QTest::newRow("comment") << command << "# sleep 1";
    QTest::newRow("directive") << command << "#TASUKI timeout=1s";
    QTest::newRow("open quote") << command << "echo 'a";
    QTest::newRow("two commands") << command << "a\nb";
    QTest::newRow("goes on nowhere") << command << "a \\";
    QTest::newRow("NUL") << command << QStringLiteral("a") + QChar(0) + QStringLiteral("b");
    QTest::newRow("retries") << retries << "many";
    QTest::newRow("retries of what") << retries << "exit:1,sun:2";
    QTest::newRow("no retries") << retries << "";
    QTest::newRow("time") << timeout << "soon";
    QTest::newRow("no time at all") << timeout << "0";
    QTest::newRow("negative") << timeout << "-5s";
    QTest::newRow("directory of two lines") << directory << "a\nb";
    QTest::newRow("no variable") << environment << "1A=x";
    QTest::newRow("no value") << environment << "A";
    QTest::newRow("twice") << environment << "A=1 A=2";
    QTest::newRow("open") << environment << "A='x";
}

void TestTaskField::badText()
{
    QFETCH(TaskField, field);
    QFETCH(QString, text);
    TaskContent changed = content();
    const QString problem = setField(changed, field, text);
    QVERIFY(!problem.isEmpty());
    QVERIFY(!problem.contains(QLatin1Char('\n')));
    QCOMPARE(changed, content());
}

void TestTaskField::whatIsShownIsTakenBack()
{
    TaskContent odd{.command = "odd\ncommand", .settings = {}};
    odd.settings.environment = {{"N", "a\nb"}};
    for (const TaskField field : allTaskFields) {
        TaskContent same = odd;
        QCOMPARE(setField(same, field, fieldText(odd, field)), QString());
        QCOMPARE(same, odd);
    }
}

void TestTaskField::valuesAreSet()
{
    TaskContent changed = content();
    QCOMPARE(setField(changed, retries, QStringLiteral("2,lost:7")), QString());
    QCOMPARE(changed.settings.retries, (RetryBudget{.allowed = {2, 2, 2, 7}}));
    QCOMPARE(setField(changed, timeout, QStringLiteral("1m30s")), QString());
    QCOMPARE(*changed.settings.timeout, std::chrono::milliseconds(90s));
    QCOMPARE(setField(changed, environment, QStringLiteral("X=\"a b\" Y=")), QString());
    const std::vector<std::pair<std::string, std::string>> expected{{"X", "a b"}, {"Y", ""}};
    QCOMPARE(changed.settings.environment, expected);
}

void TestTaskField::bytesThatAreNoText()
{
    TaskContent odd = content();
    QVERIFY(fieldIsText(odd, command));
    odd.command = "cat \xff";
    odd.settings.workingDirectory = "/d\xe3\x81";
    QVERIFY(!fieldIsText(odd, command));
    QVERIFY(!fieldIsText(odd, directory));
    QVERIFY(fieldIsText(odd, environment));
    odd.command = "echo \xe8\xa5\xb7";
    QVERIFY(fieldIsText(odd, command));
}

QTEST_APPLESS_MAIN(TestTaskField)

} // namespace tst_taskfield

#include "tst_taskfield.moc"
