// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's side of the window's bench: a run file and a link to windows, fed at a steady rate.
#include "eventload.h"
#include "support/programpart.h"

#include "link/linkserver.h"
#include "runfile/runfilewriter.h"

#include <boost/program_options.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>

namespace linkload_tool {

namespace {

using namespace tasuki;
namespace po = boost::program_options;

struct Options {
    std::string directory;
    std::size_t eventsPerSecond = 50'000;
    int seconds = 60;
    std::int32_t ranks = 8;
    std::uint32_t slots = 8;
};

WallTime now() { return SystemClock().wallNow(); }

[[noreturn]] void fail(const Error& error)
{
    std::fprintf(stderr, "linkload: error: %s\n", error.text().c_str());
    std::exit(1);
}

int serve(const Options& options)
{
    const std::filesystem::path runFile = std::filesystem::absolute(options.directory)
        / "load.tasuki";
    Result<RunFileWriter> file = RunFileWriter::create(runFile, RunId::random());
    if (!file)
        fail(file.error());
    link::LinkOptions linkOptions;
    linkOptions.run = file->run();
    linkOptions.epoch = Epoch(1);
    linkOptions.runFile = runFile;
    linkOptions.title = "load.sh";
    linkOptions.directory = options.directory;
    linkOptions.programVersion = "bench";
    linkOptions.accessDirectory = std::filesystem::path(options.directory) / "access";
    linkOptions.socketDirectory = std::filesystem::path(options.directory) / "sockets";
    link::LinkCallbacks callbacks{
        .command = [](auto, auto, auto reply) { reply(CommandAnswer{}); },
        .output = [](auto query, auto reply) { reply(OutputAnswer{.key = query.key}); },
        .task = [](auto, auto reply) { reply(std::nullopt); },
        .log = [](Severity,
                  const std::string& line) { std::fprintf(stderr, "link: %s\n", line.c_str()); },
    };
    auto server = link::LinkServer::start(std::move(linkOptions), std::move(callbacks));
    if (!server)
        fail(server.error());

    bench::EventLoad load(options.ranks, options.slots, 1);
    const auto commit = [&](std::vector<Event> events) {
        if (const auto stored = file->append(events); !stored)
            fail(stored.error());
        (*server)->published(std::make_shared<const std::vector<Event>>(std::move(events)));
    };
    commit(load.opening(now()));
    std::printf("ready %s\n", (*server)->access().c_str());
    std::fflush(stdout);

    // The pace of the recorder's commits under load.
    constexpr std::chrono::milliseconds pause{20};
    const auto begin = std::chrono::steady_clock::now();
    std::size_t made = 0;
    std::chrono::milliseconds latest{};
    for (auto due = begin + pause; due < begin + std::chrono::seconds(options.seconds);
         due += pause) {
        std::this_thread::sleep_until(due);
        const auto target = static_cast<std::size_t>(
            std::chrono::duration<double>(due - begin).count()
            * static_cast<double>(options.eventsPerSecond));
        commit(load.next(target - made, now()));
        made = target;
        latest = std::max(latest,
                          std::chrono::duration_cast<std::chrono::milliseconds>(
                              std::chrono::steady_clock::now() - due));
        (*server)->status({.now = now(),
                           .phase = "running",
                           .stalled = {},
                           .slots = static_cast<std::uint64_t>(options.ranks) * options.slots});
    }
    commit({load.closing(now())});
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("sent %zu events in %.2f s: %.0f events/s, %u tasks, latest batch %lld ms late\n",
                made, seconds, static_cast<double>(made) / seconds, load.tasks(),
                static_cast<long long>(latest.count()));
    std::fflush(stdout);
    // Windows that lag behind get the time to catch up.
    std::string line;
    std::getline(std::cin, line);
    (*server)->close("the bench is over");
    return 0;
}

} // namespace

TASUKI_TOOL_MAIN()
{
    Options options;
    po::options_description description("linkload DIRECTORY [options]");
    auto add = description.add_options();
    add("directory", po::value(&options.directory)->required(),
        "for run file, access file, socket");
    add("rate", po::value(&options.eventsPerSecond), "events a second");
    add("seconds", po::value(&options.seconds), "how long");
    add("ranks", po::value(&options.ranks), "");
    add("slots", po::value(&options.slots), "of each rank");
    po::positional_options_description positional;
    positional.add("directory", 1);
    try {
        po::variables_map values;
        po::store(
            po::command_line_parser(argc, argv).options(description).positional(positional).run(),
            values);
        po::notify(values);
    } catch (const po::error& error) {
        std::fprintf(stderr, "linkload: error: %s\n", error.what());
        return 2;
    }
    return serve(options);
}

} // namespace linkload_tool
