// SPDX-License-Identifier: GPL-3.0-or-later
#include "listtesting.h"

#include "tasklist/tasklistfile.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace tst_tasklistfile {

using namespace tasuki;
using namespace tasuki::testing;

class TaskListFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void readsAFile();
    void readsAFileThatHasNoKnownSize();
    void readsAFifo();
    void readsStandardInput();
    void missing();
    void directory();
    void unreadable();
    void device();
    void socket();
    void examples();

private:
    std::string path(const char* name) const
    {
        return QDir(m_directory->path()).filePath(QString::fromLatin1(name)).toStdString();
    }
    void write(const std::string& file, const QByteArray& content)
    {
        QFile out(QString::fromStdString(file));
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(content), qint64(content.size()));
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void TaskListFileTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    QVERIFY(m_directory->isValid());
}

void TaskListFileTest::readsAFile()
{
    write(path("list"), "true\necho don't\n");
    const auto list = readTaskList(path("list"),
                                   {.retries = {.allowed = {9, 9, 9, 9}}, .timeout = {}});
    TASUKI_COMPARE_TEXT(toldBriefly(list),
                        path("list") + ":2:9: error: the quote ' is not closed\n");
    QCOMPARE(list.tasks.size(), std::size_t(2));
    QCOMPARE(list.tasks[0].settings->retries.allowed[0], std::uint16_t(9));

    write(path("empty"), "");
    TASUKI_COMPARE_TEXT(told(readTaskList(path("empty"))),
                        path("empty")
                            + ": error: there are no tasks in the list; write one command a "
                              "line\n");
}

void TaskListFileTest::readsAFileThatHasNoKnownSize()
{
    // Files of the kernel have the size 0 and a content nevertheless.
    const auto text = readWholeFile("/proc/self/cmdline");
    QVERIFY(text.ok());
    QVERIFY(text->find("tst_tasklistfile") != std::string::npos);
}

void TaskListFileTest::readsAFifo()
{
    // More than one chunk, and no multiple of one.
    std::string content;
    while (content.size() < 9'000'000)
        content += "echo " + std::to_string(content.size()) + '\n';
    QCOMPARE(::mkfifo(path("fifo").c_str(), 0600), 0);
    std::thread writer([&] {
        const int file = ::open(path("fifo").c_str(), O_WRONLY | O_CLOEXEC);
        for (std::size_t at = 0; at < content.size();) {
            const ssize_t count = ::write(file, content.data() + at, content.size() - at);
            if (count <= 0)
                break;
            at += static_cast<std::size_t>(count);
        }
        ::close(file);
    });
    const auto text = readWholeFile(path("fifo"));
    writer.join();
    QVERIFY(text.ok());
    QVERIFY(*text == content);
}

void TaskListFileTest::readsStandardInput()
{
    const int kept = ::dup(STDIN_FILENO);
    int ends[2];
    QCOMPARE(::pipe(ends), 0);
    QCOMPARE(::dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    QCOMPARE(::write(ends[1], "true\n'\n", 7), ssize_t(7));
    ::close(ends[1]);
    const auto list = readTaskList("-");
    ::dup2(kept, STDIN_FILENO);
    ::close(ends[0]);
    ::close(kept);
    TASUKI_COMPARE_TEXT(toldBriefly(list),
                        "standard input:2:1: error: the quote ' is not closed\n");
    QCOMPARE(list.tasks.size(), std::size_t(2));
}

void TaskListFileTest::missing()
{
    const auto list = readTaskList(path("nothing"));
    TASUKI_COMPARE_TEXT(told(list),
                        path("nothing")
                            + ": error: there is no such file; name a file with one command a "
                              "line\n");
    QVERIFY(!list.usable());
    QVERIFY(list.tasks.empty());

    write(path("file"), "true\n");
    TASUKI_COMPARE_TEXT(toldBriefly(readTaskList(path("file/x"))),
                        path("file/x") + ": error: there is no such file\n");
    TASUKI_COMPARE_TEXT(toldBriefly(readTaskList("")), ": error: there is no such file\n");
}

void TaskListFileTest::directory()
{
    TASUKI_COMPARE_TEXT(told(readTaskList(path("."))),
                        path(".") + ": error: this is a directory; name a file in it\n");
}

void TaskListFileTest::unreadable()
{
    write(path("secret"), "true\n");
    QCOMPARE(::chmod(path("secret").c_str(), 0), 0);
    const bool isRoot = ::geteuid() == 0; // who may read every file
    const uid_t nobody = 65534;
    if (isRoot)
        QCOMPARE(::seteuid(nobody), 0);
    const auto list = readTaskList(path("secret"));
    if (isRoot)
        QCOMPARE(::seteuid(0), 0);
    TASUKI_COMPARE_TEXT(told(list),
                        path("secret")
                            + ": error: the file may not be read; give yourself the right, e.g. "
                              "with: chmod u+r\n");
}

void TaskListFileTest::device()
{
    TASUKI_COMPARE_TEXT(told(readTaskList("/dev/zero")),
                        "/dev/zero: error: this is a device; name a file, a FIFO, or - for "
                        "standard input\n");
}

void TaskListFileTest::socket()
{
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = path("socket");
    QVERIFY(name.size() < sizeof address.sun_path);
    name.copy(address.sun_path, name.size());
    // The cast is how the sockets interface takes addresses.
    QCOMPARE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const auto list = readTaskList(name);
    ::close(socket);
    TASUKI_COMPARE_TEXT(toldBriefly(list),
                        name + ": error: this is a socket or a device that is not there\n");
}

void TaskListFileTest::examples()
{
    const QDir examples(QStringLiteral(TASUKI_EXAMPLES));
    const QStringList names = examples.entryList({QStringLiteral("*.sh")}, QDir::Files);
    QVERIFY(names.contains(QStringLiteral("six-sleeps.sh")));
    QVERIFY(names.contains(QStringLiteral("directives.sh")));
    for (const QString& name : names)
        TASUKI_COMPARE_TEXT(told(readTaskList(examples.filePath(name).toStdString())), "");
    const auto sleeps = readTaskList(
        examples.filePath(QStringLiteral("six-sleeps.sh")).toStdString());
    QCOMPARE(commands(sleeps),
             (std::vector<std::string>{"sleep 1.1", "sleep 1.4", "sleep 0.9", "sleep 1.1",
                                       "sleep 1.3", "sleep 1.2"}));
}

QTEST_APPLESS_MAIN(TaskListFileTest)

} // namespace tst_tasklistfile

#include "tst_tasklistfile.moc"
