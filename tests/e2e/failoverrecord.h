// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runrecord.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::testing {

/// Microseconds since 1970, as events of a record have them.
using WallMicros = std::int64_t;
[[nodiscard]] WallMicros wallNow();

/// A processor that the record says is lost.
struct RecordedLoss {
    int processor = 0;
    std::string cause;     ///< as the view failovers names it
    WallMicros at = 0;     ///< when it was recorded
    WallMicros lostAt = 0; ///< when it was lost; 0: not known
};

/// A seat that another processor took over.
struct RecordedTakeover {
    int seat = 0;
    int incarnation = 0;
    std::string place;
    int from = 0;
    int to = 0;
    WallMicros at = 0;
    double takeoverMs =
        0; ///< from the verdict to the new holder's word, by the cluster master; 0: not known
    double detectionMs = 0; ///< from the loss to the verdict; 0: not known
};

/// A processor that the record says is master from now on.
struct RecordedMaster {
    std::string role; ///< unit, cluster, system
    int processor = 0;
    WallMicros at = 0;
};

/// What a run file says of losses and takeovers, and whether its results are right. As RunRecord,
/// read with plain SQL.
class FailoverRecord {
public:
    explicit FailoverRecord(const std::filesystem::path& file) : m_record(file) {}

    /// @return what is wrong, a line each: tasks without a counting success or with two, two holders
    ///         of one seat under one incarnation
    [[nodiscard]] std::vector<std::string> problems(int tasks) const;

    [[nodiscard]] std::vector<RecordedLoss> losses() const;
    [[nodiscard]] std::optional<RecordedLoss> lossOf(int processor) const;
    [[nodiscard]] std::vector<RecordedTakeover> takeovers() const;
    [[nodiscard]] std::vector<RecordedMaster> masters() const;
    /// @return when a rank's holder of that incarnation offered its slots; 0: never
    [[nodiscard]] WallMicros joined(int rank, int incarnation) const;
    /// @return when the first task began on a rank after a moment; 0: never
    [[nodiscard]] WallMicros firstStart(int rank, WallMicros after) const;
    /// @return how often the record says, before a moment, that a processor is so: "alive", "suspect", ...
    [[nodiscard]] long long timesSaid(int processor, const std::string& health,
                                      std::optional<WallMicros> before = {}) const;
    /// @return the seats that were left without a holder, in the order of the events
    [[nodiscard]] std::vector<int> vacated() const;

    [[nodiscard]] const RunRecord& sql() const { return m_record; }

private:
    RunRecord m_record;
};

} // namespace tasuki::testing
