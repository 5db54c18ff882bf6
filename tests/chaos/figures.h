// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "failoverrecord.h"

#include <string>
#include <vector>

namespace tasuki::testing {

/// Times in milliseconds, of which the middle, the hundredth longest and the longest are told.
class Figures {
public:
    void add(double milliseconds) { m_times.push_back(milliseconds); }
    /// @return the time that this share of all does not exceed; 0: there are none
    [[nodiscard]] double quantile(double share) const;
    /// Prints a row of a table.
    void print(const char* name) const;
    static void printHeading();

private:
    std::vector<double> m_times;
};

/// How long it took until losses were recorded and their seats taken over.
struct LossFigures {
    Figures killToLoss;
    Figures stopToLoss;
    Figures lossToTaken;    ///< until the new holder said so to its cluster master
    Figures lossToWorker;   ///< until it offered its slots to the farm
    Figures lossToRecorded; ///< until the record told of it: a subcluster tells that with its beats
    int takeovers = 0;

    /// @param struck  when the processor was killed or stopped
    void add(const FailoverRecord& record, int processor, WallMicros struck, bool killed);
    void print() const;
};

} // namespace tasuki::testing
