// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnostic.h"

#include <QString>

#include <span>
#include <string_view>
#include <vector>

/// The words of the rules of topologies, of their files and layouts, in the user's language; see
/// patternwords.h.
namespace tasuki::rulewords {

/// @return the pattern of English words
QString pattern(std::string_view english);
/// @return the words in the user's language; as they are, if they have no translation
QString translated(std::string_view english);
/// The same of message and remedy.
Diagnostic translated(Diagnostic told);
std::vector<Diagnostic> translated(std::vector<Diagnostic> all);
/// Whether words have a translation.
bool isKnown(std::string_view english);
/// The patterns that have translations.
std::span<const char* const> patterns();

} // namespace tasuki::rulewords
