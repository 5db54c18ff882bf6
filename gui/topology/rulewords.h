// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <span>
#include <string_view>

/// The words of the rules of topologies in the user's language. They are translated as patterns, in
/// which numbers and what stands between quotation marks are %1, %2, ...
namespace tasuki::rulewords {

/// @return the pattern of English words of a rule
QString pattern(std::string_view english);
/// @return the words in the user's language; as they are, if they have no translation
QString translated(std::string_view english);
/// The patterns that have translations.
std::span<const char* const> patterns();

} // namespace tasuki::rulewords
