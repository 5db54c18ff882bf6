// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

// QtTest waits five seconds for what is to come from another thread. A machine that is busy may
// need longer; whoever waits in vain fails all the same.
#undef QTRY_VERIFY
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT((expression), 40'000)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT((actual), (expected), 40'000)

namespace tasuki::testing {

/// Waits as long for a condition, which may do something each time it is looked at.
template <class Condition>
[[nodiscard]] bool waitFor(Condition condition)
{
    return QTest::qWaitFor(condition, 40'000);
}

} // namespace tasuki::testing
