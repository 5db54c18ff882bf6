// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/command.h"

#include <QString>
#include <QStringDecoder>

#include <cstdint>

namespace tasuki {

/// What one stream of an attempt shows: the end of it, up to a limit, as text. Bytes that are not
/// UTF-8 become U+FFFD; characters that two pieces share are put together.
class OutputText {
public:
    /// What a record usually keeps, and the line about what it does not.
    static constexpr qsizetype defaultLimit = (1 << 20) + (1 << 10);

    /// @param limit  most characters that are kept
    explicit OutputText(qsizetype limit = defaultLimit);

    void clear();
    /// Takes the next piece. One that overlaps what is there is cut; a hole is marked by one line.
    /// @return what was added at the end; more may have gone at the beginning
    QString append(const OutputPiece& piece);

    [[nodiscard]] const QString& text() const { return m_text; }
    /// Where the next piece begins.
    [[nodiscard]] std::uint64_t nextOffset() const { return m_next; }
    /// Bytes that the attempt has written.
    [[nodiscard]] std::uint64_t totalBytes() const { return m_total; }
    /// Whether something before the text is not shown.
    [[nodiscard]] bool cut() const { return m_trimmed || m_hole.end != 0; }
    /// Whether the text is longer than the limit.
    [[nodiscard]] bool trimmed() const { return m_trimmed; }
    /// What is not kept between a beginning and an end, in bytes of the stream.
    struct Hole {
        std::uint64_t begin = 0;
        std::uint64_t end = 0; ///< 0: nothing is missing
    };
    [[nodiscard]] Hole hole() const { return m_hole; }

private:
    /// The line that tells of bytes that are left out.
    [[nodiscard]] QString holeLine(std::uint64_t bytes) const;
    void trim();

    qsizetype m_limit;
    QString m_text;
    QStringDecoder m_decoder{QStringDecoder::Utf8};
    std::uint64_t m_next = 0;
    std::uint64_t m_total = 0;
    bool m_trimmed = false;
    Hole m_hole;
};

} // namespace tasuki
