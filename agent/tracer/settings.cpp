// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings.h"

#include <charconv>
#include <string_view>

namespace tasuki::tracer {

namespace {

constexpr std::uint32_t leastMiB = 2;
constexpr std::uint32_t mostMiB = 1'048'576;

constexpr const char* fileVariable = "TASUKI_ALOG";
constexpr const char* memoryVariable = "TASUKI_ALOG_MEMORY";
constexpr const char* verboseVariable = "TASUKI_ALOG_VERBOSE";
constexpr const char* clockVariable = "TASUKI_ALOG_CLOCK";

std::string unusable(const char* name, std::string_view value, const std::string& expected)
{
    return std::string{name} + "='" + std::string{value} + "' is ignored; expected " + expected;
}

} // namespace

Settings readSettings(const std::function<const char*(const char*)>& variable,
                      const std::string& directory)
{
    const auto value = [&variable](const char* name) {
        const char* text = variable(name);
        return std::string_view{text == nullptr ? "" : text};
    };
    Settings settings;
    const std::string_view file = value(fileVariable);
    settings.file = file.empty() ? "trace.alog" : file;
    if (!settings.file.starts_with('/'))
        settings.file = directory + "/" + settings.file;

    if (const std::string_view text = value(memoryVariable); !text.empty()) {
        std::uint32_t number = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (error == std::errc{} && stop == end && number >= leastMiB && number <= mostMiB) {
            settings.memoryMiB = number;
        } else {
            settings.complaints.push_back(unusable(memoryVariable, text,
                                                   "MiB for the events of a rank, "
                                                       + std::to_string(leastMiB) + " to "
                                                       + std::to_string(mostMiB)));
        }
    }
    if (const std::string_view text = value(verboseVariable); text == "1")
        settings.verbose = true;
    else if (!text.empty() && text != "0")
        settings.complaints.push_back(unusable(verboseVariable, text, "0 or 1"));
    if (const std::string_view text = value(clockVariable); text == "measure")
        settings.measureAllClocks = true;
    else if (!text.empty() && text != "auto")
        settings.complaints.push_back(unusable(clockVariable, text, "auto or measure"));
    return settings;
}

} // namespace tasuki::tracer
