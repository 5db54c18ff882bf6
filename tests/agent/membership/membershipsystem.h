// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/systemwords.h"
#include "hierarchy/standing.h"

#include <QProcess>
#include <QTemporaryDir>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tasuki {

/// Membership agents in processes of their own, as an agent would run them. All are dead when this ends.
class MembershipSystem {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// What a processor said last about another one.
    struct Row {
        Health health = Health::Expected;
        HealthCause cause = HealthCause::None;
        int seat = -1;
        bool drained = false;
        unsigned promoted = 0;
        ProcessorKind kind = ProcessorKind::Active;
        Time since{}; ///< when it said that the health is so
    };
    struct View {
        bool started = false;
        std::vector<Row> rows;
        std::optional<int> seat; ///< that it holds itself
        unsigned incarnation = 0;
        Time held{}; ///< since when
        hierarchy::Standing standing = hierarchy::Standing::Valid;
        bool wasSuspended = false;
        bool fenced = false;
        int returns = 0;      ///< how often it was let in again
        bool shutOut = false; ///< it is not let in again
        int lengthened = 0;
        long long heartbeatMs = 0;
        QList<QByteArray> answers; ///< to orders: "accepted", or why not
    };

    /// @param hosts  a letter for each processor, its host; empty: all are on this one
    explicit MembershipSystem(const QByteArray& topology, std::uint32_t processors,
                              const QByteArray& hosts = {});
    ~MembershipSystem();
    MembershipSystem(const MembershipSystem&) = delete;
    MembershipSystem& operator=(const MembershipSystem&) = delete;

    /// Starts all and waits until every one says that the system has started.
    bool start();
    /// Takes what they print until something holds.
    bool until(const std::function<bool()>& holds, std::chrono::milliseconds limit);

    void signal(std::uint32_t processor, int number);
    /// Gives an order to a processor, in the words of membershipprocess, and waits for its answer.
    QByteArray order(std::uint32_t to, const QByteArray& words);
    [[nodiscard]] const View& view(std::uint32_t processor) const { return m_views[processor]; }
    [[nodiscard]] bool runs(std::uint32_t processor) const
    {
        return m_processes[processor]->state() == QProcess::Running;
    }
    [[nodiscard]] QByteArray errors() const { return m_errors; }

private:
    void take(std::uint32_t processor);
    void takeLine(View& view, const QByteArray& line);

    QTemporaryDir m_directory;
    std::vector<std::unique_ptr<QProcess>> m_processes;
    std::vector<View> m_views;
    QByteArray m_errors;
};

} // namespace tasuki
