// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a run file to look at: makesamplerun FILE [TASKS] [open] [system]
#include "runfile/runfilewriter.h"
#include "samplerun.h"
#include "support/programpart.h"

#include <cstdio>
#include <string>

namespace makesamplerun_tool {

TASUKI_TOOL_MAIN()
{
    using namespace tasuki;
    if (argc < 2) {
        std::fputs("usage: makesamplerun FILE [TASKS] [open] [system]\n", stderr);
        return 2;
    }
    SampleRun wanted;
    if (argc > 2)
        wanted.tasks = static_cast<std::uint32_t>(std::stoul(argv[2]));
    for (int i = 3; i < argc; ++i) {
        wanted.closed = wanted.closed && std::string(argv[i]) != "open";
        wanted.system = wanted.system || std::string(argv[i]) == "system";
    }
    auto writer = RunFileWriter::create(argv[1], RunId::random());
    if (!writer) {
        std::fprintf(stderr, "%s\n", writer.error().text().c_str());
        return 1;
    }
    const auto written = writer->append(sampleEvents(wanted));
    if (!written)
        std::fprintf(stderr, "%s\n", written.error().text().c_str());
    return written ? 0 : 1;
}

} // namespace makesamplerun_tool
