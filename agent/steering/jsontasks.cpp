// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsontasks.h"

#include "domain/nearest.h"
#include "domain/visibletext.h"
#include "tasklist/directive.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tasuki::steering {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 10> members{
    "command", "label", "after", "retries", "timeout", "time", "warn", "cwd", "env", "barrier"};

/// Something in an object that is not as it should be.
struct Wrong {
    std::string what;
    std::string remedy;
};

/// @return text and numbers as a directive has them
std::string valueOf(const std::string& name, const Json& json)
{
    if (json.is_number_integer() || json.is_number_float())
        return json.dump();
    if (!json.is_string())
        throw Wrong{'"' + name + "\" is neither text nor a number",
                    "write \"" + name + "\": \"...\""};
    auto text = json.get<std::string>();
    if (text.find('\n') != std::string::npos || text.find('\0') != std::string::npos)
        throw Wrong{'"' + name + "\" has more than one line",
                    "a task is one line; put the lines in a script"};
    return text;
}

std::string afterOf(const Json& json)
{
    if (!json.is_array())
        return valueOf("after", json);
    std::string labels;
    for (const Json& label : json)
        labels += (labels.empty() ? "" : ",") + valueOf("after", label);
    return labels;
}

/// What an object says besides its command.
class Directives {
public:
    explicit Directives(std::set<std::string>& held) : m_held(held), m_before(held)
    {
        held.clear();
    }

    void take(const std::string& name, const Json& json)
    {
        if (name == "barrier") {
            if (!json.is_boolean())
                throw Wrong{"\"barrier\" is neither true nor false", "write \"barrier\": true"};
            if (json.get<bool>())
                m_line += " barrier";
        } else if (name == "env") {
            takeEnvironment(json);
        } else if (name == "label" || name == "after") {
            put(name, name == "after" ? afterOf(json) : valueOf(name, json));
        } else {
            put(name, valueOf(name, json));
            m_held.insert(name);
        }
    }

    /// What objects before have set and this one has not is as it was.
    [[nodiscard]] std::string line() const
    {
        std::string reset;
        for (const std::string& name : m_before) {
            if (!m_held.contains(name))
                reset += ' ' + name + "=default";
        }
        return "#TASUKI" + reset + m_line;
    }

private:
    void put(const std::string& name, const std::string& value)
    {
        m_line += ' ' + name + '=' + quoteDirectiveValue(value, true);
    }

    void takeEnvironment(const Json& json)
    {
        if (!json.is_object())
            throw Wrong{"\"env\" is no object", "write \"env\": {\"NAME\": \"VALUE\"}"};
        if (m_before.contains("env"))
            m_line += " env=default";
        for (const auto& [name, value] : json.items())
            put("env", name + '=' + valueOf(name, value));
        m_held.insert("env");
    }

    std::set<std::string>& m_held;
    std::set<std::string> m_before;
    std::string m_line;
};

std::string commandOf(const Json& json)
{
    const auto found = json.find("command");
    if (found == json.end() || !found->is_string())
        throw Wrong{"there is no \"command\"", R"(write {"command": "..."})"};
    const std::string command = valueOf("command", *found);
    const auto begin = command.find_first_not_of(" \t");
    if (begin == std::string::npos || command[begin] == '#' || command.ends_with('\\'))
        throw Wrong{"\"command\" is no command of one line: '" + visible(command) + '\'',
                    "write what the shell is to run"};
    return command;
}

} // namespace

Result<std::string> JsonTasks::feed(std::string_view bytes)
{
    m_rest += bytes;
    std::string list;
    std::size_t at = 0;
    for (auto end = m_rest.find('\n'); end != std::string::npos; end = m_rest.find('\n', at)) {
        Result<std::string> lines = convert(std::string_view(m_rest).substr(at, end - at));
        if (!lines)
            return lines;
        list += *lines;
        at = end + 1;
    }
    m_rest.erase(0, at);
    return list;
}

Result<std::string> JsonTasks::finish() { return convert(std::exchange(m_rest, {})); }

Result<std::string> JsonTasks::convert(std::string_view line)
{
    ++m_line;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
        return std::string();
    const auto place = [this](std::string what, std::string remedy, std::uint64_t column = 0) {
        return Error{
            .kind = ErrorKind::Input,
            .message = std::move(what),
            .remedy = std::move(remedy),
            .place = SourcePlace{.file = "standard input", .line = m_line, .column = column}};
    };
    try {
        const Json json = Json::parse(line);
        if (!json.is_object())
            return place("this is no object", R"(write {"command": "..."})");
        Directives directives(m_held);
        for (const auto& [name, value] : json.items()) {
            if (std::ranges::find(members, name) == members.end())
                return place("there is no member \"" + visible(name) + '"',
                             "the nearest is \"" + std::string(nearestName(name, members)) + '"');
            if (name != "command")
                directives.take(name, value);
        }
        const std::string command = commandOf(json);
        return directives.line() + '\n' + command + '\n';
    } catch (const Json::parse_error& error) {
        return place("this is no JSON", "write an object a line", error.byte);
    } catch (const Wrong& wrong) {
        return place(wrong.what, wrong.remedy);
    }
}

} // namespace tasuki::steering
