// SPDX-License-Identifier: GPL-3.0-or-later
#include "briefing.h"

#include "codec/domainfields.h"

namespace tasuki {

using codec::Is;

void fields(auto& a, Is<Briefing> auto& m)
{
    a(m.epoch, m.key, m.topologyFile, m.topologyText, m.run, m.runFile, m.directory, m.sign,
      m.endsAt);
}

namespace control {

void fields(auto& a, Is<ControlAddress> auto& m)
{
    a(m.processor, m.hosts, m.udpPort, m.tcpPort, m.hostKey, m.pid, m.processStart);
    a.require(!m.hosts.empty());
}

} // namespace control

namespace {

/// The first that processors tell each other says which version they are.
const std::string ownVersion = TASUKI_VERSION;

template <class Told>
std::string encodeTold(const Told& told)
{
    return codec::encode(std::pair(ownVersion, told));
}

/// @param what  it is
template <class Told>
Result<Told> decodeTold(const std::string& bytes, const char* what)
{
    std::pair<std::string, Told> told;
    const bool good = codec::decode(bytes, told);
    if (good && told.first == ownVersion)
        return std::move(told.second);
    return Error{.kind = ErrorKind::Protocol,
                 .message = std::string("malformed ") + what
                     + " of another processor, of another version than " + ownVersion,
                 .remedy = "start the same version of tasuki-agent everywhere"};
}

} // namespace

std::string encode(const Briefing& briefing) { return encodeTold(briefing); }

Result<Briefing> decodeBriefing(const std::string& bytes)
{
    return decodeTold<Briefing>(bytes, "briefing");
}

std::string encode(const control::ControlAddress& address) { return encodeTold(address); }

Result<control::ControlAddress> decodeAddress(const std::string& bytes)
{
    return decodeTold<control::ControlAddress>(bytes, "address");
}

} // namespace tasuki
