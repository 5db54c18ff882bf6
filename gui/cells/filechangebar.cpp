// SPDX-License-Identifier: GPL-3.0-or-later
#include "filechangebar.h"

#include "views/icons.h"
#include "views/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace tasuki {

FileChangeBar::FileChangeBar(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel),
      m_headline(new QLabel),
      m_reload(new QPushButton(tr("Reload"))),
      m_mine(new QPushButton(tr("Keep mine")))
{
    setAutoFillBackground(true);
    auto* box = new QHBoxLayout(this);
    box->setContentsMargins(10, 6, 6, 6);
    box->setSpacing(8);
    QFont bold = font();
    bold.setBold(true);
    m_headline->setFont(bold);
    m_headline->setWordWrap(true);
    m_headline->setTextFormat(Qt::PlainText);
    m_reload->setToolTip(tr("Show what stands in the file; Undo brings back what is here"));
    m_mine->setToolTip(tr("What is here stands, and replaces the file when it is saved"));
    box->addWidget(m_icon, 0, Qt::AlignVCenter);
    box->addWidget(m_headline, 1);
    box->addWidget(m_reload, 0, Qt::AlignTop);
    box->addWidget(m_mine, 0, Qt::AlignTop);
    hide();
}

void FileChangeBar::show(const FileOnDisk& file, const QString& name)
{
    QPalette colours = parentWidget() != nullptr ? parentWidget()->palette() : palette();
    colours.setColor(QPalette::Window, theme::tint(theme::Tint::Conflict, colours));
    setPalette(colours);
    const int size = fontMetrics().height() + 2;
    m_icon->setPixmap(icons::severity(Severity::Warning).pixmap(size, size));
    switch (file.state) {
    case FileOnDisk::State::Gone:
        m_headline->setText(tr("%1 is no longer there.").arg(name));
        break;
    case FileOnDisk::State::Unreadable:
        m_headline->setText(tr("%1 cannot be read any more: %2").arg(name, file.problem));
        break;
    default:
        m_headline->setText(tr("Somebody else has written %1 since it was read here.").arg(name));
        break;
    }
    m_reload->setVisible(file.state == FileOnDisk::State::Changed);
    setVisible(file.state != FileOnDisk::State::AsKnown);
}

QString FileChangeBar::headline() const { return m_headline->text(); }

} // namespace tasuki
