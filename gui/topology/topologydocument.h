// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/filedocument.h"
#include "editedtopology.h"
#include "topologychanges.h"

#include <string>
#include <vector>

namespace tasuki {

/// A topology that is edited, with its file. GUI thread.
class TopologyDocument : public FileDocument {
    Q_OBJECT

public:
    explicit TopologyDocument(QObject* parent = nullptr);

    [[nodiscard]] EditedTopology& edited() { return m_edited; }
    [[nodiscard]] const EditedTopology& edited() const { return m_edited; }
    [[nodiscard]] const config::Topology& topology() const { return m_edited.topology(); }
    [[nodiscard]] bool isEmpty() const override { return m_edited.isEmpty(); }
    [[nodiscard]] std::string textToSave() const override;
    /// Comments of the file that saving would lose.
    [[nodiscard]] std::vector<std::string> ownComments() const;
    /// What is another than in the file.
    [[nodiscard]] std::vector<TopologyChange> changes() const;

    /// Hosts of the launch that is tried out, see readLaunch(). No part of what is saved or undone.
    [[nodiscard]] const QString& launchText() const { return m_launchText; }
    void setLaunchText(const QString& text);

Q_SIGNALS:
    void launchChanged();

protected:
    [[nodiscard]] std::any content() const override { return topology(); }
    void setContent(std::any content) override;
    [[nodiscard]] Result<void> write(const std::string& path) const override;

private:
    [[nodiscard]] config::Topology inFile() const;

    EditedTopology m_edited{undoStack()};
    QString m_launchText;
};

} // namespace tasuki
