// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/askpass.h"

#include <QLineEdit>
#include <QPushButton>

namespace tst_askpass {

using namespace tasuki;

/// What breaks it: a password that is seen, a host that is trusted by a key that was meant for something else.
class TestAskPass : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void passwords()
    {
        AskPassDialog dialog(QStringLiteral("me@node0's password: "));
        dialog.show();
        QVERIFY(dialog.line() != nullptr && dialog.line()->echoMode() == QLineEdit::Password);
        QTest::keyClicks(dialog.line(), QStringLiteral("it's &secret"));
        QTest::keyClick(&dialog, Qt::Key_Return);
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
        QCOMPARE(dialog.answer(), QStringLiteral("it's &secret"));
    }

    void hosts()
    {
        AskPassDialog dialog(QStringLiteral(
            "The authenticity of host 'node0' can't be established.\n"
            "Are you sure you want to continue connecting (yes/no/[fingerprint])? "));
        dialog.show();
        QVERIFY(dialog.line() == nullptr);
        QTest::keyClick(&dialog, Qt::Key_Return);
        QVERIFY(!dialog.isVisible() && dialog.result() == QDialog::Rejected);
        dialog.show();
        for (auto* button : dialog.findChildren<QPushButton*>())
            if (!button->isDefault())
                button->click();
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
        QCOMPARE(dialog.answer(), QStringLiteral("yes"));
    }
};

QTEST_MAIN(TestAskPass)

} // namespace tst_askpass

#include "tst_askpass.moc"
