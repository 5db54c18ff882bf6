// SPDX-License-Identifier: GPL-3.0-or-later
#include "linkfixture.h"

#include <cstdio>
#include <cstdlib>

namespace tasuki::testing {

void LogLines::add(Severity severity, const std::string& line)
{
    const std::lock_guard lock(m_mutex);
    m_lines.emplace_back(severity, line);
}

std::vector<std::string> LogLines::matching(Severity severity, const std::string& text) const
{
    const std::lock_guard lock(m_mutex);
    std::vector<std::string> found;
    for (const auto& [lineSeverity, line] : m_lines)
        if (lineSeverity == severity && line.find(text) != std::string::npos)
            found.push_back(line);
    return found;
}

link::LinkOptions LinkFixture::options() const
{
    link::LinkOptions options;
    options.run = run.id();
    options.epoch = Epoch(7);
    options.runFile = run.file();
    options.title = "tasks.sh";
    options.directory = "/where it began";
    options.programVersion = "0.1.0";
    options.accessDirectory = run.directory() / "agents";
    options.socketDirectory = run.directory() / "sockets";
    options.limits = limits;
    return options;
}

void LinkFixture::start()
{
    callbacks.log = [lines = log](Severity severity, const std::string& line) {
        lines->add(severity, line);
    };
    auto started = link::LinkServer::start(options(), callbacks);
    if (!started) {
        std::fprintf(stderr, "%s\n", started.error().text().c_str());
        std::abort();
    }
    server = std::move(*started);
}

link::AccessFile LinkFixture::access() const
{
    return link::readAccessFile(server->access()).value();
}

std::unique_ptr<LinkClient> LinkFixture::window(const link::Subscribe& wish, LinkClient::Over over)
{
    auto client = std::make_unique<LinkClient>(access(), over);
    if (const auto problem = client->join(); !problem.empty()) {
        std::fprintf(stderr, "%s\n", problem.c_str());
        return nullptr;
    }
    return client->send(wish) ? std::move(client) : nullptr;
}

} // namespace tasuki::testing
