// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracer/communicatornumbers.h"

namespace tst_communicatornumbers {

using namespace tasuki::tracer;

/// Numbers of communicators in a log. What breaks it: two of one number, one of two, or a world that
/// is not 0.
class TestCommunicatorNumbers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void worldAloneIsZero();
    void membersAgree();
    void manyOfOneLeader();
};

void TestCommunicatorNumbers::worldAloneIsZero()
{
    using Numbers = std::vector<std::vector<std::uint32_t>>;
    QCOMPARE(numberCommunicators({{worldId}, {worldId}}), (Numbers{{0}, {0}}));
    QCOMPARE(numberCommunicators({}), Numbers{});
}

void TestCommunicatorNumbers::membersAgree()
{
    const CommunicatorId self0 = communicatorId(0, 1);
    const CommunicatorId self1 = communicatorId(1, 1);
    const CommunicatorId both = communicatorId(1, 2);
    const CommunicatorId unknown = CommunicatorId{1} << 63 | 17;
    // In the order in which each has met them.
    const auto numbers = numberCommunicators(
        {{worldId, self0, unknown, both}, {worldId, self1, both, unknown, both}, {worldId}});
    QCOMPARE(numbers[0], (std::vector<std::uint32_t>{0, 1, 4, 3}));
    QCOMPARE(numbers[1], (std::vector<std::uint32_t>{0, 2, 3, 4, 3}));
    QCOMPARE(numbers[2], (std::vector<std::uint32_t>{0}));
}

void TestCommunicatorNumbers::manyOfOneLeader()
{
    std::vector<CommunicatorId> ids{worldId};
    for (std::uint32_t count = 1; count < 100'000; ++count)
        ids.push_back(communicatorId(70'000, count));
    const auto numbers = numberCommunicators({ids});
    for (std::uint32_t i = 0; i < ids.size(); ++i)
        QCOMPARE(numbers[0][i], i);
}

QTEST_APPLESS_MAIN(TestCommunicatorNumbers)

} // namespace tst_communicatornumbers

#include "tst_communicatornumbers.moc"
