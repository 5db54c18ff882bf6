// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "models/runmodels.h"

class QLabel;

namespace tasuki {

class ProgressStrip;

/// The run in figures at the top of the window: progress, counts, rate, utilisation, times, and how
/// the window stands to what it shows.
class SummaryBar : public QWidget {
    Q_OBJECT

public:
    /// @param models  must outlive the widget
    explicit SummaryBar(RunModels& models, QWidget* parent = nullptr);

private:
    struct Figure {
        QLabel* caption = nullptr;
        QLabel* value = nullptr;
    };

    Figure addFigure(const QString& caption, const QString& explanation, const QString& widest);
    void renew();
    void renewBadge(const RunSummary& summary);

    RunModels& m_models;
    QLabel* m_title = nullptr;
    QLabel* m_counts = nullptr;
    ProgressStrip* m_strip = nullptr;
    Figure m_rate;
    Figure m_utilisation;
    Figure m_remaining;
    Figure m_elapsed;
    Figure m_age;
    QLabel* m_badgeIcon = nullptr;
    QLabel* m_badge = nullptr;
    QWidget* m_badgeFrame = nullptr;
};

} // namespace tasuki
