// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "probe/pingpongplan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::probe {

/// What rank 0 tells another rank to do.
enum class OrderKind : std::uint64_t {
    Calibrate, ///< answer how much work a second holds
    Compute, ///< [work, microseconds, fewest times]: answer each time's microseconds, go on till Rest
    Rest,    ///< end of Compute; answer if that has not happened
    Lead,    ///< [peer, bytes, repetitions, ...]: answer the mean time of each size
    Follow, ///< the same, as the other end; answer nothing
    Pour,   ///< [incoming, peer, messages, ...]: to all at once, or from them; answer microseconds
    Join,   ///< [incoming, peer, messages]: be one of them; answer nothing
    Send,   ///< [peer, bytes]: one message; answer when it was sent, and when answered
    Take,   ///< [peer, bytes]: the same, as the other end; answer nothing
    Leave,  ///< there is nothing more to do
};

struct Order {
    OrderKind kind = OrderKind::Leave;
    std::vector<std::uint64_t> words;
};

/// What a rank answers.
struct Answer {
    int rank = 0;
    std::vector<double> values;
};

/// What travels between the ranks of a probe. Who waits here sleeps between looks, up to a
/// millisecond, so that it takes no core from those that are measured; only who is measured spins, as
/// programs do. An error of MPI ends all ranks: nobody shall wait for one that has gone.
///
/// Between MPI_Init and MPI_Finalize, on the main thread; made and destroyed by all ranks together.
class ProbeChannel {
public:
    ProbeChannel();
    ProbeChannel(const ProbeChannel&) = delete;
    ProbeChannel& operator=(const ProbeChannel&) = delete;
    ~ProbeChannel();

    /// Rank 0 waits for the others.
    /// @return on rank 0 all hosts, by rank; elsewhere nothing
    std::vector<std::string> gather(const std::string& host);

    void give(int rank, const Order& order);
    [[nodiscard]] bool orderWaits();
    Order takeOrder();

    void answer(const std::vector<double>& values);
    std::optional<Answer> takeAnswer();
    Answer awaitAnswer();

    /// Messages to a peer, which follows, and back.
    /// @return for each exchange the mean time one way, in microseconds
    std::vector<double> lead(int peer, const std::vector<Exchange>& exchanges);
    void follow(int peer, const std::vector<Exchange>& exchanges);

    /// Messages of streamMessageBytes to or from a peer.
    struct Stream {
        int peer = 0;
        std::uint64_t messages = 0;
    };
    /// @param incoming  the peers, which join, send; else this rank does
    /// @return microseconds until all messages are through
    double pour(bool incoming, const std::vector<Stream>& streams);
    void join(bool incoming, const Stream& stream);

    struct Sending {
        double sentUs = 0.0;     ///< MPI_Send has returned
        double answeredUs = 0.0; ///< the peer has told that it has the message
    };
    /// One message, which the peer takes.
    Sending sendOne(int peer, std::uint64_t bytes);
    void takeOne(int peer, std::uint64_t bytes);

private:
    struct Communicator; ///< hides mpi.h
    std::unique_ptr<Communicator> m_communicator;
    std::vector<char> m_buffer;
};

} // namespace tasuki::probe
