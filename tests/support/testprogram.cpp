// SPDX-License-Identifier: GPL-3.0-or-later
#include "testprogram.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

namespace tasuki::testing {

namespace {

/// By name; made before main(), when tests are entered in any order.
std::map<std::string, RegisteredTest::Run>& tests()
{
    static std::map<std::string, RegisteredTest::Run> all;
    return all;
}

} // namespace

RegisteredTest::RegisteredTest(const char* file, Run run)
{
    tests().emplace(std::filesystem::path(file).stem().string(), run);
}

} // namespace tasuki::testing

/// Runs the test that this program is called by the name of, as through a link, or else the one that is its first
/// argument.
int main(int argc, char** argv)
{
    const auto& tests = tasuki::testing::tests();
    auto test = tests.find(std::filesystem::path(argv[0]).filename().string());
    if (test == tests.end() && argc > 1) {
        test = tests.find(argv[1]);
        ++argv;
        --argc;
    }
    if (test != tests.end()) {
        ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
        return test->second(argc, argv);
    }
    std::fputs("name one of the tests of this program:\n", stderr);
    for (const auto& [name, run] : tests)
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}
