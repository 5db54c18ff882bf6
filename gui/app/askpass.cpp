// SPDX-License-Identifier: GPL-3.0-or-later
#include "askpass.h"

#include "client/sshprocess.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <cstdio>

#include <unistd.h>

namespace tasuki {

AskPassDialog::AskPassDialog(const QString& question, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Tasuki: ssh asks"));
    auto* box = new QVBoxLayout(this);
    box->setSpacing(10);
    auto* words = new QLabel(question.trimmed());
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    box->addWidget(words);
    auto* buttons = new QDialogButtonBox;
    QPushButton* usual = nullptr;
    if (question.contains(QLatin1String("yes/no"))) {
        buttons->addButton(tr("&Yes, connect"), QDialogButtonBox::AcceptRole);
        usual = buttons->addButton(tr("&No"), QDialogButtonBox::RejectRole);
    } else {
        m_line = new QLineEdit;
        m_line->setEchoMode(QLineEdit::Password);
        m_line->setAccessibleName(tr("Answer to ssh"));
        box->addWidget(m_line);
        usual = buttons->addButton(QDialogButtonBox::Ok);
        buttons->addButton(QDialogButtonBox::Cancel);
        m_line->setFocus();
    }
    box->addWidget(buttons);
    usual->setDefault(true); // not before it is in the dialog: another one would be chosen
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(480, sizeHint().height());
}

QString AskPassDialog::answer() const
{
    return m_line == nullptr ? QStringLiteral("yes") : m_line->text();
}

bool isAskedBySsh() { return qEnvironmentVariableIsSet(SshProcess::askVariable); }

int answerSsh(const QString& question)
{
    AskPassDialog dialog(question);
    // Who closes the run ends ssh, and nobody waits for an answer.
    const pid_t asker = ::getppid();
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &dialog, [&] {
        if (::getppid() != asker)
            dialog.reject();
    });
    look.start(500);
    if (dialog.exec() != QDialog::Accepted)
        return 1;
    std::printf("%s\n", qUtf8Printable(dialog.answer()));
    return 0;
}

} // namespace tasuki
