// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "launchpreview.h"
#include "topologydocument.h"

class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QTableView;

namespace tasuki {

class DiffView;
class ProblemBar;
class TextTableModel;
class ValueLine;

/// What comes of a topology, while it is edited: units and processors of a launch that is tried
/// out, and the lines of the file that saving would change.
class OutcomeView : public QWidget {
    Q_OBJECT

public:
    enum class Page : std::uint8_t { Units, Processors, Drawing, Changes };

    /// @param document  must outlive the widget
    explicit OutcomeView(TopologyDocument& document, QWidget* parent = nullptr);

    void showPage(Page page);
    [[nodiscard]] Page page() const;
    /// Does at once what it does a moment after an edit.
    void renewNow();
    /// Takes what is typed. @return false: it is wrong; it has the focus
    bool finishEditing();

    [[nodiscard]] ValueLine& launch() const { return *m_launch; }
    [[nodiscard]] ProblemBar& problems() const { return *m_problems; }
    [[nodiscard]] const TextTableModel& units() const { return *m_units; }
    [[nodiscard]] const TextTableModel& processors() const { return *m_processors; }
    [[nodiscard]] QPlainTextEdit& drawing() const { return *m_drawing; }
    [[nodiscard]] DiffView& diff() const { return *m_diff; }
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    /// Somebody wants to mend what is wrong there.
    void placeWanted(const tasuki::TopologyPlace& place);

private:
    QWidget* makeLaunch();
    QTableView* makeTable(TextTableModel& model, const QString& name);
    void renewLaunch();
    void renewProblems();
    void renewDiff();
    void renewTitles();
    [[nodiscard]] QString hint() const;

    TopologyDocument& m_document;
    QTimer m_later;
    LaunchPreview m_preview;
    ValueLine* m_launch = nullptr;
    QLabel* m_summary = nullptr;
    ProblemBar* m_problems = nullptr;
    QTabWidget* m_tabs = nullptr;
    TextTableModel* m_units;
    TextTableModel* m_processors;
    QPlainTextEdit* m_drawing = nullptr;
    DiffView* m_diff = nullptr;
};

} // namespace tasuki
