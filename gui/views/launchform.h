// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "launchplan.h"
#include "preferences.h"

#include <array>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace tasuki {

/// The values of a LaunchPlan, in lines with a caption, each with what is wrong with it below. Of what is started it shows
/// the lines that mean anything to it.
class LaunchForm : public QWidget {
    Q_OBJECT

public:
    /// @param preferences  has the numbers and hosts of the last time; must outlive the form
    explicit LaunchForm(Preferences& preferences, QWidget* parent = nullptr);

    [[nodiscard]] LaunchPlan plan() const;
    void setProgram(LaunchPlan::Program program);
    /// Also proposes directory and run file, where nobody has chosen them.
    void setTaskList(const QString& path);
    /// Shows how a recorded run goes on; what is started, and its run file, are given.
    void setResumption(const LaunchPlan& plan);
    /// Next time the form begins with these numbers and hosts.
    void remember();

    [[nodiscard]] QComboBox& program() { return *m_program; }
    /// The line of a value that is a text. Precondition: it is one.
    [[nodiscard]] QLineEdit& line(LaunchPlan::Field field) { return *m_lines[indexOf(field)]; }

Q_SIGNALS:
    void edited();

private:
    using Field = LaunchPlan::Field;
    static std::size_t indexOf(Field field) { return static_cast<std::size_t>(field); }

    void addRow(Field field, const QString& label, QWidget* widget);
    void addLine(Field field, const QString& label, const QString& name, const QString& hint = {});
    /// @param browse  asks for a path, and puts it into the line
    void addPath(Field field, const QString& label, const QString& name, const QString& hint,
                 void (LaunchForm::*browse)());
    void makeNumbers();
    void makeLines();
    void linkFields();
    void browseTaskList();
    void browseFiles();
    void browseOutput();
    void browseDirectory();
    void browseHosts();
    void browseTopology();
    [[nodiscard]] QString browsed(const QString& title, Field field);
    void proposeNames();
    void renew();

    Preferences& m_preferences;
    QFormLayout* m_form = nullptr;
    QComboBox* m_program = nullptr;
    QLabel* m_tasks = nullptr;                            ///< which ones, of RetryTasks
    std::array<QLineEdit*, LaunchPlan::fields> m_lines{}; ///< null: the value is no text
    std::array<QWidget*, LaunchPlan::fields> m_rows{};    ///< what stands beside the caption
    std::array<QLabel*, LaunchPlan::fields> m_problems{};
    QSpinBox* m_ranks = nullptr;
    QSpinBox* m_slots = nullptr;
    QCheckBox* m_dedicated = nullptr;
    QComboBox* m_law = nullptr;
    QWidget* m_ofTasks = nullptr; ///< the numbers that only farm and serve have
    LaunchPlan m_given;           ///< what the form does not have
    bool m_ownDirectory = false;  ///< the user chose it
    bool m_ownRunFile = false;
    bool m_ownOutput = false;
};

} // namespace tasuki
