// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kills farms at random moments and resumes them. Each task leaves lines in a file of its own, half
// of them a detached process that would write later. Wrong, and told with exit code 1, is
//   - a process of a task that lives 1 s after the kill, or anything of the farm that lives 20 s after;
//   - a task that is not recorded done exactly once at the end;
//   - a task that was recorded done before a kill and ran again after it;
//   - a word of a process that should have been dead;
//   - after an edit of the list, a task that runs though it is neither new nor changed, or does not
//     though it is.
#include "round.h"
#include "support/programpart.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string_view>

namespace killresume_tool {

namespace {

using namespace tasuki::testing;

struct Options {
    int rounds = 20;
    int tasks = 2000;
    int ranks = 4;
    unsigned long long seed = std::random_device()();
    bool keep = false;
};

template <class Number>
bool parse(const char* text, Number& number)
{
    const char* const end = text + std::strlen(text);
    const auto [stop, failure] = std::from_chars(text, end, number);
    return failure == std::errc() && stop == end && number >= 1;
}

std::optional<Options> parseOptions(int argc, char** argv)
{
    Options options;
    for (int index = 1; index < argc; ++index) {
        const std::string_view name = argv[index];
        if (name == "--keep") {
            options.keep = true;
            continue;
        }
        if (++index == argc) {
            return std::nullopt;
        }
        const char* const value = argv[index];
        const bool good = name == "--rounds" ? parse(value, options.rounds)
            : name == "--tasks"              ? parse(value, options.tasks)
            : name == "--ranks"              ? parse(value, options.ranks)
            : name == "--seed"               ? parse(value, options.seed)
                                             : false;
        if (!good) {
            return std::nullopt;
        }
    }
    return options;
}

std::filesystem::path makeDirectory()
{
    std::string name =
        (std::filesystem::temp_directory_path() / "tasuki-endurance.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("cannot make a directory for the runs");
    }
    return name;
}

RoundOptions optionsOf(int round, const Options& options)
{
    constexpr Victims kinds[] = {Victims::Everything, Victims::Mpirun, Victims::RankZero,
                                 Victims::WithGuardians};
    constexpr int count = 4;
    RoundOptions chosen;
    chosen.tasks = options.tasks;
    chosen.ranks = options.ranks;
    chosen.victims = kinds[round % count];
    // Every kind both ways in turn; when the guardians die too, only launch is left to clean up.
    chosen.starter = chosen.victims == Victims::WithGuardians || (round + round / count) % 2 == 0
        ? Starter::Launch
        : Starter::Mpirun;
    return chosen;
}

/// @return whether nothing was wrong
bool runRound(int number, const Options& options, const std::filesystem::path& directory,
              std::mt19937_64& random)
{
    const RoundOptions chosen = optionsOf(number, options);
    std::printf("%5d  %-13s  %-7s ", number + 1, nameOf(chosen.victims),
                chosen.starter == Starter::Launch ? "launch" : "mpirun");
    std::fflush(stdout);
    std::filesystem::create_directory(directory);
    Round round(chosen, directory, random);
    std::vector<std::string> problems;
    try {
        round.run();
    } catch (const std::exception& error) {
        problems.emplace_back(error.what());
    }
    problems.insert(problems.begin(), round.problems().begin(), round.problems().end());
    std::printf("%s  %s\n", round.story().c_str(), problems.empty() ? "good" : "WRONG");
    constexpr std::size_t shown = 10;
    for (std::size_t index = 0; index < problems.size() && index < shown; ++index) {
        std::printf("       %s\n", problems[index].c_str());
    }
    if (problems.size() > shown) {
        std::printf("       and %zu more\n", problems.size() - shown);
    }
    std::fflush(stdout);
    return problems.empty();
}

} // namespace

TASUKI_TOOL_MAIN()
try {
    const auto options = parseOptions(argc, argv);
    if (!options) {
        std::fprintf(stderr,
                     "usage: killresume [--rounds N] [--tasks N] [--ranks N] [--seed S] [--keep]\n"
                     "  --keep  leaves the directory of a wrong round for inspection\n");
        return 2;
    }
    std::printf("killresume: %d rounds of %d tasks on %d ranks, --seed %llu\n", options->rounds,
                options->tasks, options->ranks, options->seed);
    std::printf("%5s  %-13s  %-7s  %s\n", "round", "killed", "started", "moments of the kills");
    std::mt19937_64 random(options->seed);
    const std::filesystem::path place = makeDirectory();
    int wrong = 0;
    for (int number = 0; number < options->rounds; ++number) {
        const auto directory = place / std::to_string(number + 1);
        const bool good = runRound(number, *options, directory, random);
        wrong += good ? 0 : 1;
        if (good || !options->keep) {
            std::filesystem::remove_all(directory);
        }
    }
    if (wrong == 0 || !options->keep) {
        std::filesystem::remove_all(place);
    } else {
        std::printf("what is left is in %s\n", place.c_str());
    }
    std::printf("%d of %d rounds were wrong\n", wrong, options->rounds);
    return wrong == 0 ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "killresume: %s\n", error.what());
    return 2;
}

} // namespace killresume_tool
