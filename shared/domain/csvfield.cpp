// SPDX-License-Identifier: GPL-3.0-or-later
#include "csvfield.h"

namespace tasuki {

std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char letter : text) {
        quoted += letter;
        if (letter == '"')
            quoted += letter;
    }
    return quoted + '"';
}

} // namespace tasuki
