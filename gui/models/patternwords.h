// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <string_view>

/// Words that come from below the window, in English, in the user's language. They are translated as
/// patterns, in which what differs from case to case is %1, %2, ...: numbers, what stands between
/// quotation marks or in parentheses, an operator at the beginning, and lists of names at the end.
namespace tasuki::patternwords {

struct Words {
    QString pattern;
    QStringList parts; ///< what stands for %1, %2, ...
};
/// @return what English words consist of
Words takeApart(std::string_view english);

/// @param context  of the translations, which are of patterns
/// @return the words in the user's language; as they are, if they have no translation
QString translated(std::string_view english, const char* context);

} // namespace tasuki::patternwords
