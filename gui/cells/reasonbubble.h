// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPointer>

#include "checkedline.h"

namespace tasuki {

/// Says below a line, or above it where there is more room, what is wrong with it; lives and dies
/// with the line.
class ReasonBubble : public QLabel {
    Q_OBJECT

public:
    /// @param line  has a parent, in which the bubble keeps
    explicit ReasonBubble(CheckedLine& line);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void renew();

    QPointer<CheckedLine> m_line;
};

} // namespace tasuki
