// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target's entry point without a fuzzer: over its seeds and over a fixed number of seeds
// that are spoilt at random. With a directory as argument it writes the seeds there instead.
#include "fuzztarget.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

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

void run(const std::string& bytes)
{
    // A copy of its own, so that a sanitizer sees where it ends.
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(input.data(), input.size());
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> seeds = tasuki::fuzz::seeds();
    if (argc > 1) {
        for (std::size_t i = 0; i < seeds.size(); ++i)
            std::ofstream(std::filesystem::path(argv[1]) / std::to_string(i), std::ios::binary)
                << seeds[i];
        return EXIT_SUCCESS;
    }
    std::mt19937 random(1);
    run({});
    for (const std::string& seed : seeds)
        run(seed);
    for (std::uint32_t i = 0; i < spoiltInputs; ++i)
        run(spoil(seeds[random() % seeds.size()], random));
    std::printf("%zu seeds and %u spoilt ones: results or errors\n", seeds.size(), spoiltInputs);
    return EXIT_SUCCESS;
}
