// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the run file takes and gives events, beside a plain prepared insert of rows with two
// columns into SQLite with the same durability and batches: the least that any record there costs.
//
//   bench_runfile [TASKS [OUTPUT_BYTES [cpu|wall [DIRECTORY]]]]
#include "domain/runstate.h"
#include "runfile/rowreader.h"
#include "runfile/runfilecopy.h"
#include "runfile/runfilereader.h"
#include "runfile/runfilewriter.h"
#include "support/programpart.h"

#include <sqlite3.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <time.h>
#include <unistd.h>

namespace bench_runfile_tool {

namespace {

using namespace tasuki;

constexpr std::size_t batchSize = 4096;

double cpuSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// With the argument "cpu", times are those of the processor: what remains the same on a busy
/// machine, without the waits for the disk.
bool cpuOnly = false;

template <class Body>
double seconds(Body&& body)
{
    const auto begin = std::chrono::steady_clock::now();
    const double cpuBegin = cpuSeconds();
    body();
    if (cpuOnly)
        return cpuSeconds() - cpuBegin;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void must(const Result<void>& result)
{
    if (result)
        return;
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    std::exit(1);
}

template <class T>
T must(Result<T> result)
{
    if (!result)
        must(Result<void>(result.error()));
    return std::move(result).value();
}

void mustSql(sqlite3* database, int code)
{
    if (code == SQLITE_OK || code == SQLITE_DONE)
        return;
    std::fprintf(stderr, "%s\n", sqlite3_errmsg(database));
    std::exit(1);
}

/// @return rows a second
double plainInserts(const std::filesystem::path& path, std::uint32_t rows)
{
    sqlite3* database = nullptr;
    mustSql(database, sqlite3_open(path.c_str(), &database));
    const auto run = [&](const char* sql) {
        mustSql(database, sqlite3_exec(database, sql, nullptr, nullptr, nullptr));
    };
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4096;"
        "CREATE TABLE row(id INTEGER PRIMARY KEY, value INTEGER)");
    sqlite3_stmt* insert = nullptr;
    mustSql(database,
            sqlite3_prepare_v2(database, "INSERT INTO row VALUES(?1, ?2)", -1, &insert, nullptr));
    const double time = seconds([&] {
        for (std::uint32_t row = 0; row < rows;) {
            run("BEGIN IMMEDIATE");
            for (std::size_t i = 0; i < batchSize && row < rows; ++i, ++row) {
                sqlite3_bind_int64(insert, 1, row);
                sqlite3_bind_int64(insert, 2, row * 7);
                mustSql(database, sqlite3_step(insert));
                sqlite3_reset(insert);
            }
            run("COMMIT");
        }
    });
    sqlite3_finalize(insert);
    sqlite3_close(database);
    return rows / time;
}

/// Makes events a batch at a time; only the appending is timed.
class Source {
public:
    template <class Make>
    double append(RunFileWriter& writer, std::uint32_t count, Make make)
    {
        double time = 0;
        std::vector<Event> batch(batchSize);
        for (std::uint32_t made = 0; made < count;) {
            batch.resize(std::min<std::size_t>(batchSize, count - made));
            for (Event& event : batch) {
                event.id = {Epoch(1), Sequence(++m_sequence)};
                event.wallTime = WallTime(std::chrono::microseconds(1'700'000'000'000'000 + made));
                event.monotonic = std::chrono::nanoseconds(std::int64_t{made} * 1000);
                make(event.payload, made++);
            }
            time += seconds([&] { must(writer.append(batch)); });
        }
        return count / time;
    }

private:
    std::uint64_t m_sequence = 0;
};

/// Ends of attempts, which a thread copies row by row if wanted, as the holder of a copy and the rows
/// thread of a master do together.
/// @return rows a second until all are durable, in both files if there are two
double appendEnds(const std::filesystem::path& directory, std::uint32_t count, bool copied)
{
    constexpr std::size_t shipment = std::size_t{512} * 1024;
    const std::string name = copied ? "with" : "without";
    const RunId run = RunId::random();
    auto writer = must(RunFileWriter::create(directory / name, run));
    const EventId last{Epoch(1), Sequence(count)};
    const auto follow = [&] {
        auto copy = must(RunFileCopy::create(directory / "copy", run, {}));
        auto reader = must(RowReader::open(directory / name));
        while (copy.lastEvent() != last) {
            const RecordRows rows = must(reader.read(copy.lastEvent(), shipment));
            if (rows.empty())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            else
                must(copy.append(std::span(&rows, 1)));
        }
    };
    return count / seconds([&] {
               std::thread follower(copied ? std::function<void()>(follow) : [] {});
               Source source;
               source.append(writer, count, [](EventPayload& payload, std::uint32_t id) {
                   auto& event = payload.emplace<AttemptFinished>();
                   event.key = {TaskId(id), AttemptNumber(1)};
                   event.result.outcome = Outcome::Succeeded;
               });
               follower.join();
           });
}

long residentKiB(const char* field)
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(field))
            return std::atol(line.c_str() + std::string_view(field).size() + 1);
    return 0;
}

double replay(const std::filesystem::path& path, RunFileReader::Outputs outputs, RunState* state)
{
    std::size_t events = 0;
    const double time = seconds([&] {
        auto reader = must(RunFileReader::open(path));
        must(reader.replay(
            [&](Event event) {
                ++events;
                return state ? state->apply(event) : Result<void>();
            },
            {}, outputs));
    });
    return static_cast<double>(events) / time;
}

} // namespace

TASUKI_TOOL_MAIN()
{
    const auto tasks = static_cast<std::uint32_t>(argc > 1 ? std::atol(argv[1]) : 1'000'000);
    const auto outputBytes = static_cast<std::size_t>(argc > 2 ? std::atol(argv[2]) : 0);
    cpuOnly = argc > 3 && std::string_view(argv[3]) == "cpu";
    const std::filesystem::path base = argc > 4 ? std::filesystem::path(argv[4])
                                                : std::filesystem::temp_directory_path();
    const auto directory = base / ("tasuki-bench-" + std::to_string(getpid()));
    std::filesystem::create_directories(directory);
    const auto path = directory / "run.tasuki";

    const auto settings = std::make_shared<const TaskSettings>();
    double added = 0;
    double finished = 0;
    const double plainBefore = plainInserts(directory / "plain1", tasks);
    {
        auto writer = must(RunFileWriter::create(path, RunId::random()));
        Source source;
        source.append(writer, 1, [](EventPayload& payload, std::uint32_t) {
            payload = RunOpened{"host", "bench", "/", "tasks.sh", 1, false};
        });
        added = source.append(writer, tasks, [&](EventPayload& payload, std::uint32_t id) {
            payload = TaskAdded{TaskId(id),
                                Task{.command = "./a.out input" + std::to_string(id) + ".dat",
                                     .settings = settings,
                                     .links = nullptr,
                                     .position = id,
                                     .line = id + 1}};
        });
        finished = source.append(writer, tasks, [&](EventPayload& payload, std::uint32_t id) {
            auto& event = payload.emplace<AttemptFinished>();
            event.key = {TaskId(id), AttemptNumber(1)};
            event.rank = Rank(static_cast<std::int32_t>(id % 64));
            event.result.outcome = Outcome::Succeeded;
            event.result.startedAt = WallTime(
                std::chrono::microseconds(1'700'000'000'000'000 + id));
            event.result.elapsed = std::chrono::microseconds(1000 + id % 999);
            event.result.usage = {std::chrono::microseconds(500), std::chrono::microseconds(300),
                                  3000 + id % 7};
            event.result.standardOutput.head.assign(outputBytes, 'x');
            event.result.standardOutput.totalBytes = outputBytes;
        });
    }
    const double alone = appendEnds(directory, tasks, false);
    const double both = appendEnds(directory, tasks, true);
    const double plainAfter = plainInserts(directory / "plain2", tasks);
    const double plain = (plainBefore + plainAfter) / 2;
    const auto fileSize = std::filesystem::file_size(path);

    const long before = residentKiB("VmRSS:");
    const double streamed = replay(path, RunFileReader::Outputs::Skip, nullptr);
    const long streaming = residentKiB("VmRSS:");
    const double whole = replay(path, RunFileReader::Outputs::Include, nullptr);
    RunState state;
    const double applied = replay(path, RunFileReader::Outputs::Skip, &state);
    const long holding = residentKiB("VmRSS:");
    const double lookup = seconds([&] {
        auto reader = must(RunFileReader::open(path));
        must(reader.attempt({TaskId(0), AttemptNumber(1)}));
    });
    std::filesystem::remove_all(directory);
    if (state.count(TaskState::Succeeded) != tasks)
        return 1;

    std::printf("%u tasks, %zu bytes of output each, batches of %zu, file %.0f bytes a task, %s\n",
                tasks, outputBytes, batchSize, static_cast<double>(fileSize) / tasks,
                cpuOnly ? "processor time" : "elapsed time");
    std::printf("plain insert, two columns      %9.0f rows/s (before %.0f, after %.0f)\n", plain,
                plainBefore, plainAfter);
    std::printf("append TaskAdded               %9.0f rows/s   %.2f of plain\n", added,
                added / plain);
    std::printf("append AttemptFinished         %9.0f rows/s   %.2f of plain\n", finished,
                finished / plain);
    std::printf("ends of attempts, one file     %9.0f rows/s\n", alone);
    std::printf("the same with a copy           %9.0f rows/s   %.2f of one file\n", both,
                both / alone);
    std::printf("replay, no outputs             %9.0f events/s %.2f of plain\n", streamed,
                streamed / plain);
    std::printf("replay, outputs                %9.0f events/s\n", whole);
    std::printf("replay into RunState           %9.0f events/s\n", applied);
    std::printf("attempt() of the first task    %9.3f s\n", lookup);
    std::printf("memory: replay adds %ld KiB, RunState %.0f bytes a task\n", streaming - before,
                static_cast<double>(holding - streaming) * 1024 / tasks);
    return 0;
}

} // namespace bench_runfile_tool
