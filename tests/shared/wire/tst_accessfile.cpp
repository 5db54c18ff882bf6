// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "host/hostidentity.h"
#include "wire/accessfile.h"
#include "wire/handshake.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_accessfile {

namespace fs = std::filesystem;
using namespace tasuki;
using namespace tasuki::link;

namespace {

AccessFile example()
{
    AccessFile access;
    access.run = {"0123456789abcdef0123456789abcdef"};
    access.epoch = Epoch(3);
    access.runFile = "/data/with space/tasks.tasuki";
    access.title = "tasks.sh \u7e2e";
    access.directory = "/data";
    access.hostName = "node0";
    access.hostKey = hostIdentity().key;
    access.pid = ::getpid();
    access.processStart = processStart(::getpid());
    access.started = std::chrono::sys_days(std::chrono::year(2026) / 2 / 28)
        + std::chrono::hours(23) + std::chrono::seconds(59);
    access.socket = "/tmp/tasuki-0/x.sock";
    access.tcpAddress = "127.0.0.1";
    access.tcpPort = 65535;
    access.token = randomSecret();
    return access;
}

std::string contentOf(const fs::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

void put(const fs::path& path, const std::string& content, mode_t mode = 0600)
{
    std::ofstream(path) << content;
    ::chmod(path.c_str(), mode);
}

mode_t modeOf(const fs::path& path)
{
    struct stat status {};
    ::lstat(path.c_str(), &status);
    return status.st_mode & 07777U;
}

/// Sets a variable as long as it lives.
class Variable {
public:
    Variable(const char* name, const char* value) : m_name(name), m_before(qgetenv(name))
    {
        if (value)
            qputenv(name, value);
        else
            qunsetenv(name);
    }
    ~Variable()
    {
        if (m_before.isNull())
            qunsetenv(m_name);
        else
            qputenv(m_name, m_before);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    QByteArray m_before;
};

} // namespace

/// Access files: there and back, and what must not be believed. What breaks it: a token in a file
/// that others can read, a half-written file, a hostile one that ends the window.
class TestAccessFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void comesBack();
    void anyBytesComeBack();
    void isPrivateAndReplacedWhole();
    void directories();
    void foreignDirectoriesAreRefused();
    void anotherPlaceForSockets();
    void openFilesAreRefused();
    void otherUsersFilesAreRefused();
    void oddFilesAreRefused();
    void hostileContentIsAnError_data();
    void hostileContentIsAnError();
    void everyMemberIsNeeded();
    void listTellsTheUnreadableApart();
    void removesOnlyItsOwn();
    void staleness();

private:
    fs::path root() const { return m_directory->path().toStdString(); }
    fs::path agents() const { return root() / "agents"; }
    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestAccessFile::init() { m_directory = std::make_unique<QTemporaryDir>(); }

void TestAccessFile::comesBack()
{
    const AccessFile access = example();
    const auto path = writeAccessFile(agents(), access);
    QVERIFY2(path.ok(), path.ok() ? "" : path.error().text().c_str());
    QCOMPARE(path->filename().string(), "0123456789ab-3.json");
    const auto back = readAccessFile(*path);
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
    QVERIFY(*back == access);
    const std::string text = contentOf(*path);
    QVERIFY(text.find("\"started\": \"2026-02-28T23:00:59Z\"") != std::string::npos);
}

void TestAccessFile::anyBytesComeBack()
{
    AccessFile access = example();
    access.runFile = "/\xff\xfe\n\"\\";
    access.title = "\xc3";
    access.socket.clear();
    access.tcpAddress.clear();
    access.tcpPort = 0;
    const auto back = readAccessFile(writeAccessFile(agents(), access).value());
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
    QVERIFY(*back == access);
}

void TestAccessFile::isPrivateAndReplacedWhole()
{
    const mode_t before = ::umask(0);
    AccessFile access = example();
    const auto path = writeAccessFile(agents(), access).value();
    ::umask(before);
    QCOMPARE(modeOf(path), mode_t{0600});
    QCOMPARE(modeOf(agents()), mode_t{0700});
    struct stat first {};
    ::stat(path.c_str(), &first);
    access.title = "another";
    QCOMPARE(writeAccessFile(agents(), access).value(), path);
    struct stat second {};
    ::stat(path.c_str(), &second);
    QVERIFY(first.st_ino != second.st_ino);
    QCOMPARE(readAccessFile(path).value().title, "another");
    QCOMPARE(std::distance(fs::directory_iterator(agents()), fs::directory_iterator()), 1);
}

void TestAccessFile::directories()
{
    const Variable noAccess("TASUKI_ACCESS_DIR", nullptr);
    const Variable noSocket("TASUKI_SOCKET_DIR", nullptr);
    const Variable home("HOME", "/home/somebody");
    {
        const Variable noState("XDG_STATE_HOME", nullptr);
        QCOMPARE(accessDirectory().value(), fs::path("/home/somebody/.local/state/tasuki/agents"));
        const Variable noHome("HOME", nullptr);
        QVERIFY(!accessDirectory().ok());
    }
    const Variable state("XDG_STATE_HOME", "/state");
    QCOMPARE(accessDirectory().value(), fs::path("/state/tasuki/agents"));
    QCOMPARE(socketDirectory(), fs::path("/tmp/tasuki-" + std::to_string(::geteuid())));
    const Variable access("TASUKI_ACCESS_DIR", "/own");
    const Variable socket("TASUKI_SOCKET_DIR", "/sockets");
    QCOMPARE(accessDirectory().value(), fs::path("/own"));
    QCOMPARE(socketDirectory(), fs::path("/sockets"));
}

// Fails if somebody who takes the usual name keeps windows away.
void TestAccessFile::anotherPlaceForSockets()
{
    const fs::path usual = root() / "squatted";
    fs::create_directory(usual);
    ::chmod(usual.c_str(), 0777);
    const auto other = makePrivateDirectoryLike(usual);
    QVERIFY(other);
    QVERIFY(other->native().starts_with(usual.native() + '-'));
    QCOMPARE(modeOf(*other), mode_t{0700});
    ::chmod(usual.c_str(), 0700);
    QCOMPARE(makePrivateDirectoryLike(usual).value(), usual);
    // What is named must be used.
    ::chmod(usual.c_str(), 0777);
    const Variable named("TASUKI_SOCKET_DIR", usual.c_str());
    QVERIFY(!makeSocketDirectory());
}

void TestAccessFile::foreignDirectoriesAreRefused()
{
    const auto refusal = [](const fs::path& directory) {
        const auto made = makePrivateDirectory(directory);
        return made ? std::string("accepted") : made.error().text();
    };
    const fs::path open = root() / "open";
    fs::create_directory(open);
    ::chmod(open.c_str(), 0750);
    QCOMPARE(refusal(open),
             open.string() + ": is open to other users (mode 750); chmod 700 " + open.string());
    ::chmod(open.c_str(), 0700);
    QCOMPARE(refusal(open), "accepted");
    fs::create_directory_symlink(open, root() / "link");
    QVERIFY(refusal(root() / "link").find("symbolic link") != std::string::npos);
    put(root() / "file", "");
    QVERIFY(refusal(root() / "file").find("is no directory") != std::string::npos);
    QVERIFY(refusal(root() / "file" / "below").find("cannot be made") != std::string::npos);
    QCOMPARE(refusal(root() / "a" / "b" / "c"), "accepted");
    if (::geteuid() == 0) {
        const fs::path foreign = root() / "foreign";
        fs::create_directory(foreign);
        ::chmod(foreign.c_str(), 0700);
        QCOMPARE(::chown(foreign.c_str(), 12345, 12345), 0);
        QVERIFY(refusal(foreign).find("another user") != std::string::npos);
    }
    QVERIFY(!writeAccessFile(root() / "link", example()).ok());
}

void TestAccessFile::openFilesAreRefused()
{
    const auto path = writeAccessFile(agents(), example()).value();
    for (const mode_t mode : {0640, 0604, 0620, 0602, 0601}) {
        ::chmod(path.c_str(), mode);
        const auto read = readAccessFile(path);
        QVERIFY(!read.ok());
        QVERIFY(read.error().text().find("can be used by others") != std::string::npos);
    }
    ::chmod(path.c_str(), 0400);
    QVERIFY(readAccessFile(path).ok());
}

void TestAccessFile::otherUsersFilesAreRefused()
{
    if (::geteuid() != 0)
        QSKIP("only root can make another user's file");
    const auto path = writeAccessFile(agents(), example()).value();
    QCOMPARE(::chown(path.c_str(), 12345, 12345), 0);
    const auto read = readAccessFile(path);
    QVERIFY(!read.ok());
    QVERIFY(read.error().text().find("belongs to another user") != std::string::npos);
}

void TestAccessFile::oddFilesAreRefused()
{
    const auto refusal = [](const fs::path& path) {
        const auto read = readAccessFile(path);
        return read ? std::string("accepted") : read.error().text();
    };
    const auto path = writeAccessFile(agents(), example()).value();
    fs::create_symlink(path, agents() / "link.json");
    QVERIFY(refusal(agents() / "link.json").find("symbolic link") != std::string::npos);
    // Opening a FIFO without a writer would wait for ever.
    const fs::path fifo = agents() / "fifo.json";
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
    QVERIFY(refusal(fifo).find("no regular file") != std::string::npos);
    fs::create_directory(agents() / "directory.json");
    QVERIFY(refusal(agents() / "directory.json").find("no regular file") != std::string::npos);
    QVERIFY(refusal(agents() / "missing.json").find("cannot be opened") != std::string::npos);
    put(agents() / "large.json", std::string(65 * 1024, ' '));
    QVERIFY(refusal(agents() / "large.json").find("is larger than 65536 bytes")
            != std::string::npos);
}

void TestAccessFile::hostileContentIsAnError_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* from, const char* to, const char* words) {
        QTest::newRow(name) << from << to << words;
    };
    row("newer version", "\"version\": 1", "\"version\": 2",
        "has version 2 of its format, this program knows version 1");
    row("version as text", "\"version\": 1", "\"version\": \"1\"", "'version' is not");
    row("other format", "access to an agent", "access to a bank", "is no access file");
    row("short run", "0123456789abcdef0123456789abcdef", "0123", "'run' is not 32 hexadecimal");
    row("run that climbs", "0123456789abcdef0123456789abcdef", "../../../../../../etc/passwd/../",
        "'run' is not 32 hexadecimal");
    row("negative epoch", "\"epoch\": 3", "\"epoch\": -3", "'epoch' is not a number");
    row("large epoch", "\"epoch\": 3", "\"epoch\": 4294967296", "'epoch' is not a number");
    row("epoch with a fraction", "\"epoch\": 3", "\"epoch\": 3.5", "'epoch' is not a number");
    row("huge number", "\"epoch\": 3", "\"epoch\": 1e999", "");
    row("relative run file", "/data/with space", "data/with space",
        "'run_file' is not an absolute");
    row("NUL in a path", "/data/with space", "/data/with\\u0000space", "'run_file' is not");
    row("port", "65535", "65536", "'tcp_port' is not a number");
    row("time", "2026-02-28", "2026-02-30", "'started' is not a time");
    row("time with more", "23:00:59Z", "23:00:59Z and more", "'started' is not a time");
    row("socket as number", "\"/tmp/tasuki-0/x.sock\"", "7", "'socket' is not text");
    row("bad hex", "\"/tmp/tasuki-0/x.sock\"", "{\"hex\": \"zz\"}", "'socket' is not text");
    row("odd hex", "\"/tmp/tasuki-0/x.sock\"", "{\"hex\": \"414\"}", "'socket' is not text");
    row("cut", "\n}", "", "is no access file");
    row("array", "{", "[", "is no access file");
    row("no such hour", "T23:", "T24:", "'started' is not a time");
    row("not UTF-8", "node0", "node<ff>", "is no access file");
}

void TestAccessFile::hostileContentIsAnError()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, words);
    const auto path = writeAccessFile(agents(), example()).value();
    QByteArray content = QByteArray::fromStdString(contentOf(path));
    const auto at = content.indexOf(from.toUtf8());
    QVERIFY(at >= 0);
    content.replace(at, from.toUtf8().size(), to.toUtf8().replace("<ff>", "\xff"));
    put(path, content.toStdString());
    const auto read = readAccessFile(path);
    QVERIFY(!read.ok());
    const QString text = QString::fromStdString(read.error().text());
    QVERIFY2(text.startsWith(QString::fromStdString(path.string()) + ": "), qPrintable(text));
    QVERIFY2(text.contains(words), qPrintable(text));
}

void TestAccessFile::everyMemberIsNeeded()
{
    const auto path = writeAccessFile(agents(), example()).value();
    const QByteArray content = QByteArray::fromStdString(contentOf(path));
    int members = 0;
    for (const QByteArray& line : content.split('\n')) {
        if (!line.contains("\": "))
            continue;
        ++members;
        QByteArray without = content;
        without.replace(line.left(line.indexOf("\": ")), "  \"other");
        put(path, without.toStdString());
        QVERIFY2(!readAccessFile(path).ok(), line.constData());
    }
    QCOMPARE(members, 16);
    put(path, std::string(60'000, '['));
    QVERIFY(!readAccessFile(path).ok());
    put(path, "");
    QVERIFY(!readAccessFile(path).ok());
}

void TestAccessFile::listTellsTheUnreadableApart()
{
    QVERIFY(listAccessFiles(root() / "nowhere").agents.empty());
    QVERIFY(listAccessFiles(root() / "nowhere").unreadable.empty());
    AccessFile access = example();
    QVERIFY(writeAccessFile(agents(), access).ok());
    access.epoch = Epoch(4);
    access.started += std::chrono::seconds(1);
    QVERIFY(writeAccessFile(agents(), access).ok());
    put(agents() / "bad.json", "{}");
    put(agents() / "open.json", "{}", 0644);
    put(agents() / "note.txt", "not looked at");
    const auto listing = listAccessFiles(agents());
    QCOMPARE(listing.agents.size(), std::size_t{2});
    QCOMPARE(listing.agents[0].access.epoch, Epoch(4));
    QCOMPARE(listing.agents[0].path, agents() / "0123456789ab-4.json");
    QCOMPARE(listing.agents[1].access.epoch, Epoch(3));
    QCOMPARE(listing.unreadable.size(), std::size_t{2});
    QVERIFY(listing.unreadable[0].text().find("bad.json: is no access file") != std::string::npos);
    QVERIFY(listing.unreadable[1].text().find("open.json: can be used") != std::string::npos);
}

void TestAccessFile::removesOnlyItsOwn()
{
    const AccessFile access = example();
    const auto path = writeAccessFile(agents(), access).value();
    QVERIFY(removeAccessFile(path, randomSecret()).ok());
    QVERIFY(fs::exists(path));
    QVERIFY(removeAccessFile(path, access.token).ok());
    QVERIFY(!fs::exists(path));
    QVERIFY(removeAccessFile(path, access.token).ok());
}

void TestAccessFile::staleness()
{
    const std::string here = hostIdentity().key;
    AccessFile access = example();
    QVERIFY(access.processStart > 0);
    QVERIFY(!isStale(access, here));
    QVERIFY(!isStale(access, here + "x"));
    ++access.processStart;
    QVERIFY(isStale(access, here));
    access.processStart = 0;
    QVERIFY(!isStale(access, here));

    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    access.pid = child;
    // Ended and not yet waited for: gone all the same.
    QTRY_VERIFY_WITH_TIMEOUT(isStale(access, here), 10'000);
    ::waitpid(child, nullptr, 0);
    QVERIFY(isStale(access, here));
    QVERIFY(!isStale(access, "another host"));
    QCOMPARE(processStart(0), std::uint64_t{0});
    QCOMPARE(processStart(-1), std::uint64_t{0});
}

QTEST_APPLESS_MAIN(TestAccessFile)

} // namespace tst_accessfile

#include "tst_accessfile.moc"
