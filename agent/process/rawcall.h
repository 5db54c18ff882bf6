// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace tasuki::guardian {

/// Whether rawCall() leaves errno alone here, so that a process and its parent may run at the same time in
/// one memory.
#if defined(__x86_64__) || defined(__aarch64__)
inline constexpr bool rawCallsAreSeparate = true;
#else
inline constexpr bool rawCallsAreSeparate = false;
#endif

/// A system call. @return what the kernel returns: from -4095 to -1 an error number, negated
inline long rawCall(long number, long first = 0, long second = 0, long third = 0, long fourth = 0)
{
#if defined(__x86_64__)
    long result = 0;
    register long r10 asm("r10") = fourth;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(number), "D"(first), "S"(second), "d"(third), "r"(r10)
                 : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 asm("x8") = number;
    register long x0 asm("x0") = first;
    register long x1 asm("x1") = second;
    register long x2 asm("x2") = third;
    register long x3 asm("x3") = fourth;
    asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
#else
    const long result = ::syscall(number, first, second, third, fourth);
    return result == -1 ? -errno : result;
#endif
}

/// The same, for arguments that are addresses.
template <typename T>
long addressOf(T* pointer)
{
    return reinterpret_cast<long>(pointer);
}

} // namespace tasuki::guardian
