// SPDX-License-Identifier: GPL-3.0-or-later
#include "acknowledgedialog.h"

#include "theme.h"

#include <QComboBox>
#include <QDateTimeEdit>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tasuki {

namespace {

using namespace std::chrono_literals;

enum class Expiry : int { Never, OneHour, EightHours, Chosen };

/// More alarms are scrolled.
constexpr qsizetype mostAlarmLines = 6;

QDateTime toDateTime(WallTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count() / 1000);
}

} // namespace

AcknowledgeDialog::AcknowledgeDialog(const QStringList& alarms, const QString& who,
                                     const QString& note, WallTime now, QWidget* parent)
    : QDialog(parent), m_now(now)
{
    setWindowTitle(tr("Acknowledge alarms"));
    auto* box = new QVBoxLayout(this);
    box->setSpacing(8);
    auto* list = new QPlainTextEdit(alarms.join(QLatin1Char('\n')));
    auto* count = new QLabel(tr("You have seen %n alarm(s) and say so to all:", nullptr,
                                static_cast<int>(alarms.size())));
    count->setWordWrap(true);
    box->addWidget(count);
    list->setReadOnly(true);
    list->setTabChangesFocus(true);
    list->setLineWrapMode(QPlainTextEdit::NoWrap);
    list->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    list->setAccessibleName(tr("Alarms that are acknowledged"));
    const qsizetype lines = std::clamp<qsizetype>(alarms.size(), 2, mostAlarmLines) + 1;
    list->setFixedHeight(static_cast<int>(lines) * fontMetrics().lineSpacing() + 12);
    box->addWidget(list);
    if (!note.isEmpty()) {
        auto* hint = new QLabel(note);
        hint->setWordWrap(true);
        hint->setTextFormat(Qt::PlainText);
        box->addWidget(hint);
    }

    auto* form = new QFormLayout;
    auto* name = new QLabel(who);
    name->setTextFormat(Qt::PlainText);
    form->addRow(tr("By"), name);
    m_comment = new QLineEdit;
    m_comment->setPlaceholderText(tr("What is being done about it"));
    form->addRow(tr("&Comment"), m_comment);
    m_expiry = new QComboBox;
    m_expiry->addItems({tr("For good"), tr("For 1 hour"), tr("For 8 hours"), tr("Until a time")});
    form->addRow(tr("&Holds"), m_expiry);
    m_time = new QDateTimeEdit(toDateTime(now + 24h));
    m_time->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm"));
    m_time->setCalendarPopup(true);
    m_time->setAccessibleName(tr("Time until which it holds"));
    form->addRow(tr("&Until"), m_time);
    box->addLayout(form);
    m_problem = new QLabel;
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::wrong(colours));
    m_problem->setPalette(colours);
    box->addWidget(m_problem);

    m_buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton* yes = m_buttons->addButton(tr("&Acknowledge"), QDialogButtonBox::AcceptRole);
    box->addWidget(m_buttons);
    yes->setDefault(true); // not before it is in the dialog: another one would be chosen
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_expiry, &QComboBox::currentIndexChanged, this, &AcknowledgeDialog::renew);
    connect(m_time, &QDateTimeEdit::dateTimeChanged, this, &AcknowledgeDialog::renew);
    m_comment->setFocus();
    resize(520, sizeHint().height());
    renew();
}

void AcknowledgeDialog::renew()
{
    const bool chosen = m_expiry->currentIndex() == static_cast<int>(Expiry::Chosen);
    m_time->setEnabled(chosen);
    const bool past = chosen && m_time->dateTime() <= toDateTime(m_now);
    m_problem->setText(past ? tr("That time has passed: choose a later one.") : QString());
    for (QAbstractButton* button : m_buttons->buttons()) {
        if (m_buttons->buttonRole(button) == QDialogButtonBox::AcceptRole)
            button->setEnabled(!past);
    }
}

QString AcknowledgeDialog::comment() const { return m_comment->text().trimmed(); }

std::optional<WallTime> AcknowledgeDialog::until(WallTime now) const
{
    switch (static_cast<Expiry>(m_expiry->currentIndex())) {
    case Expiry::Never: return std::nullopt;
    case Expiry::OneHour: return now + 1h;
    case Expiry::EightHours: return now + 8h;
    case Expiry::Chosen: break;
    }
    return WallTime(std::chrono::milliseconds(m_time->dateTime().toMSecsSinceEpoch()));
}

} // namespace tasuki
