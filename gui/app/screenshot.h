// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include "domain/clock.h"

namespace tasuki {

class MainWindow;

/// Waits until a window shows what it was opened with, and writes a picture of it. GUI thread.
class Screenshot : public QObject {
    Q_OBJECT

public:
    /// @param window, clock  must outlive this object
    /// @param patience  how long loading may take
    Screenshot(MainWindow& window, QString file, const Clock& clock,
               std::chrono::seconds patience = std::chrono::seconds(60));

Q_SIGNALS:
    /// @param problem  why there is no picture, one line; empty: there is
    void done(const QString& problem);

private:
    void look();
    /// @return why there will never be anything to see; empty: there may be
    [[nodiscard]] QString hopeless() const;
    [[nodiscard]] bool ready() const;
    void settle();
    void take();
    void finish(const QString& problem);

    MainWindow& m_window;
    QString m_file;
    const Clock& m_clock;
    std::chrono::seconds m_patience;
    SteadyTime m_begin;
    QTimer m_timer;
};

} // namespace tasuki
