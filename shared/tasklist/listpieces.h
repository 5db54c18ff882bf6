// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki {

/// A part of a task list that is a list by itself.
struct ListPiece {
    std::string text;
    /// With which line of the whole list it begins. Directives of before that still hold stand in a line of their own,
    /// which takes the number of the line before that.
    std::uint64_t firstLine = 1;
    bool operator==(const ListPiece&) const = default;
};

/// Cuts a task list that arrives bit by bit into pieces that mean, one after the other, what the whole means. A piece
/// ends behind a whole command. No command is read twice, and none is judged: what is wrong is left for who reads the pieces.
class ListPieces {
public:
    /// Takes bytes that arrived.
    void feed(std::string_view bytes);
    /// No more will come: a last line need not have an end.
    void finish();

    /// @return what has arrived up to the last whole command; nothing when there is none
    std::optional<ListPiece> next();
    /// Bytes that next() would return.
    [[nodiscard]] std::size_t ready() const { return m_wholeBytes; }

private:
    void readLines();
    void noteWhole();
    void readLine(std::string_view line);
    void readDirective(std::string_view body);
    [[nodiscard]] std::string heldDirectives() const;

    std::string m_text;           ///< that no piece has yet
    std::size_t m_readBytes = 0;  ///< of m_text: whole lines
    std::size_t m_wholeBytes = 0; ///< of m_text: up to behind the last whole command
    std::uint64_t m_readLines = 0;
    std::uint64_t m_wholeLines = 0; ///< of the list, up to there
    std::uint64_t m_givenLines = 0; ///< that pieces had
    bool m_continues = false;       ///< the command goes on in the next line
    bool m_wantsTask = false; ///< a directive of one task was read behind the last whole command
    bool m_gave = false;
    using Settings = std::vector<
        std::pair<std::string, std::string>>; ///< key (of env with its name), written item
    Settings m_settings;                      ///< read so far
    Settings m_wholeSettings;                 ///< up to the last whole command
    Settings m_givenSettings;                 ///< that hold at the begin of the next piece
};

} // namespace tasuki
