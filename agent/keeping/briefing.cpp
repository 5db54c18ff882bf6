// SPDX-License-Identifier: GPL-3.0-or-later
#include "briefing.h"

#include "control.pb.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace tasuki {

namespace {

Error unreadable(const std::string& what)
{
    return {.kind = ErrorKind::Protocol,
            .message = "malformed " + what + " of another processor",
            .remedy = "start the same version of tasuki-agent everywhere"};
}

} // namespace

std::string encode(const Briefing& briefing)
{
    wire::control::Briefing out;
    out.set_epoch(briefing.epoch.value());
    out.set_key(briefing.key.data(), briefing.key.size());
    out.set_topology_file(briefing.topologyFile);
    out.set_topology_text(briefing.topologyText);
    out.set_run(briefing.run.hex);
    out.set_run_file(briefing.runFile);
    out.set_directory(briefing.directory);
    out.set_sign(briefing.sign);
    if (briefing.endsAt)
        out.set_ends_at_us(briefing.endsAt->time_since_epoch().count());
    return out.SerializeAsString();
}

Result<Briefing> decodeBriefing(const std::string& bytes)
{
    wire::control::Briefing in;
    Briefing briefing;
    if (!in.ParseFromString(bytes) || in.key().size() != briefing.key.size())
        return unreadable("briefing");
    briefing.epoch = Epoch(in.epoch());
    std::memcpy(briefing.key.data(), in.key().data(), briefing.key.size());
    briefing.topologyFile = in.topology_file();
    briefing.topologyText = in.topology_text();
    briefing.run.hex = in.run();
    briefing.runFile = in.run_file();
    briefing.directory = in.directory();
    briefing.sign = in.sign();
    if (in.has_ends_at_us())
        briefing.endsAt = WallTime(std::chrono::microseconds(in.ends_at_us()));
    return briefing;
}

std::string encode(const control::ControlAddress& address)
{
    wire::control::Address out;
    out.set_processor(address.processor.value());
    for (const std::string& host : address.hosts)
        out.add_hosts(host);
    out.set_udp_port(address.udpPort);
    out.set_tcp_port(address.tcpPort);
    out.set_host_key(address.hostKey);
    out.set_pid(address.pid);
    out.set_process_start(address.processStart);
    return out.SerializeAsString();
}

Result<control::ControlAddress> decodeAddress(const std::string& bytes)
{
    constexpr std::uint32_t mostPort = std::numeric_limits<std::uint16_t>::max();
    wire::control::Address in;
    if (!in.ParseFromString(bytes) || in.hosts().empty()
        || std::max(in.udp_port(), in.tcp_port()) > mostPort)
        return unreadable("address");
    return control::ControlAddress{.processor = ProcessorId(in.processor()),
                                   .hosts = {in.hosts().begin(), in.hosts().end()},
                                   .udpPort = static_cast<std::uint16_t>(in.udp_port()),
                                   .tcpPort = static_cast<std::uint16_t>(in.tcp_port()),
                                   .hostKey = in.host_key(),
                                   .pid = in.pid(),
                                   .processStart = in.process_start()};
}

} // namespace tasuki
