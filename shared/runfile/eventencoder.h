// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "domain/event.h"
#include "prerequisitestext.h"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace tasuki {

/// Writes events as rows, inside a transaction that its user begins and ends.
class EventEncoder {
public:
    /// @param database  must outlive the encoder, at the same address
    static Result<EventEncoder> prepare(Database& database);

    /// @return an Error when SQLite refused the rows; the transaction must then be rolled back
    [[nodiscard]] Result<void> insert(const Event& event);
    /// To be called after the transaction was committed.
    void keep()
    {
        m_newSettings.clear();
        m_prerequisites.keep();
    }
    /// To be called after the transaction was rolled back.
    void forget();

private:
    struct Insert;
    enum Shape : std::uint8_t {
        PlainRow,
        TaskRow,
        StartedRow,
        FinishedRow,
        OutputRow,
        DetailShape,
        SettingsRow,
        shapeCount,
    };

    explicit EventEncoder(Database& database) : m_database(&database) {}
    Result<void> loadSettings();
    Result<std::int64_t> settingsId(const std::shared_ptr<const TaskSettings>& settings);
    Result<void> run(Statement& statement);

    Database* m_database;
    std::array<Statement, shapeCount> m_statements;
    /// Ids of table settings by content.
    std::unordered_map<std::string, std::int64_t> m_settings;
    /// Keys of m_settings that the open transaction added.
    std::vector<std::string> m_newSettings;
    /// Tasks come in runs with the same object: spares the look-up by content.
    std::shared_ptr<const TaskSettings> m_latest;
    std::int64_t m_latestId = 0;
    PrerequisitesWriter m_prerequisites;
    std::string m_text;
};

} // namespace tasuki
