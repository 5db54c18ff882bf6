// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputview.h"

#include "icons.h"
#include "models/wording.h"
#include "tableexport.h"
#include "theme.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabWidget>
#include <QTextCursor>
#include <QToolButton>
#include <QUrl>

namespace tasuki {

namespace {

/// A view keeps a little more than the text before it is filled anew.
constexpr int mostCharacters = OutputText::defaultLimit + OutputText::defaultLimit / 4;

QToolButton* makeButton(const QString& icon, const QString& name)
{
    auto* button = new QToolButton;
    button->setAutoRaise(true);
    button->setIcon(icons::named(icon));
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

} // namespace

OutputView::OutputView(TaskDetails& details, QWidget* parent) : QWidget(parent), m_details(details)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(2);
    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    for (QPlainTextEdit*& edit : m_edits) {
        edit = new QPlainTextEdit;
        edit->setReadOnly(true);
        edit->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        edit->setFont(theme::monospace());
        edit->setLineWrapMode(QPlainTextEdit::NoWrap);
        edit->setUndoRedoEnabled(false);
        edit->setTabChangesFocus(true);
        edit->setFrameShape(QFrame::NoFrame);
        m_tabs->addTab(edit, QString());
    }
    edit(StreamKind::Output).setAccessibleName(tr("Output of the attempt"));
    edit(StreamKind::Error).setAccessibleName(tr("Error output of the attempt"));
    m_tabs->setCornerWidget(makeTools());
    m_state = new QLabel;
    m_state->setForegroundRole(QPalette::PlaceholderText);
    m_state->setWordWrap(true);
    m_state->setMargin(4);
    box->addWidget(m_tabs, 1);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_state, 1);
    m_open = makeButton(QStringLiteral("open"), tr("Open the file with all of it"));
    m_open->setText(tr("&Whole output"));
    m_open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    foot->addWidget(m_open);
    box->addLayout(foot);
    connect(m_open, &QToolButton::clicked, this, &OutputView::openFile);
    connect(m_tabs, &QTabWidget::currentChanged, this, &OutputView::showTitles);

    connect(&details, &TaskDetails::outputChanged, this, &OutputView::refill);
    connect(&details, &TaskDetails::changed, this, &OutputView::showTitles);
    connect(&details, &TaskDetails::outputGrew, this, &OutputView::append);
    refill();
}

QWidget* OutputView::makeTools()
{
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 4, 0);
    row->setSpacing(2);
    m_follow = makeButton(QStringLiteral("follow"), tr("Follow the end of the output"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_copy = makeButton(QStringLiteral("copy"), tr("Copy the output"));
    m_save = makeButton(QStringLiteral("save"), tr("Save the output to a file"));
    for (QToolButton* button : {m_follow, m_copy, m_save})
        row->addWidget(button);
    connect(m_follow, &QToolButton::toggled, this, [this](bool follow) {
        if (follow)
            goToEnd(edit(shownStream()));
    });
    connect(m_copy, &QToolButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_details.output(shownStream()).text());
    });
    connect(m_save, &QToolButton::clicked, this, &OutputView::save);
    return tools;
}

StreamKind OutputView::shownStream() const
{
    return m_tabs->currentIndex() == 0 ? StreamKind::Output : StreamKind::Error;
}

bool OutputView::hasText() const { return !m_details.output(shownStream()).text().isEmpty(); }

void OutputView::refill()
{
    for (const StreamKind stream : {StreamKind::Output, StreamKind::Error}) {
        const QString& text = m_details.output(stream).text();
        QPlainTextEdit& view = edit(stream);
        if (view.toPlainText() != text)
            view.setPlainText(text);
        if (m_follow->isChecked())
            goToEnd(view);
    }
    // What there is to see is seen, unless the user has chosen.
    const bool onlyErrors = m_details.output(StreamKind::Output).text().isEmpty()
        && !m_details.output(StreamKind::Error).text().isEmpty();
    if (onlyErrors)
        m_tabs->setCurrentIndex(1);
    showTitles();
}

void OutputView::append(StreamKind stream, const QString& text)
{
    QPlainTextEdit& view = edit(stream);
    if (view.document()->characterCount() + text.size() > mostCharacters) {
        view.setPlainText(m_details.output(stream).text());
    } else {
        QTextCursor cursor(view.document());
        cursor.movePosition(QTextCursor::End);
        cursor.insertText(text);
    }
    if (m_follow->isChecked())
        goToEnd(view);
    showTitles();
}

void OutputView::goToEnd(QPlainTextEdit& view) const
{
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum());
    view.horizontalScrollBar()->setValue(0);
}

void OutputView::showTitles()
{
    m_tabs->setTabText(0, tr("Output"));
    m_tabs->setTabText(1, tr("Errors"));
    for (const StreamKind stream : {StreamKind::Output, StreamKind::Error})
        m_tabs->setTabToolTip(static_cast<int>(stream),
                              wording::bytes(m_details.output(stream).totalBytes()));
    m_copy->setEnabled(hasText());
    m_save->setEnabled(hasText());
    m_follow->setEnabled(m_details.attempt().has_value());
    m_state->setText(stateText());
    const QString file = m_details.outputFile(shownStream());
    m_open->setVisible(!file.isEmpty());
    if (!file.isEmpty())
        m_open->setToolTip(tr("Open %1").arg(file));
}

QString OutputView::stateText() const
{
    const auto attempt = m_details.attempt();
    if (!attempt)
        return m_details.task() ? tr("The task has not been tried yet.") : QString();
    const QString which = tr("Attempt %1").arg(QLocale().toString(attempt->number.value()))
        + QStringLiteral(" · ");
    switch (m_details.outputState()) {
    case TaskDetails::OutputState::None: return {};
    case TaskDetails::OutputState::Asked: return which + tr("output is being fetched");
    case TaskDetails::OutputState::Growing: return which + tr("runs, output is live");
    case TaskDetails::OutputState::Missing: return which + m_details.outputProblem();
    case TaskDetails::OutputState::Whole: break;
    }
    return which + sizesText();
}

/// What the attempt has written, and what of the shown stream is kept.
QString OutputView::sizesText() const
{
    const std::uint64_t written = m_details.output(StreamKind::Output).totalBytes();
    const std::uint64_t errors = m_details.output(StreamKind::Error).totalBytes();
    if (written == 0 && errors == 0)
        return tr("wrote nothing");
    QString text = tr("wrote %1 of output and %2 of errors")
                       .arg(wording::bytes(written), wording::bytes(errors));
    const OutputText& output = m_details.output(shownStream());
    const std::uint64_t total = output.totalBytes();
    const OutputText::Hole hole = output.hole();
    const QString separator = tr("; ");
    if (hole.end != 0 && hole.end - hole.begin == total)
        text += separator + tr("kept: nothing");
    else if (hole.end == total && hole.end != 0)
        text += separator + tr("kept: first %1").arg(wording::bytes(hole.begin));
    else if (hole.end != 0)
        text += separator
            + tr("kept: first %1 and last %2")
                  .arg(wording::bytes(hole.begin), wording::bytes(total - hole.end));
    if (output.trimmed())
        text += separator + tr("only the end of it is shown");
    return text;
}

void OutputView::openFile()
{
    const QString path = m_details.outputFile(shownStream());
    QString problem;
    if (!QFileInfo(path).isFile())
        problem = tr(
            "%1 is not here: the run wrote it on its own host, or somebody has removed it.");
    else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
        problem = tr("No program is there that opens %1.");
    if (!problem.isEmpty())
        QMessageBox::warning(this, tr("Whole output"), problem.arg(path));
}

void OutputView::save()
{
    const auto attempt = m_details.attempt();
    if (!attempt)
        return;
    const QString name = QStringLiteral("task-%1-attempt-%2.%3")
                             .arg(attempt->task.value())
                             .arg(attempt->number.value())
                             .arg(shownStream() == StreamKind::Output ? QStringLiteral("out")
                                                                      : QStringLiteral("err"));
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the output"), name);
    if (path.isEmpty())
        return;
    const QString problem = writeWholeFile(path, m_details.output(shownStream()).text().toUtf8());
    if (!problem.isEmpty())
        QMessageBox::warning(this, tr("Save the output"), problem);
}

} // namespace tasuki
