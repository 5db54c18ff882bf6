// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandreport.h"

#include "icons.h"
#include "models/wording.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPointer>
#include <QVBoxLayout>

namespace tasuki {

CommandOutcome describe(const QString& what, const Result<CommandAnswer>& answer,
                        std::size_t wanted)
{
    CommandOutcome outcome;
    if (!answer) {
        outcome.headline = CommandReport::tr("%1: the agent gave no answer: %2")
                               .arg(what, wording::text(answer.error().text()));
        return outcome;
    }
    const QLocale locale;
    for (const TaskConflict& conflict : answer->conflicts) {
        outcome.lines << CommandReport::tr("Task %1: %2")
                             .arg(locale.toString(conflict.id.value()),
                                  wording::conflict(conflict.cause));
    }
    for (const std::string& detail : answer->details)
        outcome.lines << wording::text(detail);
    const std::size_t left = answer->conflicts.size();
    if (!answer->accepted) {
        outcome.headline =
            CommandReport::tr("%1: refused. %2").arg(what, wording::phrase(answer->reason));
    } else if (left > 0) {
        outcome.headline = CommandReport::tr("%1: done for %2 of %3 tasks; these stay as they are:")
                               .arg(what,
                                    locale.toString(qulonglong{wanted > left ? wanted - left : 0}),
                                    locale.toString(qulonglong{wanted}));
    } else {
        outcome.good = true;
        outcome.headline = wanted > 0
            ? CommandReport::tr("%1: done for %n task(s).", nullptr, static_cast<int>(wanted))
                  .arg(what)
            : CommandReport::tr("%1: done.").arg(what);
    }
    return outcome;
}

CommandOutcome describeAlarms(const QString& what, const Result<CommandAnswer>& answer,
                              std::size_t wanted, const std::function<QString(EventId)>& text)
{
    CommandOutcome outcome = describe(what, answer, 0);
    if (!answer)
        return outcome;
    const std::size_t left = answer->alarms.size();
    for (const EventId alarm : answer->alarms)
        outcome.lines << text(alarm);
    if (answer->accepted && left == 0) {
        outcome.headline = CommandReport::tr("%1: done for %n alarm(s).", nullptr,
                                             static_cast<int>(wanted))
                               .arg(what);
    } else if (left > 0) {
        outcome.good = false;
        const QLocale locale;
        outcome.headline = answer->accepted
            ? CommandReport::tr("%1: done for %2 of %3 alarms; others have acknowledged these "
                                "meanwhile:")
                  .arg(what, locale.toString(qulonglong{wanted > left ? wanted - left : 0}),
                       locale.toString(qulonglong{wanted}))
            : CommandReport::tr("%1: not done. Others have acknowledged these meanwhile:")
                  .arg(what);
    }
    return outcome;
}

void sendAndTell(Session& session, OperatorCommand command, QWidget& place, const QString& what,
                 std::function<CommandOutcome(const Result<CommandAnswer>&)> describe,
                 std::function<void(const QString&)> say)
{
    const QPointer<QWidget> guard(&place);
    session.sendCommand(std::move(command),
                        [guard, what, words = std::move(describe),
                         tell = std::move(say)](const Result<CommandAnswer>& answer) {
                            if (!guard)
                                return;
                            const CommandOutcome outcome = words(answer);
                            tell(outcome.headline);
                            if (outcome.good)
                                return;
                            auto* report = new CommandReport(what, outcome, guard->window());
                            report->setAttribute(Qt::WA_DeleteOnClose);
                            report->open();
                        });
}

CommandReport::CommandReport(const QString& what, const CommandOutcome& outcome, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(what);
    auto* box = new QVBoxLayout(this);
    box->setSpacing(10);
    auto* top = new QHBoxLayout;
    top->setSpacing(10);
    auto* icon = new QLabel;
    icon->setPixmap(icons::severity(Severity::Warning).pixmap(28, 28));
    auto* text = new QLabel(outcome.headline);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    top->addWidget(icon, 0, Qt::AlignTop);
    top->addWidget(text, 1);
    box->addLayout(top);
    if (!outcome.lines.isEmpty()) {
        auto* list = new QPlainTextEdit(outcome.lines.join(QLatin1Char('\n')));
        list->setReadOnly(true);
        list->setTabChangesFocus(true);
        list->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        list->setAccessibleName(tr("What was left, and why"));
        box->addWidget(list, 1);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    box->addWidget(buttons);
    resize(520, outcome.lines.isEmpty() ? sizeHint().height() : 280);
}

} // namespace tasuki
