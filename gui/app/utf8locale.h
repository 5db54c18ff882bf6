// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <array>
#include <optional>

namespace tasuki {

/// While it lives, the environment asks for text in UTF-8, as Qt wants it: otherwise Qt complains
/// on standard error when the application object is made. Then the environment is as it was, for
/// the programs that the window starts. The language stays the user's.
/// Main thread, before there are others: it changes the environment.
class Utf8Locale {
public:
    Utf8Locale();
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;
    ~Utf8Locale();

private:
    static constexpr std::array names{"LC_ALL", "LC_CTYPE", "LANG"};
    bool m_changed = false;
    std::array<std::optional<QByteArray>, names.size()> m_before;
};

} // namespace tasuki
