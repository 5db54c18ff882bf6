// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window without widgets: follows the only agent of an access directory until its run is closed,
// then prints what it holds: "succeeded N, events N, resets N, snapshots N". The first snapshot is
// that of joining; when it has all of that, it prints "joined".
#include "client/agentsource.h"
#include "client/session.h"
#include "support/programpart.h"

#include <QCoreApplication>
#include <QDir>
#include <QTimer>

#include <cstdio>
#include <memory>

namespace windowprobe_tool {

using namespace tasuki;

namespace {

class Counter final : public EventSink {
public:
    std::uint64_t events = 0;
    int resets = 0;

    void take(const Event&) override { ++events; }
    void reset() override
    {
        events = 0;
        ++resets;
    }
};

class Probe {
public:
    explicit Probe(QString directory) : m_directory(std::move(directory))
    {
        QObject::connect(&m_timer, &QTimer::timeout, [this] { look(); });
        m_timer.start(std::chrono::milliseconds(50));
    }

private:
    void look()
    {
        if (m_session) {
            if (m_session->state().closed())
                tell();
            return;
        }
        const QDir directory(m_directory);
        const QStringList names = directory.entryList({QStringLiteral("*.json")}, QDir::Files);
        if (names.size() != 1)
            return;
        m_session = std::make_unique<Session>(std::make_unique<AgentSource>(std::filesystem::path(
                                                  directory.filePath(names.front()).toStdString())),
                                              m_clock);
        m_session->addSink(m_counter);
        QObject::connect(m_session.get(), &Session::loadingChanged, [this] {
            const bool loading = m_session->loading();
            m_snapshots += loading && !m_loading ? 1 : 0;
            if (m_loading && !loading && m_snapshots == 1) {
                std::puts("joined");
                std::fflush(stdout);
            }
            m_loading = loading;
        });
        m_session->start();
    }
    void tell()
    {
        std::printf("succeeded %zu, events %llu, resets %d, snapshots %d\n",
                    m_session->state().count(TaskState::Succeeded),
                    static_cast<unsigned long long>(m_counter.events), m_counter.resets,
                    m_snapshots);
        QCoreApplication::quit();
    }

    QString m_directory;
    QTimer m_timer;
    SystemClock m_clock;
    Counter m_counter;
    int m_snapshots = 0;
    bool m_loading = false;
    std::unique_ptr<Session> m_session;
};

} // namespace

TASUKI_TOOL_MAIN()
{
    QCoreApplication application(argc, argv);
    if (application.arguments().size() != 2) {
        std::fprintf(stderr, "usage: windowprobe ACCESS_DIRECTORY\n");
        return 2;
    }
    const Probe probe(application.arguments().at(1));
    return QCoreApplication::exec();
}

} // namespace windowprobe_tool
