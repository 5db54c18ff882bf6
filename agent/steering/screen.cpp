// SPDX-License-Identifier: GPL-3.0-or-later
#include "screen.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>

#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

// Last: it defines macros of common names.
#define NCURSES_NOMACROS 1
#include <ncurses.h>

namespace tasuki::steering {

namespace asio = boost::asio;

/// Lives as long as something is under way.
class Screen::Window : public std::enable_shared_from_this<Window> {
public:
    Window(asio::io_context& context, SCREEN* terminal)
        : m_terminal(terminal), m_input(context, ::dup(STDIN_FILENO)), m_sizes(context, SIGWINCH)
    {
        ::cbreak();
        ::noecho();
        ::curs_set(0);
        ::keypad(stdscr, true);
        ::nodelay(stdscr, true);
        ::set_escdelay(25); // milliseconds: a key that begins with Escape comes at once
        if (::has_colors()) {
            ::start_color();
            ::use_default_colors();
            ::init_pair(green, COLOR_GREEN, -1);
            ::init_pair(yellow, COLOR_YELLOW, -1);
            ::init_pair(red, COLOR_RED, -1);
        }
    }

    ~Window()
    {
        ::endwin();
        ::delscreen(m_terminal);
    }

    void close()
    {
        m_closed = true;
        boost::system::error_code ignored;
        m_input.close(ignored);
        m_sizes.cancel(ignored);
    }

    void waitForKeys()
    {
        m_input.async_wait(asio::posix::stream_descriptor::wait_read,
                           [self = shared_from_this()](boost::system::error_code error) {
                               if (!error)
                                   self->m_keyCame = true;
                           });
    }

    void waitForSizes()
    {
        m_sizes.async_wait([self = shared_from_this()](boost::system::error_code error, int) {
            if (error || self->m_closed)
                return;
            winsize size{};
            if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0)
                ::resizeterm(size.ws_row, size.ws_col);
            self->m_resized = true;
            self->waitForSizes();
        });
    }

    void draw(const std::vector<Line>& lines)
    {
        m_resized = false;
        ::werase(stdscr);
        int row = 0;
        for (const Line& line : lines) {
            ::wattrset(stdscr, static_cast<int>(attributeOf(line.paint)));
            ::mvwaddstr(stdscr, row++, 0, line.text.c_str());
        }
        ::wrefresh(stdscr);
    }

    Key key()
    {
        const int code = ::wgetch(stdscr);
        switch (code) {
        case ERR:
            if (m_keyCame) {
                m_keyCame = false;
                waitForKeys();
            }
            return {};
        case KEY_UP: return {Key::Kind::Up};
        case KEY_DOWN: return {Key::Kind::Down};
        case KEY_PPAGE: return {Key::Kind::PageUp};
        case KEY_NPAGE: return {Key::Kind::PageDown};
        case KEY_HOME: return {Key::Kind::Home};
        case KEY_END: return {Key::Kind::End};
        default: return {Key::Kind::Character, code < 128 ? static_cast<char>(code) : '\0'};
        }
    }

    [[nodiscard]] bool somethingCame() const { return m_keyCame || m_resized; }

private:
    static constexpr short green = 1;
    static constexpr short yellow = 2;
    static constexpr short red = 3;

    static attr_t attributeOf(Paint paint)
    {
        switch (paint) {
        case Paint::Plain: return A_NORMAL;
        case Paint::Bold: return A_BOLD;
        case Paint::Green: return static_cast<attr_t>(COLOR_PAIR(green));
        case Paint::Yellow: return static_cast<attr_t>(COLOR_PAIR(yellow));
        case Paint::Red: return static_cast<attr_t>(COLOR_PAIR(red));
        }
        return A_NORMAL;
    }

    SCREEN* m_terminal;
    asio::posix::stream_descriptor m_input;
    asio::signal_set m_sizes;
    bool m_keyCame = false;
    bool m_resized = false;
    bool m_closed = false;
};

std::unique_ptr<Screen> Screen::open(asio::io_context& context)
{
    if (::isatty(STDOUT_FILENO) == 0 || ::isatty(STDIN_FILENO) == 0)
        return nullptr;
    std::setlocale(LC_CTYPE, "");
    SCREEN* const terminal = ::newterm(nullptr, stdout, stdin);
    if (terminal == nullptr)
        return nullptr;
    const char* const position = ::tigetstr("cup");
    if (position == nullptr || reinterpret_cast<std::intptr_t>(position) == -1) {
        ::endwin();
        ::delscreen(terminal);
        return nullptr;
    }
    return std::unique_ptr<Screen>(new Screen(std::make_shared<Window>(context, terminal)));
}

Screen::Screen(std::shared_ptr<Window> window) : m_window(std::move(window))
{
    m_window->waitForKeys();
    m_window->waitForSizes();
}

Screen::~Screen() { m_window->close(); }

void Screen::draw(const std::vector<Line>& lines) { m_window->draw(lines); }
std::size_t Screen::columns() const { return static_cast<std::size_t>(::getmaxx(stdscr)); }
std::size_t Screen::rows() const { return static_cast<std::size_t>(::getmaxy(stdscr)); }
Key Screen::key() { return m_window->key(); }
bool Screen::somethingCame() const { return m_window->somethingCame(); }

} // namespace tasuki::steering
