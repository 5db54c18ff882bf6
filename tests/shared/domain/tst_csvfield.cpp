// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/csvfield.h"

#include <QtTest>

namespace tst_csvfield {

using namespace tasuki;

/// What breaks it: a field that a reader of RFC 4180 takes for two, or for another line.
class TestCsvField : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fieldsAreQuotedWhereNeeded_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("field");
        const auto row = [](const char* name, const char* text, const char* field) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(field);
        };
        row("empty", "", "");
        row("plain", "n0 a;b'", "n0 a;b'");
        row("comma", "a,b", "\"a,b\"");
        row("quotation mark", "a\"b\"", "\"a\"\"b\"\"\"");
        row("line feed", "a\nb", "\"a\nb\"");
        row("carriage return", "a\rb", "\"a\rb\"");
        row("bytes that are no UTF-8", "\xff,", "\"\xff,\"");
    }
    void fieldsAreQuotedWhereNeeded()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, field);
        QCOMPARE(QByteArray::fromStdString(csvField(text.toStdString())), field);
    }
};

QTEST_APPLESS_MAIN(TestCsvField)

} // namespace tst_csvfield

#include "tst_csvfield.moc"
