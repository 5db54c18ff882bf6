// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologycells.h"

#include "models/wording.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <optional>

namespace tasuki {

namespace {

using config::TopologyField;

/// Context of the texts.
struct TopologyCells {
    Q_DECLARE_TR_FUNCTIONS(TopologyCells)
};

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString expectation(const config::WholeRule& rule)
{
    return TopologyCells::tr("Expected %1, e.g. %2.")
        .arg(wording::phrase(rule.expected()), textOf(rule.example));
}

template <class Number>
QString setWhole(Number& value, TopologyField field, const QString& text)
{
    const config::WholeRule& rule = *config::ruleOf(field);
    const auto typed = config::parseWhole(text.toStdString(), rule);
    if (!typed)
        return expectation(rule);
    value = static_cast<Number>(*typed);
    return {};
}

template <class Duration>
QString setDuration(Duration& value, TopologyField field, const QString& text)
{
    typename Duration::rep number = 0;
    QString wrong = setWhole(number, field, text);
    if (wrong.isEmpty())
        value = Duration(number);
    return wrong;
}

QString setUnits(std::optional<std::uint32_t>& units, const QString& text)
{
    if (text.trimmed().isEmpty()) {
        units.reset();
        return {};
    }
    std::uint32_t number = 0;
    QString wrong = setWhole(number, TopologyField::Units, text);
    if (wrong.isEmpty())
        units = number;
    return wrong;
}

/// What else is said of the world stays.
void setWorld(std::optional<config::WorldSpec>& world, const QString& text)
{
    const QString command = text.trimmed();
    if (command.isEmpty()) {
        world.reset();
        return;
    }
    if (!world)
        world.emplace();
    world->command = command.toStdString();
}

void setHosts(std::vector<std::string>& hosts, const QString& text)
{
    static const QRegularExpression between(QStringLiteral("[,;\\s]+"));
    hosts.clear();
    for (const QString& host : text.split(between, Qt::SkipEmptyParts))
        hosts.push_back(host.toStdString());
}

QString setPolicy(DownPolicy& policy, const QString& text)
{
    const auto typed = config::policyFromWord(text.trimmed().toStdString());
    if (!typed)
        return TopologyCells::tr("Expected continue, restart or stop.");
    policy = *typed;
    return {};
}

QString setFlag(bool& flag, const QString& text)
{
    const QString word = text.trimmed().toLower();
    const bool yes = word == QLatin1String("true") || word == QLatin1String("1");
    if (!yes && word != QLatin1String("false") && word != QLatin1String("0"))
        return TopologyCells::tr("Expected true or false.");
    flag = yes;
    return {};
}

} // namespace

std::vector<TopologyPlace> cellsOf(const config::Topology& topology)
{
    std::vector<TopologyPlace> cells;
    for (const TopologyField field : systemFields)
        cells.push_back({.subcluster = {}, .field = field});
    for (std::size_t i = 0; i < topology.subclusters.size(); ++i) {
        for (const TopologyField field : subclusterFields)
            cells.push_back({.subcluster = i, .field = field});
    }
    return cells;
}

std::optional<QString> editText(const config::Topology& topology, const TopologyPlace& place)
{
    if (!place.field)
        return std::nullopt;
    if (!place.subcluster)
        return editText(topology, *place.field);
    if (*place.subcluster >= topology.subclusters.size())
        return std::nullopt;
    return editText(topology.subclusters[*place.subcluster], *place.field);
}

QString setField(config::Topology& topology, const TopologyPlace& place, const QString& text)
{
    return place.subcluster ? setField(topology.subclusters[*place.subcluster], *place.field, text)
                            : setField(topology, *place.field, text);
}

QString editText(const config::Topology& topology, TopologyField field)
{
    switch (field) {
    case TopologyField::HeartbeatMs: return QString::number(topology.heartbeat.count());
    case TopologyField::SuspectAfter: return QString::number(topology.suspectAfter);
    case TopologyField::LostAfter: return QString::number(topology.lostAfter);
    case TopologyField::Policy: return textOf(config::policyWord(topology.policy));
    case TopologyField::Rejoin:
        return topology.rejoin ? QStringLiteral("true") : QStringLiteral("false");
    default: return {};
    }
}

QString editText(const config::SubclusterSpec& spec, TopologyField field)
{
    switch (field) {
    case TopologyField::Name: return QString::fromStdString(spec.name);
    case TopologyField::Active: return QString::number(spec.active);
    case TopologyField::Standby: return QString::number(spec.standby);
    case TopologyField::Io: return QString::number(spec.io);
    case TopologyField::Minimum: return QString::number(spec.minimum);
    case TopologyField::RestartCount: return QString::number(spec.restarts.count);
    case TopologyField::RestartWithinS: return QString::number(spec.restarts.within.count());
    case TopologyField::Units: return spec.units ? QString::number(*spec.units) : QString();
    case TopologyField::DedicatedMaster:
        return spec.dedicatedMaster ? QStringLiteral("true") : QStringLiteral("false");
    case TopologyField::Hosts: {
        QStringList hosts;
        for (const std::string& host : spec.hosts)
            hosts << QString::fromStdString(host);
        return hosts.join(QStringLiteral(", "));
    }
    case TopologyField::WorldCommand:
        return spec.world ? QString::fromStdString(spec.world->command) : QString();
    default: return {};
    }
}

QString shownText(const config::SubclusterSpec& spec, TopologyField field)
{
    if (field == TopologyField::DedicatedMaster)
        return spec.dedicatedMaster ? TopologyCells::tr("yes") : TopologyCells::tr("no");
    if (!isUnset(spec, field))
        return editText(spec, field);
    if (field == TopologyField::WorldCommand)
        return TopologyCells::tr("tasks");
    return field == TopologyField::Units ? TopologyCells::tr("one a host")
                                         : TopologyCells::tr("what others leave");
}

bool isUnset(const config::SubclusterSpec& spec, TopologyField field)
{
    return (field == TopologyField::Units && !spec.units)
        || (field == TopologyField::Hosts && spec.hosts.empty())
        || (field == TopologyField::WorldCommand && !spec.world);
}

bool isOptional(TopologyField field)
{
    return field == TopologyField::Units || field == TopologyField::Hosts
        || field == TopologyField::WorldCommand;
}

QString setField(config::Topology& topology, TopologyField field, const QString& text)
{
    switch (field) {
    case TopologyField::HeartbeatMs: return setDuration(topology.heartbeat, field, text);
    case TopologyField::SuspectAfter: return setWhole(topology.suspectAfter, field, text);
    case TopologyField::LostAfter: return setWhole(topology.lostAfter, field, text);
    case TopologyField::Policy: return setPolicy(topology.policy, text);
    case TopologyField::Rejoin: return setFlag(topology.rejoin, text);
    default: return {};
    }
}

QString setField(config::SubclusterSpec& spec, TopologyField field, const QString& text)
{
    switch (field) {
    case TopologyField::Name: spec.name = text.trimmed().toStdString(); return {};
    case TopologyField::Active: return setWhole(spec.active, field, text);
    case TopologyField::Standby: return setWhole(spec.standby, field, text);
    case TopologyField::Io: return setWhole(spec.io, field, text);
    case TopologyField::Minimum: return setWhole(spec.minimum, field, text);
    case TopologyField::RestartCount: return setWhole(spec.restarts.count, field, text);
    case TopologyField::RestartWithinS: return setDuration(spec.restarts.within, field, text);
    case TopologyField::Units: return setUnits(spec.units, text);
    case TopologyField::Hosts: setHosts(spec.hosts, text); return {};
    case TopologyField::DedicatedMaster: return setFlag(spec.dedicatedMaster, text);
    case TopologyField::WorldCommand: setWorld(spec.world, text); return {};
    default: return {};
    }
}

QString sentence(const config::TopologyFault& fault)
{
    return TopologyCells::tr("%1; %2").arg(wording::phrase(fault.message),
                                           wording::phrase(fault.remedy));
}

QString sentence(const Diagnostic& told)
{
    return TopologyCells::tr("%1; %2").arg(wording::phrase(told.message),
                                           wording::phrase(told.remedy));
}

} // namespace tasuki
