// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "control/controlthread.h"
#include "controlfixture.h"

#include <array>
#include <atomic>
#include <thread>

#include <pthread.h>
#include <sched.h>

namespace tst_controlthread {

using namespace tasuki;
using namespace tasuki::control;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<ControlThread> started()
{
    auto thread = ControlThread::start();
    if (!thread)
        qFatal("%s", thread.error().text().c_str());
    return std::move(*thread);
}

} // namespace

class tst_ControlThread : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void functionsRunThereInOrder()
    {
        std::vector<int> order;
        const auto thread = started();
        QVERIFY(!thread->here());
        for (int i = 0; i < 100; ++i)
            thread->post([&order, i] { order.push_back(i); });
        const bool there = thread->call([&] { return thread->here(); });
        QVERIFY(there);
        QCOMPARE(order.size(), std::size_t{100});
        QVERIFY(std::is_sorted(order.begin(), order.end()));
    }

    // Fails if the end leaves posted work undone, or waits for what is under way.
    void endRunsWhatWasPostedAndNoMore()
    {
        std::atomic<int> runs = 0;
        {
            const auto thread = started();
            auto timer = std::make_shared<boost::asio::steady_timer>(thread->context(), 1h);
            timer->async_wait([timer](const auto&) {});
            for (int i = 0; i < 1000; ++i)
                thread->post([&] { ++runs; });
        }
        QCOMPARE(runs.load(), 1000);
    }

    void itHasItsNameAndWhatPriorityItSays()
    {
        const auto thread = started();
        const auto name = thread->call([] {
            std::array<char, 16> text{};
            ::pthread_getname_np(::pthread_self(), text.data(), text.size());
            return std::string(text.data());
        });
        QCOMPARE(name, std::string("control"));
        const int policy = thread->call([] { return ::sched_getscheduler(0); });
        const bool realTime = (policy & ~SCHED_RESET_ON_FORK) == SCHED_RR;
        QCOMPARE(thread->priority() == ThreadPriority::RealTime, realTime);
    }

    void networksLiveThere()
    {
        const auto first = started();
        const auto second = started();
        std::atomic<int> heard = 0;
        std::unique_ptr<ControlNetwork> one;
        std::unique_ptr<ControlNetwork> two;
        const auto open = [&](ControlThread& thread, std::uint32_t number,
                              std::unique_ptr<ControlNetwork>& network) {
            return thread.call([&, number] {
                ControlNetwork::Callbacks callbacks;
                callbacks.message = [&](ControlSender, std::string_view) { ++heard; };
                auto opened = ControlNetwork::open(thread.context(), ProcessorId(number), testKey(),
                                                   quickOptions(), std::move(callbacks));
                network = std::move(*opened);
                return network->address();
            });
        };
        const std::vector all{open(*first, 0, one), open(*second, 1, two)};
        first->post([&] { one->learn(all); });
        second->post([&] { two->learn(all); });
        for (int i = 0; i < 100; ++i) {
            first->post([&] { one->send(ProcessorId(1), "to two"); });
            second->post([&] { two->send(ProcessorId(0), "to one"); });
        }
        QTRY_COMPARE_WITH_TIMEOUT(heard.load(), 200, 20'000);
        first->call([&] { one.reset(); });
        second->call([&] { two.reset(); });
    }
};

QTEST_APPLESS_MAIN(tst_ControlThread)

} // namespace tst_controlthread

#include "tst_controlthread.moc"
