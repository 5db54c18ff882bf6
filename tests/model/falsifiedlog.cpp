// SPDX-License-Identifier: GPL-3.0-or-later
#include "falsifiedlog.h"

#include <sstream>
#include <utility>

namespace tasuki::membership {

namespace {

std::string joined(const FalsifiedLog::Words& words)
{
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

} // namespace

FalsifiedLog::FalsifiedLog(const std::string& log)
{
    std::istringstream in(log);
    for (std::string line; std::getline(in, line);)
        m_lines.push_back(line);
}

std::size_t FalsifiedLog::find(const std::string& what,
                               const std::function<bool(const Words&)>& fits,
                               std::size_t from) const
{
    for (std::size_t i = from; i < m_lines.size(); ++i) {
        if (m_lines[i].find(" " + what) == std::string::npos)
            continue;
        const Words said = words(i);
        constexpr std::size_t kind = 3;
        if (said.size() > kind && said[kind] == what && fits(said))
            return i;
    }
    return m_lines.size();
}

FalsifiedLog::Words FalsifiedLog::words(std::size_t at) const
{
    std::istringstream in(m_lines.at(at));
    Words out;
    for (std::string word; in >> word;)
        out.push_back(word);
    return out;
}

void FalsifiedLog::set(std::size_t at, const Words& words) { m_lines.at(at) = joined(words); }

void FalsifiedLog::say(std::size_t at, const std::string& who, const std::string& what)
{
    const std::string line = words(at)[0] + " " + ownAt(at, who) + " " + who + " " + what;
    m_lines.insert(m_lines.begin() + static_cast<std::ptrdiff_t>(at) + 1, line);
}

std::string FalsifiedLog::ownAt(std::size_t at, const std::string& who) const
{
    const long long now = std::stoll(words(at)[0]);
    for (std::size_t i = at + 1; i-- > 0;) {
        const Words said = words(i);
        if (said.size() > 2 && said[2] == who && said[0] != "processor" && said[0] != "first")
            return std::to_string(std::stoll(said[1]) + now - std::stoll(said[0]));
    }
    return std::to_string(now);
}

void FalsifiedLog::advance(std::size_t from, std::size_t to)
{
    Words said = words(from);
    erase(from);
    said[1] = ownAt(to, said[2]);
    said[0] = words(to)[0];
    m_lines.insert(m_lines.begin() + static_cast<std::ptrdiff_t>(to) + 1, joined(said));
}

void FalsifiedLog::replaceBeginnings(const std::string& beginning, const std::string& by)
{
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        if (m_lines[i].find(beginning) == std::string::npos)
            continue;
        Words said = words(i);
        for (std::string& word : said) {
            if (word.starts_with(beginning))
                word.replace(0, beginning.size(), by);
        }
        set(i, said);
    }
}

Replay FalsifiedLog::replayed() const
{
    Replay replay;
    for (const std::string& line : m_lines)
        replay.take(line);
    replay.finish();
    return replay;
}

} // namespace tasuki::membership
