// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace tasuki {

/// Dims a widget whose content is not what is, and stays out of the way of the mouse.
class StaleVeil : public QWidget {
    Q_OBJECT

public:
    /// Covers the whole of a widget; hidden at first.
    explicit StaleVeil(QWidget& covered);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace tasuki
