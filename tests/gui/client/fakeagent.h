// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocalServer>
#include <QLocalSocket>
#include <QObject>
#include <QTcpServer>
#include <QTcpSocket>

#include "domain/event.h"
#include "wire/accessfile.h"
#include "wire/framing.h"
#include "wire/handshake.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tasuki::testing {

/// What it does when it should behave.
struct Manners {
    link::ProtocolVersion protocol;
    bool wrongToken = false; ///< its access file has another token than it has
    bool greets = true;      ///< answers a hello
    bool answersSubscribe = true;
    bool answersPings = true;
    bool unixSocket = true; ///< listens there; else the access file names one that is dead
    bool tcp = false;
    bool forgetful = false; ///< knows nobody's events: every snapshot is a reset
};

/// An agent's end of the link that does as it is told, also wrong things. Lives on the test's
/// thread and works while that turns its event loop.
class FakeAgent : public QObject {
    Q_OBJECT

public:
    /// @param directory  for access file and socket
    FakeAgent(std::filesystem::path directory, RunId run, Epoch epoch, Manners manners = {});
    ~FakeAgent() override;

    [[nodiscard]] const std::filesystem::path& access() const { return m_path; }
    /// Adds to the record and tells subscribers.
    void publish(const std::vector<Event>& events);
    /// Adds to the record and tells nobody.
    void record(const std::vector<Event>& events);
    void say(const link::AgentMessage& message);
    void sayRaw(const std::string& bytes);
    /// Ends all connections.
    void hangUp();
    /// Bye, and the access file goes.
    void leave();
    /// As if killed: connections end, the access file stays.
    void die();

    [[nodiscard]] const std::vector<Event>& recorded() const { return m_record; }
    /// What windows said after the greeting, in order.
    template <class Message>
    [[nodiscard]] std::vector<Message> said() const
    {
        std::vector<Message> found;
        for (const auto& message : m_said)
            if (const auto* wanted = std::get_if<Message>(&message))
                found.push_back(*wanted);
        return found;
    }
    /// How many connections there have been.
    [[nodiscard]] int connections() const { return m_connections; }
    /// Bytes that the windows have not taken yet.
    [[nodiscard]] qint64 waiting() const;

    Manners manners;

private:
    struct Window {
        QIODevice* socket = nullptr;
        link::FrameDecoder decoder{link::frameLimit};
        std::unique_ptr<link::ServerHandshake> handshake;
        bool greeted = false;
        bool subscribed = false;
    };

    void welcome(QIODevice* socket);
    void read(Window& window);
    void take(Window& window, const link::ClientMessage& message);
    void answer(Window& window, const link::Subscribe& wish);
    static void send(Window& window, const link::AgentMessage& message);

    RunId m_run;
    Epoch m_epoch;
    link::AccessFile m_access;
    std::filesystem::path m_path;
    QLocalServer m_local;
    QTcpServer m_tcp;
    std::vector<std::unique_ptr<Window>> m_windows;
    std::vector<Event> m_record;
    std::vector<link::ClientMessage> m_said;
    int m_connections = 0;
};

} // namespace tasuki::testing
