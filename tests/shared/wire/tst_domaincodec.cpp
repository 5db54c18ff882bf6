// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "domain/timerange.h"
#include "tasuki.pb.h"
#include "wire/domaincodec.h"

#include <limits>
#include <string>
#include <utility>

namespace tst_domaincodec {

using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

tasuki::Result<tasuki::TaskSettings> throughBytes(const tasuki::TaskSettings& value)
{
    tasuki::wire::TaskSettings message;
    tasuki::wire::encode(value, message);
    tasuki::wire::TaskSettings arrived;
    if (!arrived.ParseFromString(message.SerializeAsString()))
        return tasuki::Error{.message = "does not parse"};
    return tasuki::wire::decode(arrived);
}

bool comesBack(const tasuki::TaskSettings& settings)
{
    const auto back = throughBytes(settings);
    return back.ok() && *back == settings;
}

template <class Wire>
bool isRefused(Wire message)
{
    const auto result = tasuki::wire::decode(std::move(message));
    return !result.ok() && result.error().kind == tasuki::ErrorKind::Protocol
        && result.error().message.starts_with("malformed message: ");
}

} // namespace

/// Domain types on the wire: there and back, and numbers out of their range.
class TestDomainCodec : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void settingsComeBack();
    void emptyMessagesAreTheDefaults();
    void settingsOutOfRangeAreRefused();
};

void TestDomainCodec::settingsComeBack()
{
    tasuki::TaskSettings settings;
    QVERIFY(comesBack(settings));
    settings.retries.allowed = {0, 65'535, 1, 2};
    settings.timeout = 1ms;
    settings.expectedTime = 2h;
    settings.warning = tasuki::EndWarning{.signalNumber = 64, .before = 1ms};
    settings.workingDirectory = "/caf\xe9 \xff"s; // Latin-1: paths are bytes
    settings.environment = {{"PATH", "/bin"}, {"PATH", "/usr/bin"}, {"X", "a\nb\0c"s}};
    QVERIFY(comesBack(settings));
    settings.retries.allowed = {4, 3, 2, 1}; // each in its own place
    QVERIFY(comesBack(settings));
    settings.timeout = std::chrono::floor<std::chrono::milliseconds>(tasuki::longestTime);
    QVERIFY(comesBack(settings));
    settings.seat = tasuki::WorldSeat{0, tasuki::Rank(0)}; // another thing than no seat
    QVERIFY(comesBack(settings));
    settings.seat = tasuki::WorldSeat{4'294'967'295U, tasuki::Rank(2'147'483'647)};
    QVERIFY(comesBack(settings));
}

void TestDomainCodec::emptyMessagesAreTheDefaults()
{
    const auto settings = tasuki::wire::decode(tasuki::wire::TaskSettings{});
    QVERIFY(settings.ok());
    QVERIFY(!settings->timeout.has_value());
    QCOMPARE(settings->retries.of(tasuki::RetryCause::ProcessorLost), std::uint16_t{0});
}

void TestDomainCodec::settingsOutOfRangeAreRefused()
{
    const auto with = [](auto change) {
        tasuki::wire::TaskSettings message;
        change(message);
        return message;
    };
    using M = tasuki::wire::TaskSettings;
    QVERIFY(isRefused(with([](M& m) { m.set_timeout_ms(0); })));
    QVERIFY(isRefused(with([](M& m) { m.set_timeout_ms(-5); })));
    QVERIFY(isRefused(with([](M& m) { m.set_timeout_ms(INT64_MAX); })));
    QVERIFY(isRefused(with([](M& m) { m.set_expected_ms(INT64_MAX); })));
    QVERIFY(isRefused(with([](M& m) { m.mutable_retries()->set_exit(65'536); })));
    QVERIFY(isRefused(with([](M& m) { m.mutable_retries()->set_signal(65'536); })));
    QVERIFY(isRefused(with([](M& m) { m.mutable_retries()->set_timeout(65'536); })));
    QVERIFY(isRefused(with([](M& m) { m.mutable_seat()->set_rank(2'147'483'648U); })));
    QVERIFY(isRefused(with([](M& m) { m.mutable_seat()->set_rank(4'294'967'295U); })));
    QVERIFY(isRefused(with([](M& m) { m.mutable_retries()->set_lost(4'294'967'295U); })));
}

QTEST_APPLESS_MAIN(TestDomainCodec)

} // namespace tst_domaincodec

#include "tst_domaincodec.moc"
