// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "wire/refusallog.h"
#include "wire/strangers.h"

namespace tst_strangers {

using namespace tasuki;
using namespace tasuki::link;
using namespace std::chrono_literals;

using Leaves = std::optional<Strangers::Key>;

class tst_Strangers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOldestGoesForTheNewest()
    {
        Strangers strangers(3, 3);
        for (Strangers::Key key = 1; key <= 3; ++key)
            QVERIFY(!strangers.add(key, "a"));
        QVERIFY(strangers.add(4, "a") == Leaves(1));
        strangers.remove(2);
        strangers.remove(2);
        QVERIFY(!strangers.add(5, "a"));
        QVERIFY(strangers.oldest() == Leaves(3));
        QCOMPARE(strangers.size(), std::size_t{3});
    }

    // Fails if one address can drive out others.
    void whoHasTheMostGivesUpOne()
    {
        Strangers strangers(4, 3);
        QVERIFY(!strangers.add(1, "quiet"));
        for (Strangers::Key key = 2; key <= 4; ++key)
            QVERIFY(!strangers.add(key, "crowd"));
        QVERIFY(strangers.add(5, "crowd") == Leaves(2));
        QVERIFY(strangers.add(6, "third") == Leaves(3));
        QVERIFY(strangers.add(7, "crowd") == Leaves(4));
        QVERIFY(strangers.oldest() == Leaves(1));
    }

    // Fails if each refusal makes a line, or if the last ones are never told.
    void refusalsAreSummedUp()
    {
        RefusalLog log;
        const SteadyTime start{};
        int lines = 0;
        for (int i = 0; i < 1000; ++i)
            lines += log.add("line " + std::to_string(i), start + i * 1ms) ? 1 : 0;
        QCOMPARE(lines, RefusalLog::inFull);
        QVERIFY(!log.takeSummary(start + 9s));
        QVERIFY(log.due() == start + 10s);
        QCOMPARE(
            log.takeSummary(start + 10s).value_or("none"),
            std::string("996 more connections were refused within 10 s; the latest: line 999"));
        QVERIFY(!log.due());
        QVERIFY(!log.add("goes on", start + 11s));
        QCOMPARE(log.takeSummary(start + 20s).value_or("none"),
                 std::string("1 more connections were refused within 10 s; the latest: goes on"));
        QVERIFY(log.add("after a quiet time", start + 40s));
    }
};

QTEST_APPLESS_MAIN(tst_Strangers)

} // namespace tst_strangers

#include "tst_strangers.moc"
