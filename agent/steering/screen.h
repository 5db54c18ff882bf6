// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace tasuki::steering {

/// What somebody pressed.
struct Key {
    enum class Kind : std::uint8_t { None, Character, Up, Down, PageUp, PageDown, Home, End };
    Kind kind = Kind::None;
    char character = 0; ///< of Character
};

/// How a line of a screen is painted.
enum class Paint : std::uint8_t { Plain, Bold, Green, Yellow, Red };

/// A whole terminal, until it is destroyed. One at a time. On the thread that runs the io_context.
class Screen {
public:
    /// @return null where standard input and output are not both a terminal, or lines cannot be drawn over on it
    static std::unique_ptr<Screen> open(boost::asio::io_context& context);
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;
    ~Screen();

    struct Line {
        std::string text;
        Paint paint = Paint::Plain;
    };
    /// Shows lines from the top; what differs from what stands there is sent alone.
    void draw(const std::vector<Line>& lines);
    [[nodiscard]] std::size_t columns() const;
    [[nodiscard]] std::size_t rows() const;
    /// The next key that was pressed; None: there is none.
    Key key();
    /// A key may have been pressed, or the terminal has another size, since key() returned None.
    [[nodiscard]] bool somethingCame() const;

private:
    class Window;
    explicit Screen(std::shared_ptr<Window> window);
    std::shared_ptr<Window> m_window;
};

} // namespace tasuki::steering
