// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <istream>
#include <sstream>
#include <string>

namespace tasuki {

/// @return what is left of a stream. An error meanwhile, as when the process behind a file of /proc
///         ends, makes the stream bad and is no exception, which iterators over its buffer throw.
inline std::string textOf(std::istream& stream)
{
    std::ostringstream text;
    text << stream.rdbuf();
    if (text.bad())
        stream.setstate(std::ios::badbit);
    return text.str();
}

} // namespace tasuki
