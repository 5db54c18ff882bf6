// SPDX-License-Identifier: GPL-3.0-or-later
#include "classspread.h"

#include "sourcetree.h"

#include <QRegularExpression>

#include <map>
#include <optional>

namespace tasuki::architecture {
namespace {

namespace fs = std::filesystem;

/// @return the outermost class whose function's definition begins on a line, as clang-format lays it
///         out: not indented, `Class::function(` behind what it returns; none: nothing such
std::optional<std::string> definedClass(const std::string& line)
{
    static const QRegularExpression pattern{
        R"(^(?:[\w:<>,&*~\[\] ]*[ *&>])?((?:[A-Z]\w*)(?:::[A-Z]\w*)*)::(?:~?\w+|operator[^\w\s(]+)\s*\()"};
    const auto match = pattern.match(QString::fromStdString(line));
    if (!match.hasMatch() || line.front() == ' ' || line.ends_with(';'))
        return std::nullopt;
    return match.captured(1).section("::", 0, 0).toStdString();
}

} // namespace

std::set<std::string> spreadClasses(const fs::path& root)
{
    std::set<std::string> spread;
    for (const std::string& folder : layerFolders(root)) {
        std::map<std::string, std::set<std::string>> filesOf;
        for (const auto& entry : fs::directory_iterator{root / folder}) {
            if (entry.path().extension() != ".cpp")
                continue;
            for (const std::string& line : linesOf(entry.path())) {
                if (const auto name = definedClass(line))
                    filesOf[*name].insert(entry.path().filename().string());
            }
        }
        for (const auto& [name, files] : filesOf) {
            if (files.size() > 1)
                spread.insert(folder + ' ' + name);
        }
    }
    return spread;
}

} // namespace tasuki::architecture
