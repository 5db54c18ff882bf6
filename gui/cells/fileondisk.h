// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "domain/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tasuki {

/// What stands where a document was read from or saved to.
struct FileOnDisk {
    enum class State : std::uint8_t {
        AsKnown, ///< what the document last read or wrote; or it has no file
        Changed, ///< somebody else has written it
        Gone,
        Unreadable,
    };
    State state = State::AsKnown;
    std::string text = {}; ///< as it is now, if it could be read
    QString problem = {};  ///< why it could not, for people
};

/// What shall stand when somebody else has written a file.
enum class Standing : std::uint8_t { Neither, Mine, Theirs };

/// What a document knows of its file.
class KnownFile {
public:
    using Read = std::function<Result<std::string>(const std::string& path)>;

    /// It was read or written so.
    void know(std::string text);
    /// The document stands, whatever somebody else has made of the file: that is known from now on.
    void overrule(FileOnDisk file) { m_overruled = std::move(file); }
    [[nodiscard]] const std::string& text() const { return m_text; }
    /// Reads the file again.
    /// @param path  empty: there is none
    [[nodiscard]] FileOnDisk look(const QString& path, const Read& read) const;

private:
    std::string m_text;
    std::optional<FileOnDisk> m_overruled;
};

} // namespace tasuki
