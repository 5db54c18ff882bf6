// SPDX-License-Identifier: GPL-3.0-or-later
#include "membershipsystem.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <csignal>

namespace tasuki {

namespace {

constexpr int startLimitMs = 20'000;
const char* const controlKey = "0123456789abcdef0123456789abcdef";

} // namespace

MembershipSystem::MembershipSystem(const QByteArray& topology, std::uint32_t processors,
                                   const QByteArray& hosts)
    : m_views(processors)
{
    QFile file(m_directory.filePath(QStringLiteral("topology.toml")));
    if (file.open(QIODevice::WriteOnly))
        file.write(topology);
    for (std::uint32_t number = 0; number < processors; ++number) {
        m_views[number].rows.resize(processors);
        auto process = std::make_unique<QProcess>();
        process->setProgram(QStringLiteral(TASUKI_MEMBERSHIP_PROCESS));
        QStringList arguments{QString::number(number), file.fileName(),
                              QString::fromLatin1(controlKey)};
        if (!hosts.isEmpty())
            arguments << QString::fromLatin1(hosts);
        process->setArguments(arguments);
        m_processes.push_back(std::move(process));
    }
}

MembershipSystem::~MembershipSystem()
{
    for (const auto& process : m_processes) {
        process->kill();
        process->waitForFinished(5000);
    }
}

bool MembershipSystem::start()
{
    QByteArray addresses;
    for (const auto& process : m_processes)
        process->start();
    for (const auto& process : m_processes) {
        while (!process->canReadLine()) {
            if (!process->waitForReadyRead(startLimitMs))
                return false;
        }
        addresses += process->readLine();
    }
    for (const auto& process : m_processes)
        process->write(addresses + '\n');
    return until(
        [this] {
            return std::ranges::all_of(m_views, [](const View& view) { return view.started; });
        },
        std::chrono::milliseconds(startLimitMs));
}

bool MembershipSystem::until(const std::function<bool()>& holds, std::chrono::milliseconds limit)
{
    QElapsedTimer timer;
    timer.start();
    while (true) {
        for (std::uint32_t number = 0; number < m_processes.size(); ++number)
            take(number);
        if (holds())
            return true;
        if (timer.elapsed() > limit.count())
            return false;
        QTest::qWait(2);
    }
}

void MembershipSystem::signal(std::uint32_t processor, int number)
{
    ::kill(static_cast<pid_t>(m_processes[processor]->processId()), number);
}

QByteArray MembershipSystem::order(std::uint32_t to, const QByteArray& words)
{
    const auto answered = m_views[to].answers.size();
    m_processes[to]->write(words + '\n');
    const bool came = until([&] { return m_views[to].answers.size() > answered; },
                            std::chrono::milliseconds(startLimitMs));
    return came ? m_views[to].answers.back() : QByteArray("no answer");
}

void MembershipSystem::take(std::uint32_t processor)
{
    QProcess& process = *m_processes[processor];
    while (process.canReadLine())
        takeLine(m_views[processor], process.readLine().trimmed());
    m_errors += process.readAllStandardError();
}

void MembershipSystem::takeLine(View& view, const QByteArray& line)
{
    const QList<QByteArray> words = line.split(' ');
    const Time time{std::chrono::nanoseconds(words[0].toLongLong())};
    if (words[1] == "holding") {
        view.seat = words[2].toInt() < 0 ? std::nullopt : std::optional(words[2].toInt());
        view.incarnation = words[3].toUInt();
        view.held = time;
    } else if (words[1] == "fenced") {
        view.fenced = true;
    } else if (words[1] == "standing") {
        view.standing = static_cast<hierarchy::Standing>(words[2].toInt());
        view.wasSuspended = view.wasSuspended || view.standing == hierarchy::Standing::Suspended;
    } else if (words[1] == "rejoined") {
        ++view.returns;
    } else if (words[1] == "shutout") {
        view.shutOut = true;
    } else if (words[1] == "lengthened") {
        ++view.lengthened;
    } else if (words[1] == "answer") {
        view.answers.append(line.mid(line.indexOf("answer ") + 7));
    } else if (words[1] == "view") {
        view.started = words[2] == "1";
        view.heartbeatMs = words.back().toLongLong();
        for (qsizetype i = 3; i + 1 < words.size(); ++i) {
            const QList<QByteArray> parts = words[i].split(':');
            Row& row = view.rows[static_cast<std::size_t>(i - 3)];
            const auto health = static_cast<Health>(parts[0].toInt());
            if (health != row.health)
                row.since = time;
            row.health = health;
            row.cause = static_cast<HealthCause>(parts[1].toInt());
            row.seat = parts[2].toInt();
            row.drained = parts[3] == "1";
            row.promoted = parts[4].toUInt();
            row.kind = static_cast<ProcessorKind>(parts[5].toInt());
        }
    }
}

} // namespace tasuki
