// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "domain/timerange.h"
#include "tasuki.pb.h"
#include "wire/domaincodec.h"

#include <limits>
#include <string>
#include <utility>

using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

template <class Domain, class Wire>
tasuki::Result<Domain> throughBytes(Domain value)
{
    Wire message;
    if constexpr (std::is_same_v<Domain, tasuki::AttemptResult>)
        tasuki::wire::encode(std::move(value), message);
    else
        tasuki::wire::encode(value, message);
    Wire arrived;
    if (!arrived.ParseFromString(message.SerializeAsString()))
        return tasuki::Error{.message = "does not parse"};
    return tasuki::wire::decode(std::move(arrived));
}

bool comesBack(const tasuki::AttemptResult& result)
{
    const auto back = throughBytes<tasuki::AttemptResult, tasuki::wire::AttemptResult>(result);
    return back.ok() && *back == result;
}

bool comesBack(const tasuki::TaskSettings& settings)
{
    const auto back = throughBytes<tasuki::TaskSettings, tasuki::wire::TaskSettings>(settings);
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
    void everyOutcomeComesBack();
    void extremeNumbersComeBack();
    void outputOfAnyBytesComesBack();
    void captureIsMovedNotCopied();
    void settingsComeBack();
    void emptyMessagesAreTheDefaults();
    void resultsOutOfRangeAreRefused();
    void settingsOutOfRangeAreRefused();
};

void TestDomainCodec::everyOutcomeComesBack()
{
    for (int number = 0; number <= static_cast<int>(tasuki::Outcome::NotStarted); ++number) {
        tasuki::AttemptResult result;
        result.outcome = static_cast<tasuki::Outcome>(number);
        QVERIFY(comesBack(result));
    }
}

void TestDomainCodec::extremeNumbersComeBack()
{
    tasuki::AttemptResult result;
    for (const std::int32_t code : {std::numeric_limits<std::int32_t>::min(), -1, 0, 255,
                                    std::numeric_limits<std::int32_t>::max()}) {
        result.code = code;
        QVERIFY(comesBack(result));
    }
    result.startedAt = tasuki::endOfTimes - 1us;
    result.elapsed = tasuki::longestTime;
    result.usage = {.user = tasuki::longestTime,
                    .system = 0us,
                    .maxResidentKiB = std::numeric_limits<std::uint64_t>::max()};
    QVERIFY(comesBack(result));
}

void TestDomainCodec::outputOfAnyBytesComesBack()
{
    tasuki::AttemptResult result;
    result.standardOutput = {.head = "\0\xff\xfe\n\0"s, .tail = "\x80"s, .totalBytes = 1ULL << 60U};
    QVERIFY(comesBack(result));
    result.standardError = {
        .head = std::string(3U << 20U, '\0'), .tail = {}, .totalBytes = 3U << 20U};
    QVERIFY(comesBack(result));
    result.standardOutput = {.head = {}, .tail = {}, .totalBytes = 12}; // all of it was dropped
    QVERIFY(comesBack(result));
    QCOMPARE(result.standardOutput.droppedBytes(), std::uint64_t{12});
}

void TestDomainCodec::captureIsMovedNotCopied()
{
    tasuki::AttemptResult result;
    result.standardOutput = {.head = std::string(100'000, 'x'), .tail = {}, .totalBytes = 100'000};
    const char* const bytes = result.standardOutput.head.data();
    tasuki::wire::AttemptResult message;
    tasuki::wire::encode(std::move(result), message);
    QVERIFY(message.standard_output().head().data() == bytes);
    const auto back = tasuki::wire::decode(std::move(message));
    QVERIFY(back.ok());
    QVERIFY(back->standardOutput.head.data() == bytes);
}

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
}

void TestDomainCodec::emptyMessagesAreTheDefaults()
{
    const auto settings = tasuki::wire::decode(tasuki::wire::TaskSettings{});
    QVERIFY(settings.ok());
    QVERIFY(!settings->timeout.has_value());
    QCOMPARE(settings->retries.of(tasuki::RetryCause::ProcessorLost), std::uint16_t{0});
    const auto result = tasuki::wire::decode(tasuki::wire::AttemptResult{});
    QVERIFY(result.ok());
    QCOMPARE(result->outcome, tasuki::Outcome::Succeeded);
    QVERIFY(result->standardOutput == tasuki::CapturedStream{});
}

void TestDomainCodec::resultsOutOfRangeAreRefused()
{
    const auto with = [](auto change) {
        tasuki::wire::AttemptResult message;
        change(message);
        return message;
    };
    using M = tasuki::wire::AttemptResult;
    QVERIFY(isRefused(with([](M& m) { m.set_outcome(8); })));
    QVERIFY(isRefused(with([](M& m) { m.set_outcome(4'294'967'295U); })));
    QVERIFY(isRefused(with([](M& m) { m.set_elapsed_us(-1); })));
    QVERIFY(isRefused(with([](M& m) { m.set_elapsed_us(INT64_MAX); })));
    QVERIFY(isRefused(with([](M& m) { m.set_started_us(INT64_MAX); })));
    QVERIFY(isRefused(with([](M& m) { m.set_started_us(-1); })));
    QVERIFY(isRefused(with([](M& m) { m.mutable_usage()->set_user_us(INT64_MAX); })));
    QVERIFY(isRefused(with([](M& m) { m.mutable_usage()->set_user_us(-1); })));
    QVERIFY(isRefused(with([](M& m) { m.mutable_usage()->set_system_us(-1); })));
    QVERIFY(isRefused(with([](M& m) { m.mutable_standard_output()->set_head("x"); })));
    QVERIFY(isRefused(with([](M& m) {
        m.mutable_standard_error()->set_head("abc");
        m.mutable_standard_error()->set_tail("def");
        m.mutable_standard_error()->set_total_bytes(5);
    })));
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
    QVERIFY(isRefused(with([](M& m) { m.mutable_retries()->set_lost(4'294'967'295U); })));
}

QTEST_APPLESS_MAIN(TestDomainCodec)
#include "tst_domaincodec.moc"
