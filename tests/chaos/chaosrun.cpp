// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shoots at farms with standbys. What it does is told by tests/chaos/run --help.
#include "chaosruns.h"
#include "support/programpart.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace chaosrun_tool {

namespace {

using namespace tasuki::testing;

std::filesystem::path makeDirectory()
{
    std::string name = (std::filesystem::temp_directory_path() / "tasuki-chaos.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("cannot make a directory for the runs");
    }
    return name;
}

} // namespace

TASUKI_TOOL_MAIN()
try {
    const auto options = parseChaosOptions(argc, argv);
    if (!options) {
        return 2;
    }
    const std::filesystem::path place = makeDirectory();
    const bool good = options->mode == ChaosOptions::Mode::Rounds ? runRounds(*options, place)
        : options->mode == ChaosOptions::Mode::Kills              ? runKills(*options, place)
        : options->mode == ChaosOptions::Mode::Masters            ? runMasters(*options, place)
        : options->mode == ChaosOptions::Mode::Times              ? runTimes(*options, place)
        : options->mode == ChaosOptions::Mode::Connections        ? runConnections(*options, place)
                                                                  : runLoaded(*options, place);
    if (good || !options->keep) {
        std::filesystem::remove_all(place);
    } else {
        std::printf("what is left is in %s\n", place.c_str());
    }
    return good ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "chaosrun: %s\n", error.what());
    return 2;
}

} // namespace chaosrun_tool
