// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "domain/diagnostic.h"
#include "views/theme.h"

#include <vector>

class QLabel;
class QScrollArea;

namespace tasuki {

/// Tells what is wrong with a file until it is closed; hidden while there is nothing to tell.
class ProblemBar : public QWidget {
    Q_OBJECT

public:
    explicit ProblemBar(QWidget* parent = nullptr);

    void show(theme::Tint tint, const QString& headline, const QString& details);
    void show(theme::Tint tint, const QString& headline,
              const std::vector<Diagnostic>& diagnostics);
    [[nodiscard]] QString headline() const;
    [[nodiscard]] QString details() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLabel* m_icon;
    QLabel* m_headline;
    QLabel* m_details;
    QScrollArea* m_scroll;
};

} // namespace tasuki
