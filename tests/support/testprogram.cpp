// SPDX-License-Identifier: GPL-3.0-or-later
#include "programpart.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace tasuki::testing {

namespace {

/// By name; made before main(), when they are entered in any order.
std::map<std::string, ProgramPart::Run>& parts()
{
    static std::map<std::string, ProgramPart::Run> all;
    return all;
}

} // namespace

ProgramPart::ProgramPart(const char* file, Run run)
{
    parts().emplace(std::filesystem::path(file).stem().string(), run);
}

} // namespace tasuki::testing

/// Runs the part that this program is called by the name of, as through a link, or else the one that is its first
/// argument.
int main(int argc, char** argv)
{
    const auto& parts = tasuki::testing::parts();
    auto part = parts.find(std::filesystem::path(argv[0]).filename().string());
    if (part == parts.end() && argc > 1) {
        part = parts.find(argv[1]);
        ++argv;
        --argc;
    }
    if (part != parts.end())
        return part->second(argc, argv);
    std::fputs("name one of the parts of this program:\n", stderr);
    for (const auto& [name, run] : parts)
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}
