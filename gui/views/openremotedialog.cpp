// SPDX-License-Identifier: GPL-3.0-or-later
#include "openremotedialog.h"

#include "linkclient/remoterun.h"
#include "theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace tasuki {

namespace {

constexpr qint64 mostConfiguration = 1 << 20;
const auto scheme = QStringLiteral("ssh://");

} // namespace

QStringList sshHosts(const QString& file)
{
    static const QRegularExpression line(QStringLiteral("\\A\\s*Host[\\s=]+(.*)\\z"),
                                         QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression blanks(QStringLiteral("\\s+"));
    static const QRegularExpression pattern(QStringLiteral("[*?!\"#]"));
    QStringList hosts;
    QFile configuration(file);
    if (!configuration.open(QIODevice::ReadOnly))
        return hosts;
    const QStringList lines =
        QString::fromUtf8(configuration.read(mostConfiguration)).split(QLatin1Char('\n'));
    for (const QString& text : lines) {
        for (const QString& name : line.match(text).captured(1).split(blanks, Qt::SkipEmptyParts)) {
            if (!name.contains(pattern) && !hosts.contains(name))
                hosts << name;
        }
    }
    return hosts;
}

OpenRemoteDialog::OpenRemoteDialog(const QStringList& hosts, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Open a run on another host"));
    auto* box = new QVBoxLayout(this);
    box->setSpacing(10);
    auto* words = new QLabel(tr("The run is shown over ssh, living or ended. On the other host "
                                "tasuki-agent must be installed; nothing else is needed there."));
    words->setWordWrap(true);
    box->addWidget(words);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_host = new QComboBox;
    m_host->setEditable(true);
    m_host->addItems(hosts);
    m_host->setCurrentText({});
    m_host->lineEdit()->setPlaceholderText(tr("host, user@host or a name from ~/.ssh/config"));
    m_host->setAccessibleName(tr("Host"));
    form->addRow(tr("&Host"), m_host);
    m_path = new QLineEdit;
    m_path->setPlaceholderText(tr("/path/run.tasuki, or ~/run.tasuki below your home directory"));
    m_path->setAccessibleName(tr("Run file there"));
    form->addRow(tr("&Run file there"), m_path);
    m_problem = new QLabel;
    m_problem->setWordWrap(true);
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::wrong(colours));
    m_problem->setPalette(colours);
    form->addRow(QString(), m_problem);
    box->addLayout(form);
    box->addStretch();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_open = buttons->addButton(tr("&Open"), QDialogButtonBox::AcceptRole);
    box->addWidget(buttons);
    m_open->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_host, &QComboBox::editTextChanged, this, &OpenRemoteDialog::takeWhole);
    connect(m_path, &QLineEdit::textChanged, this, &OpenRemoteDialog::renew);
    m_host->setFocus();
    resize(560, sizeHint().height());
    renew();
}

/// Who pastes an address, or host:path as for scp, need not take it apart.
void OpenRemoteDialog::takeWhole(const QString& text)
{
    static const QRegularExpression url(QStringLiteral("\\Assh://([^/]+)(/.+)\\z"));
    static const QRegularExpression copied(QStringLiteral("\\A([^/:\\[\\]]+):([~/].+)\\z"));
    for (const auto& whole : {url, copied}) {
        const auto match = whole.match(text);
        if (!match.hasMatch())
            continue;
        QString path = match.captured(2);
        if (path.startsWith(QLatin1String("/~/")))
            path.remove(0, 1);
        m_path->setText(path);
        m_host->setEditText(match.captured(1));
        return;
    }
    renew();
}

QString OpenRemoteDialog::address() const
{
    const QString path = m_path->text().trimmed();
    return scheme + m_host->currentText().trimmed()
        + (path.startsWith(QLatin1Char('/')) ? path : QLatin1Char('/') + path);
}

QString OpenRemoteDialog::problem() const { return m_problem->text(); }

void OpenRemoteDialog::renew()
{
    const QString host = m_host->currentText().trimmed();
    const QString path = m_path->text().trimmed();
    QString problem;
    if (!path.isEmpty() && !path.startsWith(QLatin1Char('/'))
        && !path.startsWith(QLatin1String("~/")))
        problem = tr("Name the whole path, from / or from ~/ on.");
    else if (!host.isEmpty() && !path.isEmpty())
        if (const auto run = parseRemoteRun(address().toStdString()); !run)
            problem = QString::fromStdString(run.error().text());
    m_problem->setText(problem);
    m_open->setEnabled(problem.isEmpty() && !host.isEmpty() && !path.isEmpty());
}

} // namespace tasuki
