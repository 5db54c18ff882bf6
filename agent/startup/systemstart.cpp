// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemstart.h"

#include <utility>

namespace tasuki {

std::vector<std::string> shareHosts(MpiRuntime& mpi) { return mpi.gatherToAll(mpi.host()); }

Result<SharedSystem> shareSystem(MpiRuntime& mpi, std::optional<SharedSystem> own,
                                 std::vector<std::string> hosts)
{
    const std::string told = mpi.broadcast(own ? encode(own->briefing) : std::string(),
                                           ProcessorId(0));
    if (own)
        return std::move(*own);
    Result<Briefing> briefing = decodeBriefing(told);
    if (!briefing)
        return briefing.error();
    SystemPlanning planning = planSystemText(briefing->topologyText, briefing->topologyFile,
                                             std::move(hosts));
    if (!planning.plan)
        return planning.diagnostics.front().toError();
    return SharedSystem{.briefing = std::move(*briefing), .plan = std::move(*planning.plan)};
}

Result<std::vector<replica::RecordSight>> shareSights(MpiRuntime& mpi,
                                                      const replica::RecordSight& own)
{
    std::vector<replica::RecordSight> sights;
    for (const std::string& bytes : mpi.gatherToAll(encode(own))) {
        Result<replica::RecordSight> sight = replica::decodeRecordSight(bytes);
        if (!sight)
            return sight.error();
        sights.push_back(std::move(*sight));
    }
    return sights;
}

Result<void> shareVerdict(MpiRuntime& mpi, const Result<void>& own)
{
    const std::string told = mpi.broadcast(own ? std::string() : own.error().text(),
                                           ProcessorId(0));
    if (!own)
        return own;
    return told.empty() ? Result<void>() : Error{.kind = ErrorKind::Foreign, .message = told};
}

Result<std::vector<control::ControlAddress>> shareAddresses(
    MpiRuntime& mpi, const Result<control::ControlAddress>& own)
{
    const std::vector<std::string> all = mpi.gatherToAll(own ? encode(*own) : std::string());
    if (!own)
        return own.error();
    std::vector<control::ControlAddress> addresses;
    for (const std::string& bytes : all) {
        if (bytes.empty()) {
            return Error{.kind = ErrorKind::System,
                         .message = "processor " + std::to_string(addresses.size())
                             + " cannot be reached off MPI",
                         .remedy = "see its own message"};
        }
        Result<control::ControlAddress> address = decodeAddress(bytes);
        if (!address)
            return address.error();
        addresses.push_back(std::move(*address));
    }
    return addresses;
}

} // namespace tasuki
