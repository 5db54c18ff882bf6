// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "spool/spoolstore.h"

#include <string>
#include <utility>

#include <sys/resource.h>

#include <csignal>

namespace tst_spoolstore {

using namespace tasuki;

namespace {

std::string pattern(std::size_t size, unsigned seed)
{
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i)
        text[i] = static_cast<char>((i * 31 + i / 251 + seed) % 255);
    return text;
}

} // namespace

class TestSpoolStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void streamsShareOneFile();
    void roomIsUsedAgain();
    void nothingIsLeftBehind();
    void missingDirectoryIsAnError();
    void fullDiskKeepsWhatItTook();
};

void TestSpoolStore::streamsShareOneFile()
{
    const QTemporaryDir directory;
    SpoolStore store(directory.path().toStdString());
    SpooledBytes first(store);
    SpooledBytes second(store);
    const std::string one = pattern(1'000'000, 1);
    const std::string two = pattern(1'300'000, 2);
    for (std::size_t at = 0; at < two.size(); at += 70'000) {
        if (at < one.size())
            QVERIFY(first.append(one.substr(at, 70'000)).ok());
        QVERIFY(second.append(two.substr(at, 70'000)).ok());
    }
    const SpooledBytes moved = std::move(first);
    QCOMPARE(moved.end(), std::uint64_t(one.size()));
    QVERIFY(moved.read(0, 2'000'000) == one);
    QVERIFY(second.read(0, 2'000'000) == two);
    QVERIFY(second.read(777'777, 5) == two.substr(777'777, 5));
    QVERIFY(second.read(two.size(), 5).empty());
}

void TestSpoolStore::roomIsUsedAgain()
{
    const QTemporaryDir directory;
    SpoolStore store(directory.path().toStdString());
    const std::string text = pattern(1U << 20U, 3);
    SpooledBytes bytes(store);
    std::uint64_t most = 0;
    for (std::uint64_t round = 0; round < 20; ++round) {
        QVERIFY(bytes.append(text).ok());
        bytes.giveUp(round << 20U);
        most = std::max(most, store.heldBytes());
        QVERIFY(bytes.read(round << 20U, text.size()) == text);
    }
    QVERIFY(most <= std::uint64_t(3) << 20U);
    bytes = SpooledBytes(store);
    QCOMPARE(store.heldBytes(), std::uint64_t(0));
    QVERIFY(bytes.append("again").ok());
    QCOMPARE(bytes.read(0, 10), std::string("again"));
}

void TestSpoolStore::nothingIsLeftBehind()
{
    const QTemporaryDir directory;
    SpoolStore store(directory.path().toStdString());
    SpooledBytes bytes(store);
    QVERIFY(bytes.append("x").ok());
    QVERIFY(QDir(directory.path()).isEmpty(QDir::AllEntries | QDir::NoDotAndDotDot)); // also now
}

void TestSpoolStore::missingDirectoryIsAnError()
{
    const QTemporaryDir directory;
    const std::string missing = directory.filePath("no").toStdString();
    SpoolStore store(missing);
    SpooledBytes bytes(store);
    const Result<void> done = bytes.append("x");
    QVERIFY(!done.ok());
    QVERIFY(done.error().text().find(missing) != std::string::npos);
    QCOMPARE(bytes.end(), std::uint64_t(0));
}

/// The limit of file sizes stands for a disk that is full.
void TestSpoolStore::fullDiskKeepsWhatItTook()
{
    const QTemporaryDir directory;
    SpoolStore store(directory.path().toStdString());
    SpooledBytes bytes(store);
    const std::string text = pattern(1U << 20U, 4);
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{.rlim_cur = 300'000, .rlim_max = before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const Result<void> done = bytes.append(text);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ::signal(SIGXFSZ, handler);
    QVERIFY(!done.ok());
    QCOMPARE(bytes.end(), std::uint64_t(300'000));
    QVERIFY(bytes.read(0, text.size()) == text.substr(0, 300'000));
}

QTEST_APPLESS_MAIN(TestSpoolStore)

} // namespace tst_spoolstore

#include "tst_spoolstore.moc"
