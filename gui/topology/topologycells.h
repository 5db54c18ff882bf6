// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/topology.h"
#include "config/topologyrules.h"
#include "domain/diagnostic.h"
#include "topologyplace.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

/// What an operator can edit of a topology, as texts of cells. Values are checked by the rules of
/// topology files, in their words.
namespace tasuki {

inline constexpr std::array systemFields{
    config::TopologyField::HeartbeatMs, config::TopologyField::SuspectAfter,
    config::TopologyField::LostAfter, config::TopologyField::Policy, config::TopologyField::Rejoin};

/// The columns of the table of subclusters.
inline constexpr std::array subclusterFields{
    config::TopologyField::Name,           config::TopologyField::Active,
    config::TopologyField::Standby,        config::TopologyField::Io,
    config::TopologyField::Minimum,        config::TopologyField::RestartCount,
    config::TopologyField::RestartWithinS, config::TopologyField::Units,
    config::TopologyField::Hosts,          config::TopologyField::DedicatedMaster,
    config::TopologyField::WorldCommand};

/// @return how people call a field: "Suspect after"
QString fieldName(config::TopologyField field);
/// @return what it means, in a sentence or two
QString explanation(config::TopologyField field);
/// @return what happens when a subcluster is down, in a line
QString policyName(DownPolicy policy);
QString kindName(ProcessorKind kind);
/// @return message and remedy, for people
QString sentence(const config::TopologyFault& fault);
/// The same of something that a launch does not fit, without its place.
QString sentence(const Diagnostic& told);

/// @return a cell in words, e.g. "antenna: Minimum"
QString placeName(const config::Topology& topology, const TopologyPlace& place);
/// @param text  of a cell, exact
/// @return as people see it
QString placeValue(const TopologyPlace& place, const QString& text);

/// @return all cells of a topology
std::vector<TopologyPlace> cellsOf(const config::Topology& topology);
/// @return the exact text of a cell; none: there is no such cell
std::optional<QString> editText(const config::Topology& topology, const TopologyPlace& place);
/// Reads a text into a cell, which is there: see below.
QString setField(config::Topology& topology, const TopologyPlace& place, const QString& text);

/// @return the exact text to edit. Empty: not given
QString editText(const config::Topology& topology, config::TopologyField field);
QString editText(const config::SubclusterSpec& spec, config::TopologyField field);
/// @return the text to show: words where nothing is given
QString shownText(const config::SubclusterSpec& spec, config::TopologyField field);
/// Whether a value is "not given".
bool isUnset(const config::SubclusterSpec& spec, config::TopologyField field);
/// Whether it may be.
bool isOptional(config::TopologyField field);

/// Reads a text into the value, as far as it can be told without looking at others.
/// @return what is wrong, for people, and nothing is changed; empty: it was taken
QString setField(config::Topology& topology, config::TopologyField field, const QString& text);
QString setField(config::SubclusterSpec& spec, config::TopologyField field, const QString& text);

} // namespace tasuki
