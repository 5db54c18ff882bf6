// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include "cells/cellfault.h"
#include "cells/editstep.h"
#include "environmentfield.h"
#include "nodeexcerpt.h"

#include <variant>

/// What it comes to when cells of an environment are set, by the rules of environment files.
namespace tasuki {

/// A cell of the table of nodes. `node` may be the number of nodes or more: then nodes are added.
struct NodeCell {
    std::uint32_t node = 0;
    NodeField field{};
    QString text;
};

/// A cell of the table of links.
struct LinkCell {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    LinkFigure figure{};
    QString text; ///< empty: the link has no figures of its own; of a burst: it has the default's
};

struct NodePair {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

/// Values of an environment before and after an edit; places of links are those in
/// Environment::links.
using EnvironmentEdit = ValueEdit<plan::NodeSpec, std::optional<plan::LinkSpec>, GeneralSpec>;

struct EnvironmentChange {
    QString name = {}; ///< of the step, for people
    EnvironmentEdit edit = {};
    NodeExcerpt added = {}; ///< nodes behind the last one
};
using EnvironmentOutcome = std::variant<EnvironmentChange, CellFault>;

/// @return what is wrong with the text, for people; empty: the cell can have it
QString problem(const plan::Environment& environment, const NodeCell& cell);

EnvironmentOutcome setCells(const plan::Environment& environment, const QList<NodeCell>& cells);
/// @param bothWays  sets the links back to the same, those that are not among the cells
EnvironmentOutcome setCells(const plan::Environment& environment, const QList<LinkCell>& cells,
                            bool bothWays);
EnvironmentOutcome setCell(const plan::Environment& environment, GeneralField field,
                           const QString& text);
/// The default holds again for links.
EnvironmentChange clearLinks(const plan::Environment& environment, const QList<NodePair>& pairs,
                             bool bothWays);

/// @return a node that can be added: the name counts on from the last one
plan::NodeSpec freshNode(const std::vector<plan::NodeSpec>& nodes);
/// @return the name with a number behind it, the first that no node has; the name itself if free
std::string freeName(const std::vector<plan::NodeSpec>& nodes, const std::string& name);

} // namespace tasuki
