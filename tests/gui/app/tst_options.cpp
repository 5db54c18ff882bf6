// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/options.h"
#include "app/sizeonscreen.h"
#include "app/target.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QXmlStreamReader>

#include "runfile/runfilewriter.h"
#include "samplerun.h"

namespace tst_options {

using namespace tasuki;

/// Command line, pictures without a display, and whether all texts are translated.
/// What breaks it: a wrong argument that is taken or not named, a picture of nothing, a text
/// without Japanese.
class TestOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsOptions();
    void refusesOptions_data();
    void refusesOptions();
    void findsTargets();
    void tellsTopologiesFromEnvironments_data();
    void tellsTopologiesFromEnvironments();
    void showsTopologies();
    void writesScreenshots();
    void tellsWhatCannotBeShown();
    void firstSizeFitsOnTheScreen();
    void everyTextIsTranslated();

private:
    struct Ended {
        int code = -1;
        QString words;
    };
    static Ended runTasuki(const QStringList& arguments, const QString& home);
};

// Fails if a window begins larger than what can be seen of it.
void TestOptions::firstSizeFitsOnTheScreen()
{
    const QSize wanted(1280, 800);
    QCOMPARE(sizeOnScreen(wanted, QSize(1920, 1080)), wanted);
    const QSize small = sizeOnScreen(wanted, QSize(1280, 800));
    QVERIFY(small.width() < 1280 && small.height() < 800);
    QVERIFY(small.width() > 1200 && small.height() > 700);
    QVERIFY(sizeOnScreen(wanted, QSize()).isValid()); // no screen
}

void TestOptions::readsOptions()
{
    const auto options = parseOptions(
        {QStringLiteral("tasuki"), QStringLiteral("a.tasuki"), QStringLiteral("--view"),
         QStringLiteral("tasks"), QStringLiteral("--size"), QStringLiteral("1280x800"),
         QStringLiteral("--theme=dark"), QStringLiteral("--language=ja"),
         QStringLiteral("--task=7")});
    QVERIFY(options.ok());
    QCOMPARE(options->target, QStringLiteral("a.tasuki"));
    QCOMPARE(options->view, RunView::Tasks);
    QCOMPARE(options->size, QSize(1280, 800));
    QCOMPARE(options->theme, ThemeChoice::Dark);
    QCOMPARE(options->language, QStringLiteral("ja"));
    QCOMPARE(options->task, TaskId(7));
    QCOMPARE(parseOptions({QStringLiteral("tasuki"), QStringLiteral("--version")})->wanted,
             Options::Wanted::Version);
    QVERIFY(helpText().contains(QStringLiteral("--screenshot")));
}

void TestOptions::refusesOptions_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* name, const QString& line, const QString& named) {
        QTest::newRow(name) << line.split(QLatin1Char(' ')) << named;
    };
    row("unknown option", QStringLiteral("--colour red"), QStringLiteral("colour"));
    row("unknown view", QStringLiteral("a --view table"), QStringLiteral("'table'"));
    row("size without height", QStringLiteral("--size 1280"), QStringLiteral("'1280'"));
    row("size too small", QStringLiteral("--size 20x20"), QStringLiteral("'20x20'"));
    row("unknown theme", QStringLiteral("--theme red"), QStringLiteral("'red'"));
    row("unknown language", QStringLiteral("--language fr"), QStringLiteral("'fr'"));
    row("two targets", QStringLiteral("a b"), QStringLiteral("'b'"));
    row("no number", QStringLiteral("a --task x"), QStringLiteral("'x'"));
    row("view of nothing", QStringLiteral("--view tasks"), QStringLiteral("--view"));
    row("no directory", QStringLiteral("--screenshot /no/such/a.png"),
        QStringLiteral("/no/such/a.png"));
}

void TestOptions::refusesOptions()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, named);
    arguments.prepend(QStringLiteral("tasuki"));
    const auto options = parseOptions(arguments);
    QVERIFY(!options.ok());
    QCOMPARE(options.error().kind, ErrorKind::Input);
    const QString text = QString::fromStdString(options.error().text());
    QVERIFY2(text.contains(named), qPrintable(text));
    QVERIFY(!text.contains(QLatin1Char('\n')));
}

void TestOptions::findsTargets()
{
    QTemporaryDir folder;
    const std::filesystem::path agents = folder.filePath(QStringLiteral("agents")).toStdString();
    QFile record(folder.filePath(QStringLiteral("a.tasuki")));
    QVERIFY(record.open(QIODevice::WriteOnly));
    record.write("SQLite format 3");
    record.close();
    QFile access(folder.filePath(QStringLiteral("b.json")));
    QVERIFY(access.open(QIODevice::WriteOnly));
    access.write("{}");
    access.close();
    QCOMPARE(findTarget(record.fileName(), agents).value(),
             (Target{Target::Kind::RunFile, record.fileName()}));
    QCOMPARE(findTarget(access.fileName(), agents).value(),
             (Target{Target::Kind::Agent, access.fileName()}));
    // A trace is one whatever it is called.
    QFile trace(folder.filePath(QStringLiteral("run.log")));
    QVERIFY(trace.open(QIODevice::WriteOnly));
    trace.write("155 1 0 1 0 1189\n161 0 0 1 0 1335\n");
    trace.close();
    QVERIFY(looksLikeTrace(trace.fileName()));
    QVERIFY(!looksLikeTrace(record.fileName()));
    QCOMPARE(findTarget(trace.fileName(), agents).value(),
             (Target{Target::Kind::Trace, trace.fileName()}));
    for (const QString& wrong :
         {folder.path(), QStringLiteral("/no/such/file"), QStringLiteral("0123abcd")}) {
        const auto found = findTarget(wrong, agents);
        QVERIFY(!found.ok());
        QVERIFY(QString::fromStdString(found.error().text()).contains(wrong));
    }
}

void TestOptions::tellsTopologiesFromEnvironments_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<bool>("topology");
    const auto row = [](const char* name, const char* content, bool topology) {
        QTest::newRow(name) << QByteArray(content) << topology;
    };
    row("system", "# what is where\n[system]\nheartbeat_ms = 100\n", true);
    row("subcluster", "  [[ subcluster ]]\r\nname = \"node\"\n", true);
    row("subcluster with a mistake", "[[subcluster]\nname = 3\n", true);
    row("inline", "system = { heartbeat_ms = 100 }\n", true);
    row("node", "[[node]]\nname = \"system\"\n", false);
    row("link", "trace_speed = 1.0\n[link_default]\na0_us = 1.0\n", false);
    row("word in a comment", "# [system]\n[[node]]\nname = \"a\"\n", false);
    row("empty", "", false);
}

void TestOptions::tellsTopologiesFromEnvironments()
{
    QFETCH(QByteArray, content);
    QFETCH(bool, topology);
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("a.toml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    QCOMPARE(looksLikeTopology(file.fileName()), topology);
    const auto kind = topology ? Target::Kind::Topology : Target::Kind::Environment;
    QCOMPARE(findTarget(file.fileName(), folder.path().toStdString()).value(),
             (Target{kind, file.fileName()}));
}

void TestOptions::showsTopologies()
{
    QTemporaryDir folder;
    const QString picture = folder.filePath(QStringLiteral("a.png"));
    QFile file(folder.filePath(QStringLiteral("a.toml")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[[subcluster]]\nname = \"a\"\nactive = 2\n");
    file.close();
    const Ended shown = runTasuki({file.fileName(), QStringLiteral("--screenshot"), picture},
                                  folder.path());
    QVERIFY2(shown.code == 0, qPrintable(shown.words));
    QVERIFY(!QImage(picture).isNull());
    QVERIFY(file.open(QIODevice::Append));
    file.write("minimum = 3\n");
    file.close();
    const Ended wrong = runTasuki({file.fileName(), QStringLiteral("--screenshot"), picture},
                                  folder.path());
    QCOMPARE(wrong.code, 1);
    QVERIFY2(wrong.words.contains(QStringLiteral("a.toml cannot be used")),
             qPrintable(wrong.words));
}

TestOptions::Ended TestOptions::runTasuki(const QStringList& arguments, const QString& home)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QLatin1String(name));
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
        environment.insert(QLatin1String(name), home);
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C")); // Qt warns of it by itself
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(TASUKI_PROGRAM), arguments);
    if (!process.waitForFinished(40'000))
        process.kill();
    process.waitForFinished();
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
}

void TestOptions::writesScreenshots()
{
    QTemporaryDir folder;
    const QString record = folder.filePath(QStringLiteral("sample.tasuki"));
    {
        auto writer = RunFileWriter::create(record.toStdString(), RunId::random());
        QVERIFY(writer.ok());
        QVERIFY(writer->append(sampleEvents({.tasks = 120})).ok());
    }
    const QString picture = folder.filePath(QStringLiteral("a.png"));
    const Ended ended = runTasuki({record, QStringLiteral("--screenshot"), picture,
                                   QStringLiteral("--size"), QStringLiteral("1100x700"),
                                   QStringLiteral("--theme"), QStringLiteral("light")},
                                  folder.path());
    QVERIFY2(ended.code == 0, qPrintable(ended.words));
    const QImage image(picture);
    QCOMPARE(image.size(), QSize(1100, 700));
    // The timeline has bars of what succeeded: many pixels of one saturated blue.
    int blue = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            blue += image.pixel(x, y) == qRgb(0x3b, 0x87, 0xc8) ? 1 : 0;
    }
    QVERIFY2(blue > 5000, qPrintable(QString::number(blue)));

    const QString start = folder.filePath(QStringLiteral("start.png"));
    QCOMPARE(runTasuki({QStringLiteral("--screenshot"), start}, folder.path()).code, 0);
    QVERIFY(!QImage(start).isNull());
}

void TestOptions::tellsWhatCannotBeShown()
{
    QTemporaryDir folder;
    const QString picture = folder.filePath(QStringLiteral("a.png"));
    QFile garbage(folder.filePath(QStringLiteral("garbage.tasuki")));
    QVERIFY(garbage.open(QIODevice::WriteOnly));
    garbage.write(QByteArray(5000, 'x'));
    garbage.close();
    const Ended foreign = runTasuki({garbage.fileName(), QStringLiteral("--screenshot"), picture},
                                    folder.path());
    QCOMPARE(foreign.code, 1);
    QVERIFY2(foreign.words.startsWith(QStringLiteral("tasuki: error: ")),
             qPrintable(foreign.words));
    QCOMPARE(foreign.words.count(QLatin1Char('\n')), 1);
    QVERIFY(!QFile::exists(picture));

    const Ended missing = runTasuki({QStringLiteral("/no/such/run")}, folder.path());
    QCOMPARE(missing.code, 1); // there is no display
    const Ended absent = runTasuki(
        {QStringLiteral("/no/such/run"), QStringLiteral("--screenshot"), picture}, folder.path());
    QCOMPARE(absent.code, 2);
    QVERIFY(absent.words.contains(QStringLiteral("/no/such/run")));
    QCOMPARE(runTasuki({QStringLiteral("--nonsense")}, folder.path()).code, 2);
}

void TestOptions::everyTextIsTranslated()
{
    QTemporaryDir folder;
    const QString texts = folder.filePath(QStringLiteral("tasuki_ja.ts"));
    QVERIFY(QFile::copy(QStringLiteral(TASUKI_SOURCE_DIR "/resources/translations/tasuki_ja.ts"),
                        texts));
    QProcess update;
    update.start(QStringLiteral(TASUKI_LUPDATE),
                 {QStringLiteral("-silent"), QStringLiteral("-locations"), QStringLiteral("none"),
                  QStringLiteral("-no-obsolete"), QStringLiteral("-I"),
                  QStringLiteral(TASUKI_SOURCE_DIR "/gui"), QStringLiteral("-I"),
                  QStringLiteral(TASUKI_SOURCE_DIR "/shared"),
                  QStringLiteral(TASUKI_SOURCE_DIR "/gui"),
                  QStringLiteral(TASUKI_SOURCE_DIR "/shared"),
                  QStringLiteral(TASUKI_SOURCE_DIR "/agent"), QStringLiteral("-ts"), texts});
    QVERIFY(update.waitForFinished(50'000));
    QCOMPARE(update.exitCode(), 0);

    QFile file(texts);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader reader(&file);
    QString source;
    QStringList missing;
    int count = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == QLatin1String("source")) {
            source = reader.readElementText();
            ++count;
        } else if (reader.name() == QLatin1String("translation")) {
            const bool unfinished = reader.attributes().hasAttribute(QLatin1String("type"));
            const QString text = reader.readElementText(QXmlStreamReader::IncludeChildElements);
            if (unfinished || text.trimmed().isEmpty())
                missing << source;
        }
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(count > 300);
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QStringLiteral("\n"))));
}

QTEST_GUILESS_MAIN(TestOptions)

} // namespace tst_options

#include "tst_options.moc"
