// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "program.h"

#include <coroutine>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace tasuki::world {

/// A collective operation that is under way: a coroutine that waits for messages. Whoever waits for it, or for anything else,
/// carries it on.
class Collective {
public:
    struct promise_type {
        std::vector<std::unique_ptr<Request>> waits; ///< what it goes on after
        std::unique_ptr<Collective> part;            ///< the same
        int error = MPI_SUCCESS;

        Collective get_return_object()
        {
            return Collective(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_value(int code)
        {
            if (error == MPI_SUCCESS)
                error = code;
        }
        void unhandled_exception() { std::terminate(); }
    };

    Collective(Collective&& other) noexcept : m_handle(std::exchange(other.m_handle, {})) {}
    Collective& operator=(Collective&& other) noexcept
    {
        std::swap(m_handle, other.m_handle);
        return *this;
    }
    Collective(const Collective&) = delete;
    Collective& operator=(const Collective&) = delete;
    ~Collective()
    {
        if (m_handle)
            m_handle.destroy();
    }

    [[nodiscard]] bool isDone() const { return m_handle.done(); }
    [[nodiscard]] int error() const { return m_handle.promise().error; }
    /// Carries it on for as long as what it waits for is done.
    /// @return whether it moved
    bool resume(Program& program);

private:
    explicit Collective(std::coroutine_handle<promise_type> handle) : m_handle(handle) {}
    std::coroutine_handle<promise_type> m_handle;
};

/// `co_await` it: an operation that is a part of another one. What goes wrong in it goes wrong with the other one.
class Part {
public:
    explicit Part(Collective part) : m_part(std::make_unique<Collective>(std::move(part))) {}
    [[nodiscard]] bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<Collective::promise_type> handle)
    {
        handle.promise().part = std::move(m_part);
    }
    void await_resume() const {}

private:
    std::unique_ptr<Collective> m_part;
};

/// The messages of one collective operation of one communicator. Its tag keeps operations apart that are under way at once.
class Exchange {
public:
    Exchange(Program& program, SharedCommunicator communicator);

    [[nodiscard]] const Communicator& communicator() const { return *m_communicator; }
    [[nodiscard]] int rank() const { return m_communicator->rank; }
    [[nodiscard]] int size() const { return m_communicator->size(); }
    /// The other side's, of an intercommunicator.
    [[nodiscard]] int remoteSize() const { return m_communicator->remote->size(); }
    /// A further operation of the same communicator.
    [[nodiscard]] Exchange another() const { return {m_program, m_communicator}; }
    /// One among this side alone.
    [[nodiscard]] Exchange local() const { return {m_program, m_communicator->local}; }

    std::unique_ptr<Request> send(int to, const void* buffer, std::size_t count,
                                  MPI_Datatype type) const;
    std::unique_ptr<Request> receive(int from, void* buffer, std::size_t count,
                                     MPI_Datatype type) const;

    /// `co_await` it: goes on when all are done.
    class Wait {
    public:
        explicit Wait(std::vector<std::unique_ptr<Request>> requests)
            : m_requests(std::move(requests))
        {}
        [[nodiscard]] bool await_ready() const { return m_requests.empty(); }
        void await_suspend(std::coroutine_handle<Collective::promise_type> handle)
        {
            handle.promise().waits = std::move(m_requests);
        }
        void await_resume() const {}

    private:
        std::vector<std::unique_ptr<Request>> m_requests;
    };
    template <class... One>
    static Wait all(One... one)
    {
        std::vector<std::unique_ptr<Request>> requests;
        (requests.push_back(std::move(one)), ...);
        return Wait(std::move(requests));
    }
    static Wait all(std::vector<std::unique_ptr<Request>> requests)
    {
        return Wait(std::move(requests));
    }

private:
    Program& m_program;
    SharedCommunicator m_communicator;
    int m_tag;
};

} // namespace tasuki::world
