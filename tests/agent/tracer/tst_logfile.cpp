// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracer/logfile.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tst_logfile {

using tasuki::tracer::LogFile;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file{path};
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("no file");
}

} // namespace

/// The file of a log. What breaks it: one that is there before it is whole, a rest that stays, another
/// kind of file that is replaced, an error without its reason.
class TestLogFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void appearsWhenItIsWhole();
    void givenUpLeavesNothing();
    void replacesWhatWasThere();
    void linksStayLinks();
    void earlierOnesArePutAside();
    void pipesAreWritten();
    void errorsHaveTheirReason_data();
    void errorsHaveTheirReason();
    void probingLeavesNothing();
    void failedWritesSendNoSignals();
    void pipeWithoutReaderIsAnError();
    void otherSignalsStay();
};

void TestLogFile::appearsWhenItIsWhole()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("a.alog");
    auto file = LogFile::create(path.toStdString());
    QVERIFY(file.ok());
    QVERIFY(file->write("one\n").ok());
    QVERIFY(!QFile::exists(path));
    QVERIFY(file->write("").ok());
    QVERIFY(file->write("two\n").ok());
    QVERIFY(file->finish().ok());
    QCOMPARE(contentOf(path), QByteArray("one\ntwo\n"));
    QCOMPARE(QDir(directory.path()).entryList(QDir::Files), QStringList{"a.alog"});
}

void TestLogFile::givenUpLeavesNothing()
{
    const QTemporaryDir directory;
    {
        auto file = LogFile::create(directory.filePath("a.alog").toStdString());
        QVERIFY(file->write("one\n").ok());
    }
    QVERIFY(QDir(directory.path()).isEmpty());
}

void TestLogFile::replacesWhatWasThere()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("a.alog");
    QFile old{path};
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.write("a long log of another run\n");
    old.close();
    auto file = LogFile::create(path.toStdString());
    QVERIFY(file->write("new\n").ok());
    QVERIFY(contentOf(path).startsWith("a long"));
    QVERIFY(file->finish().ok());
    QCOMPARE(contentOf(path), QByteArray("new\n"));
}

void TestLogFile::linksStayLinks()
{
    const QTemporaryDir directory;
    QFile target{directory.filePath("target")};
    QVERIFY(target.open(QIODevice::WriteOnly));
    target.close();
    const QString link = directory.filePath("link");
    QVERIFY(QFile::link(target.fileName(), link));
    auto file = LogFile::create(link.toStdString());
    QVERIFY(file->write("new\n").ok());
    QVERIFY(file->finish().ok());
    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(contentOf(target.fileName()), QByteArray("new\n"));
}

void TestLogFile::pipesAreWritten()
{
    auto file = LogFile::create("/dev/null");
    QVERIFY(file.ok());
    QVERIFY(file->write("away\n").ok());
    QVERIFY(file->finish().ok());
    struct stat found = {};
    QVERIFY(stat("/dev/null", &found) == 0 && S_ISCHR(found.st_mode));
}

void TestLogFile::errorsHaveTheirReason_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("no directory") << "missing/a.alog" << QByteArray("No such file or directory");
    QTest::newRow("directory") << "." << QByteArray("Is a directory");
    QTest::newRow("full") << "/dev/full" << QByteArray("No space left on device");
}

void TestLogFile::errorsHaveTheirReason()
{
    QFETCH(QString, path);
    QFETCH(QByteArray, reason);
    const QTemporaryDir directory;
    const std::string whole = QDir(directory.path()).filePath(path).toStdString();
    auto file = LogFile::create(whole);
    std::string told;
    if (!file)
        told = file.error().message;
    else if (auto written = file->write("text"); !written)
        told = written.error().message;
    QVERIFY2(told.find(reason.toStdString()) != std::string::npos, told.c_str());
    QVERIFY2(told.find("cannot write '" + whole) != std::string::npos, told.c_str());
}

void TestLogFile::probingLeavesNothing()
{
    const QTemporaryDir directory;
    QVERIFY(LogFile::probe(directory.filePath("a.alog").toStdString()).ok());
    QVERIFY(!LogFile::probe(directory.filePath("missing/a.alog").toStdString()).ok());
    QVERIFY(!LogFile::probe(directory.path().toStdString()).ok());
    QVERIFY(LogFile::probe("/dev/null").ok());
    QVERIFY(QDir(directory.path()).isEmpty());
    // Nobody reads it: to open it would wait.
    const QString pipe = directory.filePath("pipe");
    QCOMPARE(mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
    QVERIFY(LogFile::probe(pipe.toStdString()).ok());
}

// The signals would end the program.
void TestLogFile::failedWritesSendNoSignals()
{
    const QTemporaryDir directory;
    rlimit before = {};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{.rlim_cur = 1000, .rlim_max = before.rlim_max};
    auto file = LogFile::create(directory.filePath("a.alog").toStdString());
    setrlimit(RLIMIT_FSIZE, &small);
    const auto written = file->write(std::string(5000, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!written.ok());
    QVERIFY(written.error().message.ends_with("File too large"));

    const QString path = directory.filePath("pipe");
    QCOMPARE(mkfifo(path.toLocal8Bit().constData(), 0600), 0);
    const int reader = open(path.toLocal8Bit().constData(), O_RDONLY | O_NONBLOCK);
    auto pipe = LogFile::create(path.toStdString());
    QVERIFY(pipe.ok());
    QVERIFY(pipe->write("read by nobody\n").ok());
    close(reader);
    const auto broken = pipe->write("more\n");
    QVERIFY(!broken.ok());
    QVERIFY(broken.error().message.ends_with("Broken pipe"));
}

void TestLogFile::pipeWithoutReaderIsAnError()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath("pipe");
    QCOMPARE(mkfifo(path.toLocal8Bit().constData(), 0600), 0);
    const auto pipe = LogFile::create(path.toStdString());
    QVERIFY(!pipe.ok());
    QVERIFY(pipe.error().message.ends_with("No such device or address"));
}

// What the program itself has coming must not be swallowed, and its mask stays.
void TestLogFile::otherSignalsStay()
{
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    raise(SIGPIPE);
    auto file = LogFile::create("/dev/full");
    QVERIFY(!file->write("text").ok());
    sigset_t waiting;
    sigpending(&waiting);
    QCOMPARE(sigismember(&waiting, SIGPIPE), 1);
    int number = 0;
    sigwait(&pipe, &number);
    sigset_t mask;
    pthread_sigmask(SIG_UNBLOCK, &pipe, &mask);
    QCOMPARE(sigismember(&mask, SIGPIPE), 1);
    QCOMPARE(sigismember(&mask, SIGXFSZ), 0);
}

// What is there, a link's file too, is kept under another name; what is no file stays.
void TestLogFile::earlierOnesArePutAside()
{
    const QTemporaryDir place;
    const auto at = [&place](const char* name) { return place.filePath(name).toStdString(); };
    QCOMPARE(*LogFile::putAside(at("none")), std::string());
    QCOMPARE(*LogFile::putAside(place.path().toStdString()), std::string());
    QCOMPARE(*LogFile::putAside("/dev/null"), std::string());
    QFile file(place.filePath("target"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("text") == 4);
    file.close();
    QVERIFY(QFile::link(place.filePath("target"), place.filePath("link")));
    QCOMPARE(LogFile::followed(at("link")), LogFile::followed(at("target")));
    const auto aside = LogFile::putAside(at("link"));
    QVERIFY(aside.ok());
    QVERIFY(QString::fromStdString(*aside).endsWith("/target.earlier"));
    QVERIFY(!QFile::exists(place.filePath("target")));
    QCOMPARE(QFile(place.filePath("target.earlier")).size(), 4);
    QVERIFY(QFileInfo(place.filePath("link")).isSymLink());
}

QTEST_APPLESS_MAIN(TestLogFile)

} // namespace tst_logfile

#include "tst_logfile.moc"
