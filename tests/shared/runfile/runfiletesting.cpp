// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "runfiletesting.h"

#include <sqlite3.h>

#include <fstream>
#include <iterator>

#include <sys/wait.h>
#include <unistd.h>

namespace tasuki::testing {

void must(const Result<void>& result)
{
    if (!result)
        qFatal("%s", result.error().text().c_str());
}

std::vector<Event> eventsOf(const std::filesystem::path& path, EventId after)
{
    std::vector<Event> events;
    auto reader = must(RunFileReader::open(path));
    must(reader.replay(
        [&](Event event) {
            events.push_back(std::move(event));
            return Result<void>();
        },
        after));
    return events;
}

Result<void> replayed(const std::filesystem::path& path, std::vector<Event>& events)
{
    auto reader = RunFileReader::open(path);
    if (!reader)
        return reader.error();
    return reader->replay([&](Event event) {
        events.push_back(std::move(event));
        return Result<void>();
    });
}

std::map<std::string, std::string> contentsOf(const std::filesystem::path& directory)
{
    std::map<std::string, std::string> contents;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        std::string& content = contents[entry.path().filename().native()];
        if (!std::filesystem::is_regular_file(entry.symlink_status()))
            continue;
        std::ifstream file(entry.path(), std::ios::binary);
        content.assign(std::istreambuf_iterator<char>(file), {});
    }
    return contents;
}

void writeFile(const std::filesystem::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::vector<std::vector<std::string>> query(const std::filesystem::path& path,
                                            const std::string& sql)
{
    sqlite3* database = nullptr;
    sqlite3_stmt* statement = nullptr;
    std::vector<std::vector<std::string>> rows;
    if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK
        || sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
        qFatal("%s", sqlite3_errmsg(database));
    while (sqlite3_step(statement) == SQLITE_ROW) {
        auto& row = rows.emplace_back();
        for (int column = 0; column < sqlite3_column_count(statement); ++column) {
            const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
            const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
            if (sqlite3_column_type(statement, column) == SQLITE_NULL)
                row.emplace_back("NULL");
            else
                row.emplace_back(bytes ? std::string(bytes, size) : std::string());
        }
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return rows;
}

std::string failureOf(const std::filesystem::path& path, const std::string& sql)
{
    sqlite3* database = nullptr;
    std::string failure;
    if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK
        || sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        failure = sqlite3_errmsg(database);
    sqlite3_close(database);
    return failure;
}

std::vector<Event> simpleEpoch(std::uint32_t epoch, std::uint32_t firstTask, std::uint32_t count,
                               std::size_t outputBytes)
{
    static const auto settings = std::make_shared<const TaskSettings>();
    std::vector<Event> events;
    const auto add = [&](EventPayload payload) {
        events.push_back({.id = {Epoch(epoch), Sequence(events.size() + 1)},
                          .wallTime = WallTime(std::chrono::seconds(1'700'000'000)),
                          .monotonic = {},
                          .payload = std::move(payload)});
    };
    add(RunOpened{"host", "0.1.0", "/home", "tasks.sh", 1, false});
    for (std::uint32_t id = firstTask; id < firstTask + count; ++id) {
        add(TaskAdded{TaskId(id),
                      Task{.command = "echo " + std::to_string(id),
                           .settings = settings,
                           .links = nullptr,
                           .position = id,
                           .line = id + 1}});
        AttemptFinished finished;
        finished.key = {TaskId(id), AttemptNumber(1)};
        finished.result.outcome = Outcome::Succeeded;
        finished.result.standardOutput.head.assign(outputBytes, static_cast<char>('a' + id % 26));
        finished.result.standardOutput.totalBytes = outputBytes;
        add(std::move(finished));
    }
    return events;
}

LateChild::LateChild(const std::function<int()>& body)
{
    int ends[2];
    if (pipe(ends) != 0)
        qFatal("pipe failed");
    m_pid = fork();
    if (m_pid < 0)
        qFatal("fork failed");
    if (m_pid == 0) {
        alarm(60);
        close(ends[1]);
        char go = 0;
        _exit(read(ends[0], &go, 1) == 1 ? body() : 255);
    }
    close(ends[0]);
    m_go = ends[1];
}

LateChild::~LateChild()
{
    // Without a word the child reads the end of the pipe and ends.
    close(m_go);
    if (m_pid > 0)
        waitpid(m_pid, nullptr, 0);
}

int LateChild::run()
{
    if (write(m_go, "g", 1) != 1)
        qFatal("write failed");
    int status = 0;
    if (waitpid(m_pid, &status, 0) != m_pid)
        qFatal("waitpid failed");
    m_pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

int inChild(const std::function<int()>& body) { return LateChild(body).run(); }

} // namespace tasuki::testing
