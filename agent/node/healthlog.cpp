// SPDX-License-Identifier: GPL-3.0-or-later
#include "healthlog.h"

#include "domain/event.h"
#include "files/recordmode.h"
#include "files/uniquefd.h"
#include "hierarchy/changes.h"
#include "startup/commandline.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

std::string number(std::uint32_t value) { return std::to_string(value); }

/// What each event means in a line; empty: it is not told.
struct LineOf {
    const std::vector<std::string>& names;

    std::string operator()(const HealthChanged& event) const
    {
        std::string line = "processor " + number(event.processor.value()) + ' '
            + std::string(healthName(event.health));
        if (event.cause != HealthCause::None)
            line += ' ' + std::string(healthCauseName(event.cause));
        return line;
    }
    std::string operator()(const SeatTaken& event) const
    {
        return "seat " + number(event.seat.value()) + " held " + number(event.incarnation.value())
            + ' ' + number(event.holder.value());
    }
    std::string operator()(const SeatVacated& event) const
    {
        return "seat " + number(event.seat.value()) + (event.givenUp ? " given up" : " vacant");
    }
    std::string operator()(const SubclusterChanged& event) const
    {
        return "subcluster " + names.at(event.subcluster.value()) + ' '
            + std::string(clusterStateName(event.state));
    }
    std::string operator()(const MasterChanged& event) const
    {
        return event.role == MasterRole::System ? "system master " + number(event.processor.value())
                                                : std::string();
    }
    std::string operator()(const SystemStarted&) const { return "started"; }
    template <typename Other>
    std::string operator()(const Other&) const
    {
        return {};
    }
};

} // namespace

HealthLog::HealthLog(ProcessorId self, Epoch epoch, const Clock& clock,
                     hierarchy::MembershipView first, std::vector<std::string> names, Write write)
    : m_who(std::to_string(epoch.value()) + ' ' + std::to_string(self.value())),
      m_clock(clock),
      m_known(std::move(first)),
      m_names(std::move(names)),
      m_write(std::move(write))
{}

void HealthLog::changed(const hierarchy::MembershipView& view)
{
    if (!m_write)
        return;
    for (const EventPayload& event : hierarchy::changesBetween(m_known, view)) {
        if (const std::string line = std::visit(LineOf{m_names}, event); !line.empty())
            say(line);
    }
    m_known = view;
}

void HealthLog::standing(hierarchy::Standing standing)
{
    switch (standing) {
    case hierarchy::Standing::Valid: say("valid"); return;
    case hierarchy::Standing::Suspended: say("suspended"); return;
    case hierarchy::Standing::Lapsed: say("lapsed"); return;
    }
}

void HealthLog::say(std::string_view what)
{
    if (!m_write)
        return;
    const auto micros = m_clock.wallNow().time_since_epoch().count();
    constexpr std::int64_t second = 1'000'000;
    std::array<char, 40> time{};
    std::snprintf(time.data(), time.size(), "%lld.%06lld ", static_cast<long long>(micros / second),
                  static_cast<long long>(micros % second));
    m_write(time.data() + m_who + ' ' + std::string(what) + '\n');
}

HealthLog::Write processorLogFile(const char* option, const std::string& path, ProcessorId self)
{
    const std::string name = path + '.' + std::to_string(self.value());
    const auto mode = recordMode();
    constexpr mode_t ownersAlone = 0600;
    auto file = std::make_shared<UniqueFd>(
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
               ownersAlone));
    if (!*file) {
        printWarning(option + (": " + systemError("cannot open " + name, errno).text()));
        return {};
    }
    struct stat found {};
    if (::fstat(file->get(), &found) != 0 || isOfStranger(found, name)) {
        printWarning(option + (": " + strangersFile(name).text()));
        return {};
    }
    static_cast<void>(::fchmod(file->get(), mode ? *mode : ownersAlone));
    return [file](const std::string& line) {
        // A full disk costs lines of this log, nothing else.
        [[maybe_unused]] const ssize_t written = ::write(file->get(), line.data(), line.size());
    };
}

} // namespace tasuki
