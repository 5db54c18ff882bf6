// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/session.h"
#include "systemtree.h"

#include <QCoreApplication>
#include <QStringList>

namespace tasuki {

struct SystemBadge;

/// A row of the tree of the failure hierarchy in the language of the user.
class SystemTreeText {
    Q_DECLARE_TR_FUNCTIONS(tasuki::SystemTreeText)

public:
    /// @param node, session  must outlive this object
    SystemTreeText(const SystemNode& node, const Session& session)
        : m_node(node), m_figures(node.figures), m_session(session)
    {}

    /// @return e.g. "antenna", "node0/1"; of a processor its number
    [[nodiscard]] QString name() const;
    /// @return e.g. "rank 2", "I/O 0"; of more than one "3 of 4 ranks"; empty: it has none
    [[nodiscard]] QString seat() const;
    [[nodiscard]] QString state() const;
    [[nodiscard]] QString done() const;
    [[nodiscard]] QString busy() const;
    /// @return e.g. "waits in MPI_Recv, 1,200/s"; of several "3 wait, 1 computes"; empty: there is none
    [[nodiscard]] QString program() const;
    /// What else is to be known at a glance. What the seat says already is left out.
    [[nodiscard]] QList<SystemBadge> badges() const;
    /// All that is known, a line each.
    [[nodiscard]] QStringList lines() const;

private:
    [[nodiscard]] QString stateOfSeveral() const;
    [[nodiscard]] QString stateOfProgram() const;
    [[nodiscard]] QString point() const;
    [[nodiscard]] QString stateOfPrograms() const;
    [[nodiscard]] QStringList processorLines() const;
    [[nodiscard]] QStringList subclusterLines() const;
    [[nodiscard]] QStringList systemLines() const;

    const SystemNode& m_node;
    const SystemFigures& m_figures;
    const Session& m_session;
};

} // namespace tasuki
