// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/topology.h"

#include <QByteArray>
#include <QFile>

namespace tasuki::testing {

/// Two stages: twelve processors on two hosts, two units each.
inline config::Topology sampleTopology()
{
    config::Topology topology;
    config::SubclusterSpec antenna;
    antenna.name = "antenna";
    antenna.active = 4;
    antenna.standby = 1;
    antenna.io = 1;
    antenna.minimum = 2;
    antenna.hosts = {"node0"};
    antenna.units = 2;
    config::SubclusterSpec filter;
    filter.name = "filter";
    filter.active = 4;
    filter.standby = 1;
    filter.io = 1;
    topology.subclusters = {antenna, filter};
    return topology;
}

inline void writeFile(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)
        || file.write(content) != content.size())
        qFatal("a file cannot be written");
}

inline QByteArray readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace tasuki::testing
