// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace tasuki::testing {

namespace {

template <class Number>
bool parse(const char* text, Number& number)
{
    const char* const end = text + std::strlen(text);
    const auto [stop, failure] = std::from_chars(text, end, number);
    return failure == std::errc() && stop == end && number >= 1;
}

bool parse(std::string_view text, ChaosOptions::Transport& transport)
{
    using Transport = ChaosOptions::Transport;
    transport = text == "shm" ? Transport::SharedMemory
        : text == "tcp"       ? Transport::Tcp
                              : Transport::Both;
    return text == "shm" || text == "tcp" || text == "both";
}

bool parse(std::string_view text, ChaosOptions::Mode& mode)
{
    using Mode = ChaosOptions::Mode;
    mode = text == "kills"      ? Mode::Kills
        : text == "masters"     ? Mode::Masters
        : text == "loaded"      ? Mode::Loaded
        : text == "times"       ? Mode::Times
        : text == "connections" ? Mode::Connections
                                : Mode::Rounds;
    return text == "rounds" || mode != Mode::Rounds;
}

bool parseAll(int argc, char** argv, ChaosOptions& options)
{
    if (argc < 2 || !parse(std::string_view(argv[1]), options.mode)) {
        return false;
    }
    if (options.mode == ChaosOptions::Mode::Masters) {
        options.kills = 100;
    }
    for (int index = 2; index < argc; ++index) {
        const std::string_view name = argv[index];
        if (name == "--decisions") {
            options.decisions = true;
            continue;
        }
        if (name == "--stops") {
            options.stops = true;
            continue;
        }
        if (name == "--keep") {
            options.keep = true;
            continue;
        }
        if (++index == argc) {
            return false;
        }
        const char* const value = argv[index];
        const bool good = name == "--rounds" ? parse(value, options.rounds)
            : name == "--kills"              ? parse(value, options.kills)
            : name == "--tasks"              ? parse(value, options.tasks)
            : name == "--minutes"            ? parse(value, options.minutes)
            : name == "--loops"              ? parse(value, options.loops)
            : name == "--connections"        ? parse(value, options.connections)
            : name == "--seed"               ? parse(value, options.seed)
            : name == "--limit"              ? parse(value, options.limitMs)
            : name == "--transport"          ? parse(std::string_view(value), options.transport)
                                             : false;
        if (!good) {
            return false;
        }
    }
    return true;
}

} // namespace

std::optional<ChaosOptions> parseChaosOptions(int argc, char** argv)
{
    ChaosOptions options;
    if (parseAll(argc, argv, options)) {
        return options;
    }
    std::fprintf(
        stderr,
        "usage: chaosrun rounds [--rounds N] [--seed S] [--transport shm|tcp|both]\n"
        "       chaosrun kills [--kills N] [--seed S]\n"
        "       chaosrun masters [--tasks N] [--kills N]\n"
        "       chaosrun times [--kills N] [--stops] [--limit MS] [--seed S]\n"
        "       chaosrun loaded [--minutes N] [--loops N]\n"
        "       chaosrun connections [--kills N] [--connections N] [--limit MS] [--seed S]\n"
        "  --decisions  of rounds: replays what membership agents decide\n"
        "  --stops  of times: stops processors instead of killing them\n"
        "  --keep  leaves the directories of wrong runs for inspection\n");
    return std::nullopt;
}

} // namespace tasuki::testing
