// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>

#include <QFile>
#include <QMap>
#include <QSet>
#include <QStringList>

namespace tst_manpages {

namespace {

/// The long options that a page gives a paragraph, by section: macros behind a .TP.
/// @return "SECTION --name" of each, in their order
QStringList optionsOf(const QString& page)
{
    QStringList found;
    QString section;
    bool heads = false;
    for (const QString& line : page.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String(".SH ")))
            section = line.mid(4);
        if (heads) {
            static const QRegularExpression option(
                QStringLiteral("\\\\-\\\\-([a-z0-9]+(?:\\\\-[a-z0-9]+)*)"));
            for (auto each = option.globalMatch(line); each.hasNext();)
                found << section + QLatin1String(" --")
                        + each.next().captured(1).remove(QLatin1Char('\\'));
        }
        heads = line == QLatin1String(".TP");
    }
    return found;
}

QString read(const QString& name)
{
    QFile file(QStringLiteral(TASUKI_SOURCE_DIR "/packaging/man/") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

/// What breaks it: an option that a page explains twice in the section of a command, perhaps in two ways.
class TestManPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachOptionStandsOnce_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("agent") << QStringLiteral("tasuki-agent.1");
        QTest::newRow("window") << QStringLiteral("tasuki.1");
    }
    void eachOptionStandsOnce()
    {
        QFETCH(QString, name);
        const QStringList options = optionsOf(read(name));
        constexpr qsizetype some = 5;
        QVERIFY2(options.size() >= some, "the page is not read any more");
        QSet<QString> seen;
        for (const QString& option : options) {
            QVERIFY2(!seen.contains(option), qPrintable(name + QLatin1String(": ") + option));
            seen.insert(option);
        }
    }
    void findsWhatStandsTwice()
    {
        const QString page = QStringLiteral(
            ".SH FARM OPTIONS\n.TP\n.BI \\-\\-lost\\-after \" D\"\nText of\n"
            ".BR \\-\\-quiet .\n.TP\n.BR \\-\\-a \", \" \\-\\-b\n"
            ".SH MERGE OPTIONS\n.TP\n.BI \\-\\-lost\\-after\n");
        QCOMPARE(
            optionsOf(page),
            (QStringList{QStringLiteral("FARM OPTIONS --lost-after"),
                         QStringLiteral("FARM OPTIONS --a"), QStringLiteral("FARM OPTIONS --b"),
                         QStringLiteral("MERGE OPTIONS --lost-after")}));
    }
};

QTEST_APPLESS_MAIN(TestManPages)

} // namespace tst_manpages

#include "tst_manpages.moc"
