// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "transport/transport.h"

#include <string>
#include <vector>

namespace tasuki::conformance {

/// The surroundings of the transports under test: one process with all endpoints, or a launch with
/// one endpoint in each process. Every process runs the same cases in the same order.
class Fixture {
public:
    Fixture() = default;
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;
    virtual ~Fixture() = default;

    /// The endpoints that live in this process, never empty.
    [[nodiscard]] virtual std::vector<Transport*> local() = 0;
    /// Polls each local endpoint at most once; when nothing moved, lets time pass.
    virtual void step() = 0;
    /// Waits for all processes. @return whether all of them say `passed`
    virtual bool agree(bool passed) = 0;
    /// Waits for all processes, and polls nothing meanwhile.
    virtual void meet() {}
    /// One more processor joins. @return whether this transport has processors that join
    virtual bool join() { return false; }
};

/// A case. @return what went wrong in this process, empty: nothing. Cases whose processes fail
/// differently return at the same agree().
using Case = std::string (*)(Fixture&);

std::string keepsOrderPerPair(Fixture& fixture);
std::string carriesEverySize(Fixture& fixture);
std::string carriesALargeMessage(Fixture& fixture);
/// 1.1 GiB: more than an int of bytes is not far, and no buffer may be doubled.
std::string carriesAHugeMessage(Fixture& fixture);
std::string survivesAFlood(Fixture& fixture);
std::string deliversToItselfAtTheNextPoll(Fixture& fixture);
/// Also when what was sent has left at once: an answer may come.
std::string asksForAPollAfterSending(Fixture& fixture);
std::string sendsFromTheHandler(Fixture& fixture);
std::string countsWhatIsPending(Fixture& fixture);
/// A peer that takes nothing holds back who sends to it, and gets everything later.
std::string holdsBackWhoSendsMuch(Fixture& fixture);
/// Where the transport has such: they are known, and send and get as the others do.
std::string takesProcessorsThatJoin(Fixture& fixture);
std::string forgetsAndRemembers(Fixture& fixture);
std::string forgetsFromTheHandler(Fixture& fixture);
std::string staysInStepAfterAnInterruptedMessage(Fixture& fixture);

} // namespace tasuki::conformance
