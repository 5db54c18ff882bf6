// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/valueform.h"
#include "editedtopology.h"

#include <map>

class QCheckBox;
class QComboBox;
class QLabel;

namespace tasuki {

/// What holds for the whole system: heartbeats, and what follows when a subcluster is down.
class SystemForm : public ValueForm {
    Q_OBJECT

public:
    /// @param document  must outlive the widget
    explicit SystemForm(EditedTopology& document, QWidget* parent = nullptr);

    /// @param field  one that is a number
    [[nodiscard]] ValueLine& line(config::TopologyField field) const { return *m_lines.at(field); }
    [[nodiscard]] QComboBox& policy() const { return *m_policy; }
    [[nodiscard]] QCheckBox& rejoin() const { return *m_rejoin; }
    void focus(config::TopologyField field);

private:
    void addField(QGridLayout& grid, config::TopologyField field, const QString& label);
    void addPolicy(QGridLayout& grid);
    void addRejoin(QGridLayout& grid);
    [[nodiscard]] QWidget* valueOf(config::TopologyField field) const;
    void renew();
    void renewMark(config::TopologyField field, QLabel& unit) const;

    EditedTopology& m_document;
    std::map<config::TopologyField, ValueLine*> m_lines;
    std::map<config::TopologyField, QLabel*> m_units; ///< what stands behind the values
    QComboBox* m_policy = nullptr;
    QCheckBox* m_rejoin = nullptr;
};

} // namespace tasuki
