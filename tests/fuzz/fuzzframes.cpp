// SPDX-License-Identifier: GPL-3.0-or-later
// Frames as a hostile peer could send them, in both directions. The first byte says the direction
// (even: to the agent) and how the rest is cut into pieces.
#include "fuzztarget.h"

#include "wire/framing.h"
#include "wire/linkcodec.h"

#include <algorithm>

namespace fuzz_frames {

namespace {

using namespace tasuki;
using namespace tasuki::link;

/// What was understood must be sent and understood again as the same.
template <class Decode>
void check(std::string_view payload, const Decode& decode)
{
    const auto message = decode(payload);
    if (!message) {
        if (message.error().kind != ErrorKind::Protocol || message.error().message.empty())
            fuzz::fail("an error without words");
        return;
    }
    const std::string bytes = encode(*message);
    const auto again = decode(bytes);
    if (!again)
        fuzz::fail("what was sent is not understood");
    if (encode(*again) != bytes)
        fuzz::fail("what was sent is understood as something else");
}

template <class Decode>
void feed(std::string_view stream, std::size_t pieceSize, std::size_t limit, const Decode& decode)
{
    FrameDecoder frames(limit);
    while (!stream.empty()) {
        const std::string_view piece = stream.substr(0, pieceSize);
        stream.remove_prefix(piece.size());
        frames.feed(piece);
        for (;;) {
            const auto payload = frames.next();
            if (!payload)
                return;
            if (!*payload)
                break;
            if ((*payload)->empty() || (*payload)->size() > limit)
                fuzz::fail("a frame beyond its limits");
            check(**payload, decode);
        }
    }
}

} // namespace

TASUKI_FUZZ_TARGET(framesSeeds)
{
    if (size == 0)
        return 0;
    const unsigned choice = data[0];
    const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t pieceSize = 1 + choice / 2;
    if (choice % 2 == 0)
        feed(stream, pieceSize, handshakeFrameLimit, decodeClientMessage);
    else
        feed(stream, pieceSize * 16, frameLimit, decodeAgentMessage);
    return 0;
}

} // namespace fuzz_frames
