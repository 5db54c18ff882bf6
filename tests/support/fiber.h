// SPDX-License-Identifier: GPL-3.0-or-later
//
// A function that runs on a stack of its own, so that a simulation can leave it where it waits and go on with something else.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include <ucontext.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TASUKI_FIBER_ASAN
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TASUKI_FIBER_ASAN
#endif
#ifdef TASUKI_FIBER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace tasuki::testing {

/// Goes on when it is resumed, until it yields or ends. Who destroys it ends it where it has yielded, as an exception does. One thread.
class Fiber {
public:
    explicit Fiber(std::function<void()> what)
        : m_what(std::move(what)), m_stack(std::make_unique<std::byte[]>(stackBytes))
    {
        ::getcontext(&m_inside);
        m_inside.uc_stack.ss_sp = m_stack.get();
        m_inside.uc_stack.ss_size = stackBytes;
        m_inside.uc_link = nullptr;
        ::makecontext(&m_inside, &Fiber::run, 0);
    }
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;
    ~Fiber()
    {
        m_ends = true;
        if (m_begun)
            resume();
    }

    void resume()
    {
        if (m_over)
            return;
        m_begun = true;
        Fiber* const before = std::exchange(current(), this);
        leave(m_inside.uc_stack.ss_sp, stackBytes, &m_outsideFake);
        ::swapcontext(&m_outside, &m_inside);
        arrive(m_outsideFake, nullptr, nullptr);
        current() = before;
    }
    /// Called inside.
    void yield()
    {
        leave(m_outsideStack, m_outsideBytes, &m_insideFake);
        ::swapcontext(&m_inside, &m_outside);
        arrive(m_insideFake, &m_outsideStack, &m_outsideBytes);
        if (m_ends)
            throw Ended{};
    }

private:
    struct Ended {};
    static constexpr std::size_t stackBytes = std::size_t{256} * 1024;

    static Fiber*& current()
    {
        static Fiber* one = nullptr;
        return one;
    }
    static void run()
    {
        Fiber& me = *current();
        me.arrive(nullptr, &me.m_outsideStack, &me.m_outsideBytes);
        try {
            me.m_what();
        } catch (const Ended&) {
            // whoever destroys it waits for this
        }
        me.m_over = true;
        me.leave(me.m_outsideStack, me.m_outsideBytes, nullptr);
        ::setcontext(&me.m_outside);
    }

    // A sanitizer is told which stack is the one that is used.
    static void leave([[maybe_unused]] const void* stack, [[maybe_unused]] std::size_t bytes,
                      [[maybe_unused]] void** fake)
    {
#ifdef TASUKI_FIBER_ASAN
        __sanitizer_start_switch_fiber(fake, stack, bytes);
#endif
    }
    static void arrive([[maybe_unused]] void* fake, [[maybe_unused]] const void** stack,
                       [[maybe_unused]] std::size_t* bytes)
    {
#ifdef TASUKI_FIBER_ASAN
        __sanitizer_finish_switch_fiber(fake, stack, bytes);
#endif
    }

    std::function<void()> m_what;
    std::unique_ptr<std::byte[]> m_stack;
    ucontext_t m_inside{};
    ucontext_t m_outside{};
    const void* m_outsideStack = nullptr;
    std::size_t m_outsideBytes = 0;
    void* m_insideFake = nullptr;
    void* m_outsideFake = nullptr;
    bool m_begun = false;
    bool m_ends = false;
    bool m_over = false;
};

} // namespace tasuki::testing
