// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/shellenvironment.h"

#include "process/launcherenvironment.h"

#include <algorithm>
#include <array>
#include <utility>

#include <unistd.h>

namespace tasuki {
namespace {

constexpr std::string_view hexDigits = "0123456789ABCDEF";
constexpr std::size_t hexBase = 16;

std::string_view entryName(std::string_view entry) { return entry.substr(0, entry.find('=')); }

/// Whether a directory is one that a launcher installed below `installed` puts first.
bool ofInstallation(std::string_view directory, std::string_view name, std::string_view installed)
{
    if (installed.empty() || !directory.starts_with(installed))
        return false;
    const std::string_view below = directory.substr(installed.size());
    if (name == "PATH")
        return below == "/bin";
    return below.starts_with("/lib") && below.find('/', 1) == std::string_view::npos;
}

/// @param value  of PATH or LD_LIBRARY_PATH
/// @param before  what it was in the shell
/// @return whether it is that, behind directories of the launcher
bool onlyPrefixed(std::string_view value, const std::optional<std::string_view>& before,
                  std::string_view name, std::string_view installed)
{
    std::optional<std::string_view> rest = value;
    while (rest != before) {
        if (!rest)
            return false;
        const auto colon = rest->find(':');
        if (!ofInstallation(rest->substr(0, colon), name, installed))
            return false;
        rest = colon == std::string_view::npos ? std::nullopt
                                               : std::optional(rest->substr(colon + 1));
    }
    return true;
}

/// Started without mpirun, as by srun, nobody but the user has set Open MPI's variables.
bool setByLauncher(const ShellSources& sources, std::string_view name)
{
    if (!isLauncherVariable(name))
        return false;
    return !name.starts_with("OMPI_") || valueIn(sources.own, "OMPI_COMM_WORLD_RANK").has_value();
}

} // namespace

std::optional<std::string_view> valueIn(const EnvironmentEntries& entries, std::string_view name)
{
    for (const std::string& entry : entries) {
        if (entryName(entry) == name && entry.size() > name.size())
            return std::string_view(entry).substr(name.size() + 1);
    }
    return std::nullopt;
}

EnvironmentEntries ownEnvironment()
{
    EnvironmentEntries entries;
    for (char** entry = environ; *entry != nullptr; ++entry)
        entries.emplace_back(*entry);
    return entries;
}

EnvironmentEntries shellEnvironment(const ShellSources& sources)
{
    constexpr std::array<std::string_view, 2> prefixed{"PATH", "LD_LIBRARY_PATH"};
    const EnvironmentEntries& users = sources.shell ? *sources.shell : sources.userSettings;
    const auto internal = [&sources](std::string_view name) {
        return std::ranges::find(sources.internal, name) != sources.internal.end();
    };
    EnvironmentEntries result;
    for (const std::string& entry : sources.own) {
        const std::string_view name = entryName(entry);
        if (internal(name))
            continue;
        if (sources.underLauncher && setByLauncher(sources, name))
            continue; // what the user has set of these follows
        if (sources.shell && std::ranges::find(prefixed, name) != prefixed.end()) {
            const auto before = valueIn(*sources.shell, name);
            const std::string_view value = std::string_view(entry).substr(name.size() + 1);
            if (onlyPrefixed(value, before, name, sources.installed)) {
                if (before)
                    result.push_back(std::string(name) + '=' + std::string(*before));
                continue;
            }
        }
        result.push_back(entry);
    }
    for (const std::string& entry : users) {
        const std::string_view name = entryName(entry);
        if (sources.underLauncher && !internal(name) && setByLauncher(sources, name))
            result.push_back(entry);
    }
    return result;
}

std::string userSettingsText(const EnvironmentEntries& shell)
{
    std::string text;
    for (const std::string& entry : shell) {
        if (!isLauncherVariable(entryName(entry)))
            continue;
        for (const char c : entry) {
            const auto byte = static_cast<unsigned char>(c);
            if (byte > ' ' && byte < 0x7F && c != '%' && c != ',' && c != ';') {
                text += c;
            } else {
                text += '%';
                text += hexDigits[byte / hexBase];
                text += hexDigits[byte % hexBase];
            }
        }
        text += ',';
    }
    return text;
}

EnvironmentEntries parseUserSettings(std::string_view text)
{
    EnvironmentEntries entries;
    std::string entry;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ',') {
            entries.push_back(std::exchange(entry, {}));
        } else if (text[i] == '%' && i + 2 < text.size()) {
            const std::size_t high = hexDigits.find(text[i + 1]);
            const std::size_t low = hexDigits.find(text[i + 2]);
            if (high == std::string_view::npos || low == std::string_view::npos)
                return {};
            entry += static_cast<char>(static_cast<unsigned char>(high * hexBase + low));
            i += 2;
        } else {
            entry += text[i];
        }
    }
    return entries;
}

EnvironmentEntries parseEnvironment(std::string_view block)
{
    EnvironmentEntries entries;
    while (!block.empty()) {
        const std::size_t length = std::min(block.find('\0'), block.size());
        if (length != 0)
            entries.emplace_back(block.substr(0, length));
        block.remove_prefix(std::min(length + 1, block.size()));
    }
    return entries;
}

} // namespace tasuki
