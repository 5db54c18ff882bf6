// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/programstart.h"

#include <new>

#include <fcntl.h>
#include <unistd.h>

namespace tasuki {

namespace {

/// Arguments or environment in the form that the system takes.
std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> found;
    found.reserve(texts.size() + 1);
    for (std::string& text : texts)
        found.push_back(text.data());
    found.push_back(nullptr);
    return found;
}

void require(int failure)
{
    if (failure != 0)
        throw std::bad_alloc(); // the only thing that can go wrong with what is passed here
}

} // namespace

ProgramStart::ProgramStart()
{
    require(::posix_spawn_file_actions_init(&m_actions));
    require(::posix_spawnattr_init(&m_attributes));
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&m_attributes, &none);
    add(POSIX_SPAWN_SETSIGMASK);
}

ProgramStart::~ProgramStart()
{
    ::posix_spawn_file_actions_destroy(&m_actions);
    ::posix_spawnattr_destroy(&m_attributes);
}

void ProgramStart::add(short flag)
{
    short flags = 0;
    ::posix_spawnattr_getflags(&m_attributes, &flags);
    ::posix_spawnattr_setflags(&m_attributes, static_cast<short>(flags | flag));
}

void ProgramStart::give(int fd, int as)
{
    if (fd < 0)
        require(::posix_spawn_file_actions_addopen(&m_actions, as, "/dev/null", O_RDONLY, 0));
    else
        require(::posix_spawn_file_actions_adddup2(&m_actions, fd, as));
}

void ProgramStart::leadGroup()
{
    ::posix_spawnattr_setpgroup(&m_attributes, 0);
    add(POSIX_SPAWN_SETPGROUP);
}

void ProgramStart::takeSignals(std::initializer_list<int> signals)
{
    sigset_t defaults;
    ::posix_spawnattr_getsigdefault(&m_attributes, &defaults);
    for (const int number : signals)
        ::sigaddset(&defaults, number);
    ::posix_spawnattr_setsigdefault(&m_attributes, &defaults);
    add(POSIX_SPAWN_SETSIGDEF);
}

Result<pid_t> ProgramStart::run(const std::string& program, std::vector<std::string> arguments,
                                EnvironmentEntries environment) const
{
    pid_t pid = -1;
    const int failure = ::posix_spawnp(&pid, program.c_str(), &m_actions, &m_attributes,
                                       pointers(arguments).data(), pointers(environment).data());
    if (failure != 0)
        return systemError("cannot start " + program, failure);
    return pid;
}

} // namespace tasuki
