// SPDX-License-Identifier: GPL-3.0-or-later
#include "helpdialogs.h"

#include "icons.h"
#include "models/wording.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>

namespace tasuki {

namespace {

QTreeWidgetItem* addGroup(QTreeWidget& tree, const QString& title)
{
    auto* item = new QTreeWidgetItem(&tree, {title});
    QFont bold = tree.font();
    bold.setBold(true);
    item->setFont(0, bold);
    item->setFirstColumnSpanned(true);
    return item;
}

void addDialogButtons(QDialog& dialog)
{
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    dialog.layout()->addWidget(buttons);
}

} // namespace

ShortcutsDialog::ShortcutsDialog(const QList<Group>& groups, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Keyboard shortcuts"));
    auto* box = new QVBoxLayout(this);
    auto* tree = new QTreeWidget;
    tree->setHeaderLabels({tr("What"), tr("Keys")});
    tree->setUniformRowHeights(true);
    tree->setAccessibleName(windowTitle());
    for (const Group& group : groups) {
        QTreeWidgetItem* head = nullptr;
        for (const QAction* action : group.actions) {
            const QString keys = action->shortcut().toString(QKeySequence::NativeText);
            if (keys.isEmpty())
                continue;
            if (head == nullptr)
                head = addGroup(*tree, group.title);
            new QTreeWidgetItem(head, {wording::withoutMnemonic(action->text()), keys});
        }
    }
    auto* timeline = addGroup(*tree, tr("Timeline"));
    const std::pair<QString, QString> keys[] = {
        {tr("Pan"), tr("Left, Right; Shift: a page")},
        {tr("Zoom"), tr("+, -; Ctrl+wheel")},
        {tr("Select in the lane above or below"), tr("Up, Down")},
        {tr("Select the previous or next attempt"), tr("Ctrl+Left, Ctrl+Right")},
        {tr("First or last of the run"), tr("Home, End")},
        {tr("Show everything"), QStringLiteral("F")},
        {tr("Follow what happens now"), tr("L or Space")},
        {tr("Details of the selected attempt"), tr("Return")},
    };
    for (const auto& [what, key] : keys)
        new QTreeWidgetItem(timeline, {what, key});
    auto* table = addGroup(*tree, tr("Cells of the task table"));
    const std::pair<QString, QString> cells[] = {
        {tr("Take what was typed"), tr("Return")},
        {tr("New line in a command"), tr("Shift+Return")},
        {tr("Leave the cell as it was"), tr("Esc")},
    };
    for (const auto& [what, key] : cells)
        new QTreeWidgetItem(table, {what, key});
    tree->expandAll();
    tree->header()->resizeSection(0, 340);
    box->addWidget(tree);
    addDialogButtons(*this);
    resize(600, 620);
}

AboutDialog::AboutDialog(const QString& version, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("About Tasuki"));
    auto* box = new QVBoxLayout(this);
    box->setSpacing(14);
    auto* row = new QHBoxLayout;
    row->setSpacing(18);
    auto* icon = new QLabel;
    icon->setPixmap(icons::application().pixmap(72, 72));
    auto* text = new QLabel(
        QStringLiteral("<p><b style='font-size:large'>Tasuki %1</b></p><p>%2</p><p>%3</p><p>%4</p>")
            .arg(version.toHtmlEscaped(),
                 tr("Runs, watches and plans work on a cluster of clusters. A tasuki is the sash "
                    "that relay runners hand on: when one stops, the next takes the same sash, and "
                    "the race goes on.")
                     .toHtmlEscaped(),
                 tr("This program is free software: you can use, change and pass it on under the "
                    "terms of the GNU General Public License, version 3 or later. It comes without "
                    "any warranty.")
                     .toHtmlEscaped(),
                 QStringLiteral("<a href='https://www.gnu.org/licenses/gpl-3.0.html'>GPL-3.0</a> · "
                                "Qt %1")
                     .arg(QLatin1String(qVersion()))));
    text->setWordWrap(true);
    text->setOpenExternalLinks(true);
    text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    text->setMinimumWidth(420);
    row->addWidget(icon, 0, Qt::AlignTop);
    row->addWidget(text, 1);
    box->addLayout(row);
    addDialogButtons(*this);
}

} // namespace tasuki
