// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "programpart.h"

#include <QTest>

#include <cstdlib>

namespace tasuki::testing {

template <class Test>
int runTest(int argc, char** argv)
{
    Test test;
    return QTest::qExec(&test, argc, argv);
}

template <class Application, class Test>
int runTestInApplication(int argc, char** argv)
{
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QTest::Internal::callInitMain<Test>();
    const Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    return runTest<Test>(argc, argv);
}

} // namespace tasuki::testing

// The tests of a folder are one program, for that is linked once: what ends a file of QtTest enters the test
// here instead of being a main() of its own. In front of every test that tasuki_test() makes part of a program.
#define TASUKI_REGISTER_TEST(Test, run)                                                            \
    static const tasuki::testing::ProgramPart registered##Test(__FILE__, run);
#undef QTEST_APPLESS_MAIN
#undef QTEST_GUILESS_MAIN
#undef QTEST_MAIN
#define QTEST_APPLESS_MAIN(Test) TASUKI_REGISTER_TEST(Test, (&tasuki::testing::runTest<Test>))
#define QTEST_GUILESS_MAIN(Test)                                                                   \
    TASUKI_REGISTER_TEST(Test, (&tasuki::testing::runTestInApplication<QCoreApplication, Test>))
#define QTEST_MAIN(Test)                                                                           \
    TASUKI_REGISTER_TEST(Test, (&tasuki::testing::runTestInApplication<QApplication, Test>))
