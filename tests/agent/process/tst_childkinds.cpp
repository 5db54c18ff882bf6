// SPDX-License-Identifier: GPL-3.0-or-later
// Children that have streams with the agent, through a real guardian.
#ifndef Q_MOC_RUN // Qt 6.4 cannot parse <concepts>.
#include "guardianharness.h"
#endif

#include <QTest>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

namespace tst_childkinds {

using namespace tasuki;
using namespace std::chrono_literals;

/// What breaks it: a byte of a stream that is lost or comes twice; an end of file that does not come, because
/// somebody holds a descriptor; a descriptor that a task was not to have.
class ChildKindsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void stageGivesBackWhatItGets();
    void filterUsesItsStreamsByName();
    void programAnswersOnItsChannel_data();
    void programAnswersOnItsChannel();
    void taskHasNoChannel();
    void stageIsStopped();
    void guardianOfAStageDies();
    void agentWithoutRoomEndsTheAttempt();
    void noDescriptorStays();
};

namespace {

class ChildHarness : public GuardianHarness {
public:
    using GuardianHarness::GuardianHarness;

    void start(std::uint32_t task, std::string command, ChildKind kind, TaskSettings settings = {})
    {
        client->start({.key = key(task),
                       .slot = SlotIndex(0),
                       .command = std::move(command),
                       .settings = std::make_shared<const TaskSettings>(std::move(settings)),
                       .kind = kind});
    }
    /// @return the agent's ends of a child that was started and told
    std::vector<UniqueFd> connect(std::uint32_t task, std::string command, ChildKind kind)
    {
        start(task, std::move(command), kind);
        runUntil([&] { return started.contains(key(task)) || results.contains(key(task)); });
        return std::exchange(ends[key(task)], {});
    }
    AttemptResult result(std::uint32_t task)
    {
        return runUntilFinished(task) ? results[key(task)] : AttemptResult{};
    }
};

/// Writes to one descriptor and reads from the other until that ends, or nothing moves for a while.
/// @param input  closed when all is written
/// @return what was read; nothing if there was no end
std::optional<std::string> converse(UniqueFd& input, int output, std::string_view text)
{
    std::string answer;
    std::array<char, 100'000> buffer;
    for (;;) {
        if (text.empty())
            input.reset();
        std::array<pollfd, 2> watched{pollfd{output, POLLIN, 0}, pollfd{input.get(), POLLOUT, 0}};
        if (::poll(watched.data(), 2, 30'000) <= 0)
            return {};
        if (watched[1].revents != 0) {
            const ssize_t count = ::write(input.get(), text.data(), text.size());
            if (count < 0 && errno != EAGAIN)
                return {};
            text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        }
        if (watched[0].revents != 0) {
            const ssize_t count = ::read(output, buffer.data(), buffer.size());
            if (count == 0)
                return answer;
            if (count < 0 && errno != EAGAIN)
                return {};
            answer.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        }
    }
}

/// @return what can be read up to the end; nothing if there is no end
std::optional<std::string> readToEnd(int fd)
{
    UniqueFd none;
    return converse(none, fd, {});
}

std::size_t openDescriptors(const std::string& process)
{
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& each :
         std::filesystem::directory_iterator("/proc/" + process + "/fd"))
        ++count;
    return count;
}

} // namespace

void ChildKindsTest::initTestCase()
{
    ::signal(SIGPIPE, SIG_IGN);
    ::setenv("TASUKI_CHANNEL", "7", 1); // as in a program that an outer run has started
}

void ChildKindsTest::stageGivesBackWhatItGets()
{
    ChildHarness harness;
    auto ends = harness.connect(0, "cat; echo done >&2", ChildKind::Stage);
    QCOMPARE(ends.size(), std::size_t(2));
    QVERIFY(harness.connectedFirst);
    for (const UniqueFd& end : ends) {
        QVERIFY((::fcntl(end.get(), F_GETFL) & O_NONBLOCK) != 0);
        QVERIFY((::fcntl(end.get(), F_GETFD) & FD_CLOEXEC) != 0);
    }
    std::string text;
    for (unsigned i = 0; text.size() < 10'000'000; ++i)
        text += std::to_string(i * 2654435761U) + '\n';
    // Nobody reads: it takes what two pipes and cat can hold, and no more.
    std::size_t written = 0;
    for (pollfd watched{ends[0].get(), POLLOUT, 0}; ::poll(&watched, 1, 500) == 1;) {
        const ssize_t count = ::write(ends[0].get(), text.data() + written, text.size() - written);
        QVERIFY(count > 0 || errno == EAGAIN);
        written += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
        QVERIFY(written < 1'000'000);
    }
    QVERIFY(written > 0);
    const auto answer = converse(ends[0], ends[1].get(), std::string_view(text).substr(written));
    QVERIFY(answer.has_value());
    QVERIFY(*answer == text);
    const AttemptResult result = harness.result(0);
    QCOMPARE(result.outcome, Outcome::Succeeded);
    QCOMPARE(result.standardError.head, std::string("done\n"));
    QCOMPARE(result.standardOutput.totalBytes, std::uint64_t(0));
}

/// As many filters do: the streams must be pipes, for a socket cannot be opened.
void ChildKindsTest::filterUsesItsStreamsByName()
{
    ChildHarness harness;
    auto ends = harness.connect(0, "cat /dev/stdin > /dev/stdout", ChildKind::Stage);
    QCOMPARE(ends.size(), std::size_t(2));
    QVERIFY(converse(ends[0], ends[1].get(), "words") == std::string("words"));
    QCOMPARE(harness.result(0).outcome, Outcome::Succeeded);
}

void ChildKindsTest::programAnswersOnItsChannel_data()
{
    QTest::addColumn<QString>("before");
    QTest::newRow("an argument") << QString();
    QTest::newRow("a script") << ": " + QString(200'000, 'x') + "\n";
}

void ChildKindsTest::programAnswersOnItsChannel()
{
    QFETCH(QString, before);
    ChildHarness harness;
    auto ends = harness.connect(0,
                                before.toStdString()
                                    + "read -r line <&$TASUKI_CHANNEL\n"
                                      "echo \"got $line\" >&$TASUKI_CHANNEL\n"
                                      "cat; echo out; echo err >&2",
                                ChildKind::Program);
    QCOMPARE(ends.size(), std::size_t(1));
    QVERIFY(harness.connectedFirst);
    QVERIFY((::fcntl(ends[0].get(), F_GETFL) & O_NONBLOCK) != 0);
    QCOMPARE(::write(ends[0].get(), "hello\n", 6), ssize_t(6));
    QVERIFY(readToEnd(ends[0].get()) == std::string("got hello\n"));
    const AttemptResult result = harness.result(0);
    QCOMPARE(result.outcome, Outcome::Succeeded);
    QCOMPARE(result.standardOutput.head, std::string("out\n"));
    QCOMPARE(result.standardError.head, std::string("err\n"));
}

void ChildKindsTest::taskHasNoChannel()
{
    ChildHarness harness;
    TaskSettings settings;
    settings.environment = {{"TASUKI_CHANNEL", "8"}};
    const AttemptResult result = harness.run(
        0, "echo ${TASUKI_CHANNEL-none}; [ -e /proc/$$/fd/3 ] || echo closed", settings);
    QCOMPARE(result.standardOutput.head, std::string("none\nclosed\n"));
    QVERIFY(harness.ends.empty());
}

void ChildKindsTest::stageIsStopped()
{
    ChildHarness harness;
    const auto ends = harness.connect(0, "cat", ChildKind::Stage);
    QCOMPARE(ends.size(), std::size_t(2));
    harness.client->stop(GuardianHarness::key(0), StopReason::Cancelled);
    QCOMPARE(harness.result(0).outcome, Outcome::Cancelled);
    QVERIFY(readToEnd(ends[1].get()) == std::string());
    QCOMPARE(::write(ends[0].get(), "x", 1), ssize_t(-1));
    QCOMPARE(errno, EPIPE);
}

void ChildKindsTest::guardianOfAStageDies()
{
    ChildHarness harness;
    const auto ends = harness.connect(0, "cat", ChildKind::Stage);
    QCOMPARE(ends.size(), std::size_t(2));
    const pid_t guardian = harness.client->guardianPid();
    QVERIFY(guardian > 1);
    ::kill(guardian, SIGKILL);
    QCOMPARE(harness.result(0).outcome, Outcome::Lost);
    QVERIFY(readToEnd(ends[1].get()) == std::string());
    auto next = harness.connect(1, "cat", ChildKind::Stage);
    QCOMPARE(next.size(), std::size_t(2));
    QVERIFY(converse(next[0], next[1].get(), "again") == std::string("again"));
    QCOMPARE(harness.result(1).outcome, Outcome::Succeeded);
}

void ChildKindsTest::agentWithoutRoomEndsTheAttempt()
{
    ChildHarness harness;
    QCOMPARE(harness.run(0, "true").outcome, Outcome::Succeeded);
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const UniqueFd lowestFree(::dup(0));
    rlimit full = before;
    full.rlim_cur = static_cast<rlim_t>(lowestFree.get()) + 2; // room for one of two
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &full), 0);
    harness.start(1, "cat", ChildKind::Stage);
    const AttemptResult result = harness.result(1);
    QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
    QCOMPARE(result.outcome, Outcome::Interrupted);
    QVERIFY(harness.ends.empty());
    auto ends = harness.connect(2, "cat",
                                ChildKind::Stage); // what came too much is not taken for this one's
    QCOMPARE(ends.size(), std::size_t(2));
    QVERIFY(converse(ends[0], ends[1].get(), "words") == std::string("words"));
}

void ChildKindsTest::noDescriptorStays()
{
    ChildHarness harness;
    QCOMPARE(harness.run(0, "true").outcome, Outcome::Succeeded);
    const pid_t pid = harness.client->guardianPid();
    QVERIFY(pid > 1);
    const std::string guardian = std::to_string(pid);
    const std::size_t ofGuardian = openDescriptors(guardian);
    const std::size_t ofAgent = openDescriptors("self");
    constexpr std::uint32_t starts = 50;
    for (std::uint32_t task = 1; task <= starts; ++task) {
        const ChildKind kind = task % 2 == 0 ? ChildKind::Stage : ChildKind::Program;
        TaskSettings settings; // every fifth cannot start
        settings.workingDirectory = task % 5 == 0 ? "/does/not/exist" : "";
        harness.start(task, task % 3 == 0 ? "true" : "sleep 0.05", kind, settings);
    }
    QVERIFY(harness.runUntil([&] { return harness.results.size() == starts + 1; }));
    for (std::uint32_t task = 1; task <= starts; ++task) {
        const AttemptKey key = GuardianHarness::key(task);
        QCOMPARE(harness.results[key].outcome,
                 task % 5 == 0 ? Outcome::NotStarted : Outcome::Succeeded);
        QCOMPARE(harness.ends.contains(key), task % 5 != 0);
    }
    harness.ends.clear();
    QCOMPARE(openDescriptors("self"), ofAgent);
    QCOMPARE(openDescriptors(guardian), ofGuardian);
}

QTEST_APPLESS_MAIN(ChildKindsTest)

} // namespace tst_childkinds

#include "tst_childkinds.moc"
