// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What libFuzzer calls, and what the test calls with the seeds: takes any bytes, returns 0, aborts
/// when something is wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tasuki::fuzz {

/// Inputs from which a fuzzer gets everywhere. The same in every run of one program.
std::vector<std::string> seeds();

/// Ends the program so that fuzzer and test notice.
[[noreturn]] void fail(const char* what);

} // namespace tasuki::fuzz
