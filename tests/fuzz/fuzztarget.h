// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/programpart.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::fuzz {

/// Takes any bytes, returns 0, aborts when something is wrong.
using Target = int (*)(const std::uint8_t* data, std::size_t size);

/// Inputs from which a fuzzer gets everywhere. The same in every run of one program.
std::vector<std::string> controlSeeds();
std::vector<std::string> copiesSeeds();
std::vector<std::string> environmentSeeds();
std::vector<std::string> farmSeeds();
std::vector<std::string> framesSeeds();
std::vector<std::string> mapSeeds();
std::vector<std::string> runfileSeeds();
std::vector<std::string> topologySeeds();
std::vector<std::string> traceSeeds();

/// The target without a fuzzer: over its seeds and over a fixed number of seeds that are spoilt at random. With a
/// directory as argument it writes the seeds there instead.
/// @return exit code
int runSeeds(const std::vector<std::string>& seeds, Target target, int argc, char** argv);

/// Ends the program so that fuzzer and test notice.
[[noreturn]] void fail(const char* what);

} // namespace tasuki::fuzz

// What follows is the body of the target. Built for the fuzzer, a program has one, under the name that libFuzzer
// calls; otherwise it is the part of a program that has the name of the target's file.
#if defined(TASUKI_FUZZER)
#define TASUKI_FUZZ_TARGET(seeds)                                                                  \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);             \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#else
#define TASUKI_FUZZ_TARGET(seeds)                                                                  \
    static int target(const std::uint8_t* data, std::size_t size);                                 \
    static const tasuki::testing::ProgramPart part(__FILE__, [](int argc, char** argv) {           \
        return tasuki::fuzz::runSeeds(tasuki::fuzz::seeds(), &target, argc, argv);                 \
    });                                                                                            \
    static int target(const std::uint8_t* data, std::size_t size)
#endif
