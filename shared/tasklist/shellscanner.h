// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tasuki {

/// Follows the quoting of one shell command, piece by piece, as far as is needed to tell whether a
/// quote stays open, whether the end is within a comment, and whether a here-document begins.
/// It knows '..', "..", $'..', `..`, $(..), ${..}, $((..)), backslashes and comments. Where shells
/// differ, or only a whole shell grammar could tell, it says nothing rather than something wrong.
class ShellScanner {
public:
    struct OpenQuote {
        std::size_t offset = 0; ///< of the outermost quote that stays open, in the whole command
        char quote = '\0';      ///< ', " or `
    };

    /// Begins a new command.
    void reset();
    /// Takes the next bytes of the command; pieces may end anywhere.
    void feed(std::string_view piece);

    /// Whether what was fed ends in a comment, so that a backslash there continues nothing.
    [[nodiscard]] bool inComment() const;
    /// @param command  all that was fed
    [[nodiscard]] std::optional<OpenQuote> openQuote(std::string_view command) const;
    /// @return the offset of a << that begins a here-document
    [[nodiscard]] std::optional<std::size_t> hereDocument() const { return m_hereDocument; }

private:
    enum class Context : std::uint8_t {
        Command,      ///< outside of everything
        Substitution, ///< $( )
        Parenthesis,  ///< ( )
        Arithmetic,   ///< the inner pair of (( )), and parentheses within
        Parameter,    ///< ${ }
        Single,
        AnsiC, ///< $' '
        Double,
        Backquote,
        Comment,
    };
    enum class Pending : std::uint8_t { Nothing, Backslash, Dollar, Parenthesis, Less, LessLess };
    struct Frame {
        Context context;
        std::size_t offset;
    };

    [[nodiscard]] Context context() const
    {
        return m_frames.empty() ? Context::Command : m_frames.back().context;
    }
    [[nodiscard]] bool withinDouble() const;
    void push(Context context, std::size_t offset) { m_frames.push_back({context, offset}); }
    void pop();
    std::size_t skip(std::string_view piece, std::size_t at);
    void take(char c, std::size_t offset);
    bool takePending(char c, std::size_t offset);
    void takeInCommand(char c, std::size_t offset);
    void takeInParameter(char c, std::size_t offset);
    void takeQuoted(char c, std::size_t offset);

    std::vector<Frame> m_frames;
    std::size_t m_length = 0;
    std::optional<std::size_t> m_hereDocument;
    std::size_t m_lessOffset = 0;
    Pending m_pending = Pending::Nothing;
    bool m_wordStart = true;
    bool m_uncertain = false;
};

} // namespace tasuki
