// SPDX-License-Identifier: GPL-3.0-or-later
#include "result.h"

#include "visibletext.h"

#include <cerrno>
#include <system_error>

namespace tasuki {

std::string Error::text() const
{
    std::string text;
    if (place) {
        text = visible(place->file);
        if (place->line != 0)
            text += ':' + std::to_string(place->line);
        if (place->line != 0 && place->column != 0)
            text += ':' + std::to_string(place->column);
        text += ": ";
    }
    text += visible(message, Breaks::Kept);
    if (!remedy.empty())
        text += "; " + visible(remedy, Breaks::Kept);
    return text;
}

Phrase Error::phrase() const
{
    if (messagePhrase.empty())
        return text();
    return remedyPhrase.empty() ? messagePhrase : Phrase::tr("%1; %2")(messagePhrase, remedyPhrase);
}

Error refusal(const Phrase& message, const Phrase& remedy)
{
    return Error{.kind = ErrorKind::Input,
                 .message = message.text(),
                 .remedy = remedy.text(),
                 .messagePhrase = message,
                 .remedyPhrase = remedy};
}

Error systemError(std::string what, int errorNumber)
{
    const bool full = errorNumber == ENOSPC || errorNumber == EDQUOT;
    return Error{.kind = full ? ErrorKind::NoSpace : ErrorKind::System,
                 .message = std::move(what) + ": " + std::generic_category().message(errorNumber)};
}

Error about(std::string file, ErrorKind kind, std::string message, std::string remedy)
{
    return about(std::move(file),
                 {.kind = kind, .message = std::move(message), .remedy = std::move(remedy)});
}

Error about(std::string file, Error error)
{
    error.place = SourcePlace{.file = std::move(file)};
    return error;
}

} // namespace tasuki
