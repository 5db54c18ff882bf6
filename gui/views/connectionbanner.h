// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "bannertext.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace tasuki {

/// Tells below the summary what is wrong with the connection; hidden when nothing is.
class ConnectionBanner : public QWidget {
    Q_OBJECT

public:
    /// @param session  must outlive the widget
    explicit ConnectionBanner(Session& session, QWidget* parent = nullptr);

    [[nodiscard]] bool stale() const { return m_content && m_content->stale; }
    /// Says it anew.
    void renew();

Q_SIGNALS:
    void staleChanged(bool stale);
    /// The operator wants the record of a run whose agent has ended.
    void runFileWanted(const QString& path);
    /// The operator wants the run to go on, or what has failed to be tried again.
    void resumeWanted();

private:
    void display(const BannerContent& content);
    void doRemedy();

    Session& m_session;
    std::optional<BannerContent> m_content;
    QTimer m_countdown;
    QLabel* m_icon = nullptr;
    QLabel* m_text = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_remedy = nullptr;
};

} // namespace tasuki
