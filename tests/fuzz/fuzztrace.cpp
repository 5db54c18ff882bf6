// SPDX-License-Identifier: GPL-3.0-or-later
// Logs that somebody else made. The first byte says in which blocks the others are read.
#include "fuzztarget.h"

#include "trace/alogreader.h"
#include "trace/alogwriter.h"
#include "tracechecks.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace fuzz_trace {

namespace {

using namespace tasuki;

/// Small, so that the fuzzer reaches them and a rank costs no time.
constexpr trace::AlogLimits limits{
    .events = 2000, .tasks = 4096, .silentTasks = 16, .lineBytes = 600, .diagnostics = 20};

trace::AlogPass readInBlocks(std::string_view text, std::size_t blockBytes)
{
    trace::AlogReader reader("log", {}, limits);
    for (std::size_t at = 0; at < text.size(); at += blockBytes)
        reader.add(text.substr(at, blockBytes));
    return reader.finish();
}

void expectWords(const std::vector<Diagnostic>& diagnostics)
{
    // One more for what was left out, two failures.
    if (diagnostics.size() > limits.diagnostics + 3)
        fuzz::fail("too many diagnostics");
    for (const Diagnostic& found : diagnostics) {
        const std::string text = found.text();
        if (found.message.empty() || text.find('\n') != std::string::npos
            || text.find('\0') != std::string::npos)
            fuzz::fail("a diagnostic without words, or with several lines");
    }
}

void expectSound(const trace::Trace& trace)
{
    const std::string fault = trace::testing::firstFault(trace);
    if (!fault.empty())
        fuzz::fail(fault.c_str());
}

} // namespace

TASUKI_FUZZ_TARGET(traceSeeds)
{
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const trace::AlogPass whole = readInBlocks(text, std::max<std::size_t>(text.size(), 1));
    const trace::AlogPass blocks = readInBlocks(text, 1 + data[0] % 64U);
    if (!(whole.reading.trace == blocks.reading.trace)
        || whole.reading.diagnostics != blocks.reading.diagnostics)
        fuzz::fail("the blocks make a difference");
    expectSound(whole.reading.trace);
    expectWords(whole.reading.diagnostics);

    const trace::TraceReading reading = trace::readAlog(text, "log", limits);
    expectSound(reading.trace);
    expectWords(reading.diagnostics);
    if (!reading.usable())
        return 0;
    const std::string written = trace::alogText(reading.trace);
    trace::AlogLimits wider = limits; // written times may be longer than those of the log
    wider.lineBytes *= 2;
    const trace::TraceReading again = trace::readAlog(written, "log", wider);
    if (!(again.trace == reading.trace))
        fuzz::fail("what was written is read as something else");
    if (trace::alogText(again.trace) != written)
        fuzz::fail("what is read again is written in another way");
    return 0;
}

} // namespace fuzz_trace
