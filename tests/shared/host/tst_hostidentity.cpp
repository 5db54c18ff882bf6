// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "host/hostidentity.h"

namespace tst_hostidentity {

using namespace tasuki;

class TestHostIdentity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isStable()
    {
        QCOMPARE(hostIdentity().key, hostIdentity().key);
        QVERIFY(hostIdentity().key.starts_with(hostIdentity().name));
    }
};

QTEST_APPLESS_MAIN(TestHostIdentity)

} // namespace tst_hostidentity

#include "tst_hostidentity.moc"
