// SPDX-License-Identifier: GPL-3.0-or-later
// Environment files that somebody else has written.
#include "fuzztarget.h"

#include "plan/environmentfile.h"

#include <algorithm>
#include <string_view>

namespace fuzz_environment {

namespace {

using namespace tasuki;
using namespace tasuki::plan;

void checkDiagnostics(const EnvironmentReading& reading, std::string_view text)
{
    const auto lines = 1 + static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    bool wrong = false;
    for (const Diagnostic& diagnostic : reading.diagnostics) {
        wrong = wrong || diagnostic.isError();
        if (diagnostic.message.empty() || diagnostic.remedy.empty())
            fuzz::fail("a diagnostic without words");
        if (diagnostic.place.line == 0 || diagnostic.place.line > lines
            || diagnostic.place.column == 0 || diagnostic.place.column > text.size() + 1)
            fuzz::fail("a diagnostic at a place that is not in the file");
    }
    if (wrong == reading.environment.has_value())
        fuzz::fail("an environment in spite of errors, or none without");
}

} // namespace

TASUKI_FUZZ_TARGET(environmentSeeds)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const EnvironmentReading reading = readEnvironmentText(text, "fuzz");
    checkDiagnostics(reading, text);
    if (!reading.environment)
        return 0;
    const EnvironmentReading again = readEnvironmentText(environmentText(*reading.environment),
                                                         "again");
    if (!again.environment || !(*again.environment == *reading.environment))
        fuzz::fail("what was written is read as something else");
    return 0;
}

} // namespace fuzz_environment
