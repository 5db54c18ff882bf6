// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/sendbuffer.h"

#include <QTest>

namespace tst_sendbuffer {

using namespace tasuki::probe;

namespace {

LinkFit fit(double a1UsPerByte) { return {.a0Us = {50.0}, .a1UsPerByte = {a1UsPerByte}}; }

} // namespace

class TestSendBuffer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sizes();
    void whatIsLeftWhenTheSendReturns();
    void nothingIsKept();
    void moreThanTheMessage();
};

void TestSendBuffer::sizes()
{
    QCOMPARE(largeMessageBytes(fit(0.25)), 2'000'000U);
    QCOMPARE(largeMessageBytes(fit(100.0)), 262'144U);
    QCOMPARE(largeMessageBytes(fit(1e-4)), 8'388'608U);
    QCOMPARE(largeMessageBytes(fit(0.0)), 8'388'608U);
}

// 2 MB at 0.25 us: 500 ms. The send returns after 300, so 800,000 bytes were left. The median of
// several, on whatever links.
void TestSendBuffer::whatIsLeftWhenTheSendReturns()
{
    const std::vector<FittedLink> links{{0, 1, fit(0.25)}, {0, 2, fit(0.1)}, {1, 2, fit(0.1)}};
    const std::vector<LargeMessageRecord> messages{
        {.a = 0, .b = 1, .bytes = 2e6, .sentUs = 300'000, .answeredUs = 500'050},
        {.a = 0, .b = 2, .bytes = 5e6, .sentUs = 430'000, .answeredUs = 500'050},
        {.a = 1, .b = 2, .bytes = 5e6, .sentUs = 410'000, .answeredUs = 500'050}};
    QCOMPARE(sendBufferBytes(messages, links), 800'000.0);
}

void TestSendBuffer::nothingIsKept()
{
    const std::vector<FittedLink> links{{0, 1, fit(0.25)}};
    QCOMPARE(sendBufferBytes({}, links), 0.0);
    QCOMPARE(sendBufferBytes(
                 {{.a = 0, .b = 1, .bytes = 2e6, .sentUs = 499'000, .answeredUs = 500'050}}, links),
             0.0);
    // Of a link without a figure nothing can be said.
    QCOMPARE(sendBufferBytes({{.a = 1, .b = 2, .bytes = 2e6, .sentUs = 1, .answeredUs = 500'050}},
                             links),
             0.0);
}

void TestSendBuffer::moreThanTheMessage()
{
    const std::vector<FittedLink> links{{0, 1, fit(0.25)}};
    QCOMPARE(sendBufferBytes({{.a = 0, .b = 1, .bytes = 2e6, .sentUs = 100, .answeredUs = 600'050}},
                             links),
             2e6);
}

QTEST_APPLESS_MAIN(TestSendBuffer)

} // namespace tst_sendbuffer

#include "tst_sendbuffer.moc"
