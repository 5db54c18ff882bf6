// SPDX-License-Identifier: GPL-3.0-or-later
#include "accessjson.h"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <limits>
#include <optional>

namespace tasuki::link {

namespace {

using Json = nlohmann::ordered_json;

constexpr int formatVersion = 1;
constexpr std::string_view formatName = "access to an agent of Tasuki";
constexpr std::string_view hexDigits = "0123456789abcdef";
constexpr std::size_t runDigits = 32;

template <class Bytes>
std::string hexOf(const Bytes& bytes)
{
    std::string hex;
    for (const auto byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        hex += hexDigits[value >> 4U];
        hex += hexDigits[value & 15U];
    }
    return hex;
}

std::optional<std::string> bytesOf(std::string_view hex)
{
    if (hex.size() % 2 != 0 || hex.find_first_not_of(hexDigits) != std::string_view::npos)
        return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(hexDigits.find(hex[i]) * 16 + hexDigits.find(hex[i + 1]));
    return bytes;
}

bool isUtf8(const std::string& text)
{
    // The library's own judgement: what it would refuse to write.
    const std::string dumped = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    return Json::parse(dumped).get_ref<const std::string&>() == text;
}

Json textToJson(const std::string& text)
{
    if (isUtf8(text))
        return text;
    return Json{{"hex", hexOf(text)}};
}

/// Reads members one by one. The first thing that is wrong is kept.
class Members {
public:
    explicit Members(const Json& object) : m_object(object) {}

    [[nodiscard]] const std::string& problem() const { return m_problem; }

    std::string text(const char* name)
    {
        const Json& value = find(name);
        if (value.is_string())
            return value.get_ref<const std::string&>();
        if (value.is_object() && value.size() == 1 && value.contains("hex")
            && value["hex"].is_string())
            if (auto bytes = bytesOf(value["hex"].get_ref<const std::string&>()))
                return *bytes;
        return complain<std::string>(name, "text");
    }

    template <class T>
    T number(const char* name)
    {
        const Json& value = find(name);
        if (!value.is_number_unsigned()
            || value.get<std::uint64_t>()
                > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
            return complain<T>(name, "a number in its range");
        return static_cast<T>(value.get<std::uint64_t>());
    }

    Secret secret(const char* name)
    {
        Secret out{};
        const Json& value = find(name);
        const auto bytes = value.is_string() ? bytesOf(value.get_ref<const std::string&>())
                                             : std::optional<std::string>();
        if (!bytes || bytes->size() != out.size())
            return complain<Secret>(name, "64 hexadecimal digits");
        std::copy(bytes->begin(), bytes->end(), out.begin());
        return out;
    }

    WallTime time(const char* name)
    {
        const std::string value = text(name);
        int year = 0;
        unsigned month = 0;
        unsigned day = 0;
        int hour = 0;
        int minute = 0;
        int second = 0;
        char end = 0;
        constexpr std::size_t isoLength = 20;
        const bool read = value.size() == isoLength
            && std::sscanf(value.c_str(), "%4d-%2u-%2uT%2d:%2d:%2d%c", &year, &month, &day, &hour,
                           &minute, &second, &end)
                == 7
            && end == 'Z' && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0
            && second < 60;
        const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                               std::chrono::day(day)};
        if (!read || !date.ok())
            return complain<WallTime>(name, "a time like 2026-01-31T12:00:00Z");
        return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute)
            + std::chrono::seconds(second);
    }

    RunId run(const char* name)
    {
        RunId id{text(name)};
        if (id.hex.size() != runDigits || id.hex.find_first_not_of(hexDigits) != std::string::npos)
            return complain<RunId>(name, "32 hexadecimal digits");
        return id;
    }

    std::string path(const char* name, bool mayBeEmpty)
    {
        std::string value = text(name);
        const bool fine = value.empty() ? mayBeEmpty : value.front() == '/';
        if (!fine || value.find('\0') != std::string::npos)
            return complain<std::string>(name, "an absolute path");
        return value;
    }

private:
    const Json& find(const char* name) const
    {
        static const Json missing;
        const auto found = m_object.find(name);
        return found == m_object.end() ? missing : *found;
    }

    template <class T>
    T complain(const char* name, const char* expected)
    {
        if (m_problem.empty())
            m_problem = std::string("'") + name + "' is not " + expected;
        return T{};
    }

    const Json& m_object;
    std::string m_problem;
};

Error damaged(const std::string& what)
{
    return Error{
        .kind = ErrorKind::Damaged, .message = "is damaged: " + what, .remedy = "remove it"};
}

} // namespace

std::string isoOf(WallTime time)
{
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                  static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()));
    return text.data();
}

std::string jsonOf(const AccessFile& access)
{
    Json json;
    json["format"] = formatName;
    json["version"] = formatVersion;
    json["run"] = access.run.hex;
    json["epoch"] = access.epoch.value();
    json["run_file"] = textToJson(access.runFile);
    json["title"] = textToJson(access.title);
    json["directory"] = textToJson(access.directory);
    json["host"] = textToJson(access.hostName);
    json["host_key"] = textToJson(access.hostKey);
    json["pid"] = access.pid;
    json["process_start"] = access.processStart;
    json["started"] = isoOf(access.started);
    json["socket"] = textToJson(access.socket);
    json["tcp_address"] = textToJson(access.tcpAddress);
    json["tcp_port"] = access.tcpPort;
    json["token"] = hexOf(access.token);
    return json.dump(2) + '\n';
}

Result<AccessFile> accessOfJson(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("format") || json["format"] != formatName)
        return Error{.kind = ErrorKind::Foreign, .message = "is no access file of an agent"};
    Members members(json);
    const auto version = members.number<int>("version");
    if (members.problem().empty() && version != formatVersion)
        return Error{.kind = ErrorKind::Foreign,
                     .message = "has version " + std::to_string(version)
                         + " of its format, this program knows version "
                         + std::to_string(formatVersion),
                     .remedy = "use the same version of Tasuki for agent and window"};
    AccessFile access;
    access.run = members.run("run");
    access.epoch = Epoch(members.number<std::uint32_t>("epoch"));
    access.runFile = members.path("run_file", false);
    access.title = members.text("title");
    access.directory = members.text("directory");
    access.hostName = members.text("host");
    access.hostKey = members.text("host_key");
    access.pid = members.number<std::int64_t>("pid");
    access.processStart = members.number<std::uint64_t>("process_start");
    access.started = members.time("started");
    access.socket = members.path("socket", true);
    access.tcpAddress = members.text("tcp_address");
    access.tcpPort = members.number<std::uint16_t>("tcp_port");
    access.token = members.secret("token");
    if (!members.problem().empty())
        return damaged(members.problem());
    return access;
}

} // namespace tasuki::link
