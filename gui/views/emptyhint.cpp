// SPDX-License-Identifier: GPL-3.0-or-later
#include "emptyhint.h"

#include <QEvent>

namespace tasuki {

EmptyHint::EmptyHint(QAbstractItemView& view, std::function<QString()> text)
    : QLabel(view.viewport()), m_view(view), m_text(std::move(text))
{
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setForegroundRole(QPalette::PlaceholderText);
    setMargin(16);
    view.viewport()->installEventFilter(this);
    const auto* model = view.model();
    connect(model, &QAbstractItemModel::rowsInserted, this, &EmptyHint::renew);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &EmptyHint::renew);
    connect(model, &QAbstractItemModel::modelReset, this, &EmptyHint::renew);
    connect(model, &QAbstractItemModel::layoutChanged, this, &EmptyHint::renew);
    renew();
}

void EmptyHint::renew()
{
    const bool empty = m_view.model()->rowCount() == 0;
    if (empty) {
        setText(m_text());
        setGeometry(m_view.viewport()->rect());
    }
    setVisible(empty && !text().isEmpty());
}

bool EmptyHint::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        setGeometry(m_view.viewport()->rect());
    return QLabel::eventFilter(watched, event);
}

} // namespace tasuki
