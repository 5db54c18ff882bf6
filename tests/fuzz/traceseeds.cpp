// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include "randomtrace.h"
#include "ringlog.h"
#include "trace/alogwriter.h"

namespace tasuki::fuzz {

std::vector<std::string> traceSeeds()
{
    std::vector<std::string> logs{
        // Both dialects.
        "155 1 0 1 0 1189\n161 0 0 1 0 1335\n-101 0 0 1 0 1 1395 0 7992\n162 0 0 2 0 1 1575\n"
        "-102 1 0 0 0 1 2158 0 7992\n156 1 0 2 0 1 2198\n",
        // Headers behind what needs them; a timer that rolls over.
        "31 0 0 0 0 10\n155 0 0 1 1 5\n7 0 0 3 1 15 half\n32 0 0 0 1 20\n-13 0 31 32 0 0 red A B\n"
        "-11 0 0 0 0 1000\n-9 0 0 7 0 0 progress\n-13 0 155 300 0 0 a:b MPI_Irecv\n"
        "-15 0 0 0 0 0 zero\n-3 0 0 4 0 0\n-2 0 0 9 0 0\n-14 0 0 1 0 0 x\n-16 0 0 0 0 0\n",
        "7 0 0 1 0 4294967290\n7 1 0 1 0 5 9\r\n7 0 0 1 0 6 4294967299\n7 0 0 1 1 6\t12 x\n",
        // Words, crossing calls, lonely messages, too many fields and too few.
        "-13 0 1 2 0 0 red MPI_Bcast\n-13 0 3 4 0 0 : MPI_Waitall\n"
        "1 0 0 0 0 10 root=2 bytes=8000 comm=1 req=3,7\n3 0 0 0 0 11 req=1,x bytes=-1\n"
        "2 0 0 0 0 12\n4 0 0 0 0 12\n4 0 0 0 0 13\n1 1 0 0 0 1\n-101 0 0 1 0 50 7 80 comm=4 req=9\n"
        "-102 1 0 0 0 60 7 80 req=11 comm=4\n-102 1 0 0 0 59 8 80\n-101 1 0 1 0 60\n1 2 3\n\nx\n"
        "1 99999 0 0 0 5\n1 0 0 0 0 99999999999999999999\n",
        trace::testing::ringLog(3, 2),
    };
    for (std::uint32_t seed = 1; seed <= 4; ++seed)
        logs.push_back(trace::alogText(trace::testing::randomTrace(seed, seed + 1, 60)));
    std::vector<std::string> all;
    for (std::size_t index = 0; index < logs.size(); ++index)
        all.push_back(std::string(1, static_cast<char>(index * 5)) + logs[index]);
    return all;
}

} // namespace tasuki::fuzz
