// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "steering/outputtail.h"
#include "steering/tailpieces.h"

#include <string>

namespace tasuki {

/// Where `tail` puts what it shows: standard output and standard error, or pieces for a `tail` on another host.
class TailOutlet {
public:
    explicit TailOutlet(bool pieces) : m_pieces(pieces) {}

    /// What tail itself says.
    void say(const std::string& text);
    /// @param tail  has just given the text
    void print(const steering::OutputTail& tail, const steering::TailText& text);
    /// A piece that came from another host.
    static void print(const steering::TailPiece& piece);

private:
    void put(steering::TailPiece::Stream stream, const std::string& bytes);

    bool m_pieces;
    steering::TailPlace m_place; ///< shown so far
};

} // namespace tasuki
