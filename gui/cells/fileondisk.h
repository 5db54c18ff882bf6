// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "domain/diagnostic.h"
#include "domain/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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

/// What panels need of a document that has a file.
class EditedFile {
public:
    virtual ~EditedFile() = default;

    /// Empty: it was neither read from a file nor saved.
    [[nodiscard]] virtual const QString& path() const = 0;
    [[nodiscard]] virtual bool isEmpty() const = 0;
    [[nodiscard]] virtual bool isClean() const = 0;
    /// Whether a file is being read, see open().
    [[nodiscard]] virtual bool isOpening() const = 0;
    /// Reads a file without waiting. One with errors changes nothing; another one replaces the
    /// document, edits that are not saved and the steps of undo are gone.
    virtual void open(const QString& path) = 0;
    /// Replaces the file whatever stands there: see lookAtFile().
    /// @param path  may be another than before; it is the document's path from then on
    virtual Result<void> save(const QString& path) = 0;
    /// Reads the document's file again.
    [[nodiscard]] virtual FileOnDisk lookAtFile() const = 0;
    /// Takes what somebody else has written, as one step of undo.
    /// @return all that is wrong in it; with an error nothing was taken
    virtual std::vector<Diagnostic> takeFile(const FileOnDisk& file) = 0;
    /// The document stands: see KnownFile. There is something to save then.
    virtual void overruleFile(const FileOnDisk& file) = 0;

protected:
    EditedFile() = default;
    EditedFile(const EditedFile&) = default;
    EditedFile& operator=(const EditedFile&) = default;
};

} // namespace tasuki
