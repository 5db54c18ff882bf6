// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QLabel>

#include <functional>

namespace tasuki {

/// Says in the middle of a view why it is empty; hidden while it is not.
class EmptyHint : public QLabel {
    Q_OBJECT

public:
    /// @param text  asked for whenever the view becomes empty or its model tells changes
    EmptyHint(QAbstractItemView& view, std::function<QString()> text);
    /// Asks for the text again.
    void renew();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAbstractItemView& m_view;
    std::function<QString()> m_text;
};

} // namespace tasuki
