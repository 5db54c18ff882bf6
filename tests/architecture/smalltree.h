// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sourcetree.h"

#include <QString>
#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tasuki::architecture {

/// A tree of files in a temporary directory.
class SmallTree {
public:
    void add(const std::string& file, const std::string& content)
    {
        const std::filesystem::path path = root() / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream{path} << content;
    }
    [[nodiscard]] std::filesystem::path root() const { return m_directory.path().toStdString(); }

private:
    QTemporaryDir m_directory;
};

/// @return a line for each
inline QString textOf(const std::vector<Violation>& violations)
{
    std::string text;
    for (const Violation& violation : violations)
        text += violation.text() + "\n";
    return QString::fromStdString(text);
}

} // namespace tasuki::architecture
