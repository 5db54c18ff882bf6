// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <random>

namespace tasuki::testing {

/// What farms are to be shot with, and how long.
struct ChaosOptions {
    enum class Mode { Rounds, Kills, Masters, Loaded, Times, Connections };
    enum class Transport { SharedMemory, Tcp, Both };

    Mode mode = Mode::Rounds;
    int rounds = 200;
    int kills = 50;           ///< 100 of masters; of each role for times
    int limitMs = 20;         ///< by which the next start may be off what is recorded
    int connections = 10'000; ///< of strangers, to each port
    int tasks = 1'000'000;    ///< of a farm whose masters are killed
    int minutes = 10;
    int loops = 32;
    unsigned long long seed = std::random_device()();
    Transport transport = Transport::Both;
    bool keep = false;
    bool stops = false;     ///< of times: who is to die is stopped instead
    bool decisions = false; ///< of rounds: what membership agents decide is replayed
};

/// @return none: they are wrong, what is right has been printed
std::optional<ChaosOptions> parseChaosOptions(int argc, char** argv);

} // namespace tasuki::testing
