// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "phrase.h"

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tasuki {

/// What kind of failure an Error tells of, where a caller acts on the difference.
enum class ErrorKind : std::uint8_t {
    Input,    ///< something that a person wrote is wrong
    System,   ///< the operating system refused
    NoSpace,  ///< the disk or quota is full: may pass
    InUse,    ///< another process holds it
    Damaged,  ///< a file is truncated or corrupt
    Foreign,  ///< a file of another program or version
    Protocol, ///< a peer sent what it must not send
};

/// Where in a file something stands. Lines and columns count from 1; 0 means "not known".
/// Columns count bytes.
struct SourcePlace {
    std::string file;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
    bool operator==(const SourcePlace&) const = default;
};

/// An expected failure, told in one line: place, what was found, what was expected or what to do.
struct Error {
    ErrorKind kind = ErrorKind::System;
    std::string message;
    std::string remedy = {};
    std::optional<SourcePlace> place = {};
    /// The same as message and remedy, for whoever puts them into another language; may be empty.
    Phrase messagePhrase = {};
    Phrase remedyPhrase = {};

    /// @return "file:line:column: message; remedy", the parts that are known
    [[nodiscard]] std::string text() const;
    /// @return what was found and what to do; as text() where there are no phrases
    [[nodiscard]] Phrase phrase() const;
};

/// @return an Error of kind Input that has phrases
Error refusal(const Phrase& message, const Phrase& remedy = {});

/// @return an Error of kind System, or NoSpace for ENOSPC and EDQUOT, with the system's own words
/// @param what   what was being done, e.g. "cannot open tasks.sh"
/// @param errorNumber  the value of errno
Error systemError(std::string what, int errorNumber);

/// @return an Error whose place is a file
Error about(std::string file, ErrorKind kind, std::string message, std::string remedy = {});
Error about(std::string file, Error error);

/// A value or the Error that kept it from being made.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_content(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_content(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return m_content.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// Precondition of value(), * and ->: ok(). Of error(): !ok().
    [[nodiscard]] T& value() &
    {
        assert(ok());
        return std::get<0>(m_content);
    }
    [[nodiscard]] const T& value() const&
    {
        assert(ok());
        return std::get<0>(m_content);
    }
    [[nodiscard]] T&& value() &&
    {
        assert(ok());
        return std::move(std::get<0>(m_content));
    }
    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }
    [[nodiscard]] const Error& error() const
    {
        assert(!ok());
        return std::get<1>(m_content);
    }

private:
    std::variant<T, Error> m_content;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !m_error.has_value(); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error& error() const
    {
        assert(!ok());
        return *m_error;
    }

private:
    std::optional<Error> m_error;
};

} // namespace tasuki
