// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskoutput.h"

#include <string>

namespace tasuki {

namespace {

void print(const std::string& text, std::FILE* stream)
{
    std::fwrite(text.data(), 1, text.size(), stream);
}

void print(const CapturedStream& captured, std::FILE* stream)
{
    print(captured.head, stream);
    if (captured.droppedBytes() != 0) {
        std::fprintf(stream, "\n[... %llu bytes dropped ...]\n",
                     static_cast<unsigned long long>(captured.droppedBytes()));
    }
    print(captured.tail, stream);
}

bool endsInsideLine(const CapturedStream& captured)
{
    const std::string& last = captured.tail.empty() ? captured.head : captured.tail;
    return !last.empty() && last.back() != '\n';
}

} // namespace

void printOutput(const AttemptResult& result, std::FILE* out, std::FILE* errors)
{
    if (result.standardOutput.totalBytes != 0) {
        print(result.standardOutput, out);
        std::fflush(out);
    }
    if (result.standardError.totalBytes != 0) {
        print(result.standardError, errors);
        if (endsInsideLine(result.standardError))
            std::fputc('\n', errors);
        std::fflush(errors);
    }
}

std::string outputSizes(const AttemptResult& result)
{
    std::string text;
    const auto add = [&text](const char* name, const CapturedStream& stream) {
        if (stream.droppedBytes() == 0)
            return;
        text += std::string("  ") + name + ": " + std::to_string(stream.totalBytes)
            + " bytes, of which the record keeps "
            + std::to_string(stream.totalBytes - stream.droppedBytes()) + ", beginning and end\n";
    };
    add("standard output", result.standardOutput);
    add("standard error", result.standardError);
    return text;
}

} // namespace tasuki
