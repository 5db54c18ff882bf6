// SPDX-License-Identifier: GPL-3.0-or-later
#include "headerlayout.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QTimer>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds restBeforeKeeping{300};

void chooseColumns(QHeaderView& header, QPoint at)
{
    QMenu menu;
    const int shown = header.count() - header.hiddenSectionCount();
    for (int column = 0; column < header.count(); ++column) {
        const QString title = header.model()->headerData(column, Qt::Horizontal).toString();
        QAction* action = menu.addAction(title);
        action->setCheckable(true);
        action->setChecked(!header.isSectionHidden(column));
        action->setEnabled(shown > 1 || header.isSectionHidden(column));
        QObject::connect(action, &QAction::toggled, &header, [&header, column](bool show) {
            header.setSectionHidden(column, !show);
            if (show && header.sectionSize(column) == 0)
                header.resizeSection(column, header.sectionSizeHint(column));
        });
    }
    menu.exec(header.viewport()->mapToGlobal(at));
}

} // namespace

void AlignedHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const
{
    QHeaderView::initStyleOptionForIndex(option, section);
    const QVariant cell = model()->index(0, section).data(Qt::TextAlignmentRole);
    if (cell.isValid())
        option->textAlignment = static_cast<Qt::Alignment>(cell.toInt());
    else if (!model()->headerData(section, orientation(), Qt::TextAlignmentRole).isValid())
        option->textAlignment = Qt::AlignLeft | Qt::AlignVCenter;
}

bool keepHeader(QHeaderView& header, Preferences& preferences, const QString& name)
{
    const bool restored = header.restoreState(preferences.layout(name));
    header.setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(&header, &QWidget::customContextMenuRequested, &header,
                     [&header](QPoint at) { chooseColumns(header, at); });

    auto* rest = new QTimer(&header);
    rest->setSingleShot(true);
    rest->setInterval(restBeforeKeeping);
    QObject::connect(rest, &QTimer::timeout, &header, [&header, &preferences, name] {
        preferences.setLayout(name, header.saveState());
    });
    const auto restart = [rest] { rest->start(); };
    QObject::connect(&header, &QHeaderView::sectionResized, rest, restart);
    QObject::connect(&header, &QHeaderView::sectionMoved, rest, restart);
    return restored;
}

} // namespace tasuki
