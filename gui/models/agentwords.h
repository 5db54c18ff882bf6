// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <span>
#include <string_view>

/// What agents say of the failure hierarchy and of operators' orders, in the user's language; see
/// patternwords.h.
namespace tasuki::agentwords {

/// @param english  a message, or a message and a remedy with "; " between them. Bytes that are not
///                 UTF-8 become U+FFFD.
/// @return what is not known stays as it is
QString translated(std::string_view english);
/// The patterns that have translations.
std::span<const char* const> patterns();

} // namespace tasuki::agentwords
