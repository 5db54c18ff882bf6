// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/connectionstatus.h"
#include "domain/command.h"
#include "domain/runstate.h"
#include "domain/systemstate.h"

#include <QString>
#include <QVariant>

#include <chrono>
#include <optional>
#include <string_view>

/// The words of the window for what the domain knows, in the language of the user.
namespace tasuki::wording {

QString state(TaskState state);
/// @return e.g. "exit 3", "signal 9 (SIGKILL)", "timed out"
QString outcome(Outcome outcome, std::int32_t code);
QString loss(LossCause cause);
QString severity(Severity severity);
QString connection(ConnectionState state);
QString conflict(ConflictCause cause);
/// @return e.g. "2 after an exit, 3 after a lost processor"; "none"
QString retries(const RetryBudget& budget);
/// @return e.g. "1 h 02 min", "3.21 s", "12 ms"; "-" for none
QString duration(std::optional<std::chrono::microseconds> duration);
/// @return date and time of day in the user's zone, to the second; milliseconds on demand
QString time(WallTime time, bool milliseconds = false);
/// @return e.g. "3.2 MiB"
QString bytes(std::uint64_t bytes);
/// @return e.g. "83 %"
QString share(double share);
/// Bytes as text: what is not UTF-8 becomes U+FFFD.
QString text(std::string_view bytes);
/// @return what has no translation in English
QString phrase(const Phrase& phrase);

QString health(Health health);
QString healthCause(HealthCause cause);
QString clusterState(ClusterState state);
QString processorKind(ProcessorKind kind);
/// @return e.g. "cluster master"
QString master(MasterRole role);
/// @return the same in two letters, e.g. "CM"
QString masterBadge(MasterRole role);
/// @return e.g. "antenna rank 2", "I/O 0"
QString seat(const SeatLabel& seat);
/// @return e.g. "rank 2"; where there are several subclusters "antenna rank 2"
QString rank(const SystemState& system, Rank rank);
/// @return the same in a column of ranks: where there is one subcluster alone the number
QVariant rankCell(const SystemState& system, Rank rank);
/// @return e.g. "processor 7 (node0)"
QString processor(const ProcessorLabel& processor);

/// The name of an action or menu without the letter for the keyboard, also where it stands in
/// parentheses behind the name.
QString withoutMnemonic(QString text);

} // namespace tasuki::wording
