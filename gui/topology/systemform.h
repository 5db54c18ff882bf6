// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

#include "topologydocument.h"

#include <map>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;

namespace tasuki {

class ValueLine;

/// What holds for the whole system: heartbeats, and what follows when a subcluster is down.
class SystemForm : public QScrollArea {
    Q_OBJECT

public:
    /// @param document  must outlive the widget
    explicit SystemForm(TopologyDocument& document, QWidget* parent = nullptr);

    /// @param field  one that is a number
    [[nodiscard]] ValueLine& line(config::TopologyField field) const { return *m_lines.at(field); }
    [[nodiscard]] QComboBox& policy() const { return *m_policy; }
    [[nodiscard]] QCheckBox& rejoin() const { return *m_rejoin; }
    /// Takes what is typed. @return false: a line is wrong; it has the focus
    bool finishEditing();
    void focus(config::TopologyField field);

private:
    void addTitle(QGridLayout& grid, const QString& title, const QString& explanation);
    void addLine(QGridLayout& grid, config::TopologyField field, const QString& label);
    void addPolicy(QGridLayout& grid);
    void addRejoin(QGridLayout& grid);
    [[nodiscard]] QWidget* valueOf(config::TopologyField field) const;
    void renew();
    void renewMark(config::TopologyField field, QLabel& unit) const;

    TopologyDocument& m_document;
    std::map<config::TopologyField, ValueLine*> m_lines;
    std::map<config::TopologyField, QLabel*> m_units; ///< what stands behind the values
    QComboBox* m_policy = nullptr;
    QCheckBox* m_rejoin = nullptr;
};

} // namespace tasuki
