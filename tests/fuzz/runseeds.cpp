// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace tasuki::fuzz {

namespace {

constexpr std::uint32_t spoiltInputs = 600;

std::string spoil(std::string bytes, std::mt19937& random)
{
    const auto at = [&] { return bytes.empty() ? 0 : random() % bytes.size(); };
    // Files know their size: half of the inputs keep it.
    const unsigned kinds = random() % 2 == 0 ? 2 : 4;
    for (unsigned changes = 1 + random() % 8; changes > 0 && !bytes.empty(); --changes) {
        switch (random() % kinds) {
        case 0: bytes[at()] = static_cast<char>(random() % 256); break;
        case 1: bytes[at()] = static_cast<char>(random() % 2 == 0 ? 0xFF : 0); break;
        case 2: bytes.erase(at(), 1 + random() % 16); break;
        default: bytes.insert(at(), bytes.substr(at(), 1 + random() % 16)); break;
        }
    }
    if (kinds > 2 && random() % 8 == 0)
        bytes.resize(at());
    return bytes;
}

void run(Target target, const std::string& bytes)
{
    // A copy of its own, so that a sanitizer sees where it ends.
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    target(input.data(), input.size());
}

} // namespace

int runSeeds(const std::vector<std::string>& seeds, Target target, int argc, char** argv)
{
    if (argc > 1) {
        for (std::size_t i = 0; i < seeds.size(); ++i)
            std::ofstream(std::filesystem::path(argv[1]) / std::to_string(i), std::ios::binary)
                << seeds[i];
        return EXIT_SUCCESS;
    }
    std::mt19937 random(1);
    run(target, {});
    for (const std::string& seed : seeds)
        run(target, seed);
    for (std::uint32_t i = 0; i < spoiltInputs; ++i)
        run(target, spoil(seeds[random() % seeds.size()], random));
    std::printf("%zu seeds and %u spoilt ones: results or errors\n", seeds.size(), spoiltInputs);
    return EXIT_SUCCESS;
}

} // namespace tasuki::fuzz
