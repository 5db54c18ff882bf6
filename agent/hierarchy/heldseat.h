// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "standing.h"
#include "tables.h"

#include <optional>

namespace tasuki::hierarchy {

/// The seat that a processor holds by the tables, unless it may not, or is to let go of it. States and what
/// leads from one to the other: docs/hierarchy.md, "A seat, as its holder sees it".
class HeldSeat {
public:
    /// What a look at the own table leads to.
    struct Look {
        bool changed = false;              ///< now() is another one
        std::optional<Holding> toLetGo;    ///< nothing is to be done in it any more, from now on
        std::optional<Holding> vacated;    ///< let go of, as the table does not show yet
        std::optional<Holding> toSayTaken; ///< held, as the table does not show yet
        bool taken = false;                ///< and that is new
    };

    /// @param table  the own one
    Look look(const ClusterTable& table, ProcessorId self, Standing standing);
    /// The lease is over, or the processor gives itself up.
    /// @param lettingGo  what is done in it is ended in order: stopped() is told when that is so
    /// @return what was held; none: nothing
    std::optional<Holding> drop(bool lettingGo);
    /// Nothing is done any more in a seat that was to be let go of.
    /// @return whether that is news
    bool stopped(const Holding& holding);
    /// A new life begins: nothing of the one before is done any more. It still says what it held
    /// last, so that no holding is given out twice.
    void beginAnew() { m_stopped = true; }

    [[nodiscard]] std::optional<Holding> now() const { return m_holding; }
    /// The present holding, or the one before.
    [[nodiscard]] std::optional<Holding> last() const { return m_last; }
    /// Whether nothing is done in a seat that was to be let go of.
    [[nodiscard]] bool released() const { return !m_letGo || m_stopped; }

private:
    std::optional<Holding> m_holding;
    std::optional<Holding> m_last;
    std::optional<Holding> m_letGo; ///< was to be, and is not held any more
    bool m_stopped = false;         ///< nothing is done in it any more
};

} // namespace tasuki::hierarchy
