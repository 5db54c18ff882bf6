// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "alogheader.h"
#include "aloglimits.h"
#include "alogline.h"
#include "dialect.h"
#include "statetable.h"
#include "trace.h"
#include "tracebuilder.h"
#include "tracediagnostics.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::trace {

/// What a log says, and what is wrong with it.
struct TraceReading {
    Trace trace;
    /// By line. With a Failure among them the trace is not to be used; warnings tell what was left out
    /// or guessed.
    std::vector<Diagnostic> diagnostics;

    [[nodiscard]] bool usable() const;
};

/// What one pass over a log yields.
struct AlogPass {
    TraceReading reading;
    /// Set when headers stood after records that need them: a second pass that knows them understands
    /// more.
    std::optional<AlogDefinitions> late = {};
};

/// Reads an ALOG log that comes in blocks. What the lines say becomes part of the trace at once; only a
/// few lines whose dialect their neighbours decide are held back.
class AlogReader {
public:
    /// @param file   what diagnostics call the log
    /// @param known  of AlogPass::late of a pass before
    explicit AlogReader(std::string file, const AlogDefinitions& known = {},
                        const AlogLimits& limits = {});
    AlogReader(const AlogReader&) = delete;
    AlogReader& operator=(const AlogReader&) = delete;
    ~AlogReader() = default;

    /// Makes room for a log of about so many bytes. Only for sizes that are sure.
    void expect(std::uint64_t bytes) { m_builder.expect(bytes); }
    /// @param block  the next bytes of the log, which may end anywhere; not kept
    void add(std::string_view block);
    /// To be called once, after the last block.
    AlogPass finish();

private:
    /// A line whose time is one of two, until a line comes whose time is sure.
    struct Held {
        std::string text;
        std::uint64_t line = 0;
    };

    void takePart(std::string_view part);
    void endLine();
    void takeLine(std::string_view text);
    void tellOverlong();
    void tellMalformed(const LinePlace& place, const MalformedLine& line);
    void takeEvent(const LinePlace& place, const EventLine& event);
    void takeMessage(const LinePlace& place, const MessageLine& message);
    /// @return the time, or nothing after having told that there is none
    std::optional<std::int64_t> timeOf(const LinePlace& place, std::int64_t cycle,
                                       std::int64_t timestamp, AlogField field);
    void tellTime(const LinePlace& place, std::int64_t cycle, std::int64_t timestamp,
                  AlogField field);
    RecordTime advance(const LinePlace& place, std::int64_t cycle, std::int64_t timeUs,
                       AlogField field);
    void record(const LinePlace& place, const EventLine& event, bool shifted);
    void hold(const LinePlace& place, const TimeChoice& choice);
    void release(std::optional<std::int64_t> after);
    void tellWhole();
    /// @return from where times count, having told where that is in doubt
    std::int64_t start();

    AlogLimits m_limits;
    TraceDiagnostics m_diagnostics;
    AlogHeader m_header;
    TraceBuilder m_builder;

    std::string m_part; ///< of a line whose end has not come yet
    bool m_overlong = false;
    bool m_anyByte = false;
    std::uint64_t m_line = 0; ///< lines that have ended

    std::vector<Held> m_held; ///< the first m_choices.size() are in use
    std::vector<TimeChoice> m_choices;
    std::size_t m_heldBytes = 0;
    std::optional<std::int64_t> m_latestUs; ///< of the latest record whose time is decided
    bool m_cycleTold = false;
};

/// Reads a log that is in memory, a second time if its headers come late.
TraceReading readAlog(std::string_view text, const std::string& file,
                      const AlogLimits& limits = {});

} // namespace tasuki::trace
