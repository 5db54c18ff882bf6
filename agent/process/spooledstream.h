// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/streamcapture.h"
#include "spool/spoolstore.h"

#include "domain/attempt.h"
#include "domain/command.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki::guardian {

/// All of a stream: what the record keeps of it is in memory, and once it is longer than that, the
/// whole is on the disk.
class SpooledStream {
public:
    /// @param headLimit, tailLimit  bytes that the record keeps
    /// @param store  outlives the stream; null: nobody wants more than the record keeps
    SpooledStream(std::size_t headLimit, std::size_t tailLimit, SpoolStore* store)
        : m_memory(headLimit + tailLimit), m_capture(headLimit, tailLimit), m_store(store)
    {}

    void append(std::string_view bytes);
    /// @return what the record keeps; from then on only the disk has something
    CapturedStream take() { return m_capture.take(); }
    /// As StreamCapture::piece().
    [[nodiscard]] OutputPiece piece(std::uint64_t from, std::size_t limit) const;
    /// What comes before that place is not wanted from the disk any more.
    void giveUp(std::uint64_t upTo);
    /// Whether there is something on the disk.
    [[nodiscard]] bool spooled() const { return m_spool.has_value(); }
    /// Why the disk has not got all of it; empty: it has.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    void spool(std::string_view bytes);

    std::size_t m_memory;
    StreamCapture m_capture;
    SpoolStore* m_store;
    std::optional<SpooledBytes> m_spool;
    std::string m_problem;
    std::uint64_t m_total = 0;
};

} // namespace tasuki::guardian
