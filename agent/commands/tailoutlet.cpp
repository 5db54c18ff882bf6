// SPDX-License-Identifier: GPL-3.0-or-later
#include "tailoutlet.h"

#include "domain/visibletext.h"

#include <cstdio>

namespace tasuki {

namespace {

using Stream = steering::TailPiece::Stream;

void write(std::FILE* stream, const std::string& bytes)
{
    std::fwrite(bytes.data(), 1, bytes.size(), stream);
    std::fflush(stream);
}

} // namespace

void TailOutlet::say(const std::string& text)
{
    put(Stream::Words, "tasuki-agent: " + visible(text, Breaks::Blanks) + '\n');
}

void TailOutlet::print(const steering::OutputTail& tail, const steering::TailText& text)
{
    const std::uint32_t attempt = tail.key().number.value();
    if (m_place.attempt != attempt)
        m_place = {.attempt = attempt};
    if (text.missing != 0)
        say(std::to_string(text.missing) + " bytes of the output are not kept");
    m_place.output = tail.query().standardOutputFrom;
    put(Stream::Output, text.standardOutput);
    m_place.error = tail.query().standardErrorFrom;
    put(Stream::Error, text.standardError);
}

void TailOutlet::print(const steering::TailPiece& piece)
{
    write(piece.stream == Stream::Output ? stdout : stderr, piece.bytes);
}

void TailOutlet::put(Stream stream, const std::string& bytes)
{
    if (bytes.empty())
        return;
    const steering::TailPiece piece{.stream = stream, .after = m_place, .bytes = bytes};
    if (m_pieces)
        write(stdout, written(piece));
    else
        print(piece);
}

} // namespace tasuki
