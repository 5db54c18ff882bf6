// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "models/runsummary.h"

namespace tasuki {

/// How far a run is, as one bar: what succeeded, failed, was left out, runs and is still to come.
/// Failed tasks are hatched besides their colour and never vanish.
class ProgressStrip : public QWidget {
    Q_OBJECT

public:
    explicit ProgressStrip(QWidget* parent = nullptr);

    void setSummary(const RunSummary& summary);
    [[nodiscard]] QSize sizeHint() const override { return {200, 18}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 18}; }

    /// @return where segments end, in pixels, for succeeded, failed, other final ones and running;
    ///         a segment of any task is at least two pixels wide as long as there is room
    static std::array<int, 4> segments(const RunSummary& summary, int width);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RunSummary m_summary;
};

} // namespace tasuki
