// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologydocument.h"

#include "config/tomlscan.h"
#include "config/topologyfile.h"
#include "topologycells.h"

#include <set>
#include <utility>

namespace tasuki {

TopologyDocument::TopologyDocument(QObject* parent)
    : FileDocument(fileFormat(config::readTopologyBytes, config::readTopologyFile,
                              config::readTopologyText, &config::TopologyReading::topology),
                   parent)
{
    connect(&m_edited, &EditedTopology::changed, this, &TopologyDocument::changed);
}

std::string TopologyDocument::textToSave() const { return config::topologyFileText(topology()); }

Result<void> TopologyDocument::write(const std::string& path) const
{
    if (const auto& faults = m_edited.faults(); !faults.empty())
        return Error{.kind = ErrorKind::Input, .message = sentence(faults.front()).toStdString()};
    return config::writeTopologyFile(path, topology());
}

void TopologyDocument::setContent(std::any content)
{
    m_edited.setAll(contentAs<config::Topology>(std::move(content)));
}

config::Topology TopologyDocument::inFile() const
{
    return config::readTopologyText(knownText(), {}).topology.value_or(config::Topology());
}

std::vector<std::string> TopologyDocument::ownComments() const
{
    std::vector<std::string> comments = config::tomlComments(knownText());
    const std::vector<std::string> written = config::tomlComments(
        config::topologyFileText(inFile()));
    const std::set<std::string> ours(written.begin(), written.end());
    std::erase_if(comments, [&ours](const std::string& one) { return ours.contains(one); });
    return comments;
}

std::vector<TopologyChange> TopologyDocument::changes() const
{
    return topologyChanges(inFile(), topology());
}

void TopologyDocument::setLaunchText(const QString& text)
{
    if (m_launchText == text)
        return;
    m_launchText = text;
    Q_EMIT launchChanged();
}

} // namespace tasuki
