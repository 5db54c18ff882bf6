// SPDX-License-Identifier: GPL-3.0-or-later
#include "crowd.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <netinet/in.h>
#include <new>
#include <set>
#include <sstream>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tasuki::testing {

using std::chrono::steady_clock;

/// Of one child; the others only read it.
struct Crowd::Shared {
    std::atomic<long long> opened{0};
    std::atomic<long long> closed{0};
    std::atomic<long long> held{0};
};

namespace {

constexpr int stepsPerSecond = 100;

std::set<std::string> socketsOf(pid_t process)
{
    std::set<std::string> found;
    std::error_code error;
    for (std::filesystem::directory_iterator
             entry("/proc/" + std::to_string(process) + "/fd", error),
         end;
         !error && entry != end; entry.increment(error)) {
        std::error_code gone;
        const std::string target = std::filesystem::read_symlink(entry->path(), gone).string();
        if (target.starts_with("socket:[")) {
            found.insert(target.substr(8, target.size() - 9));
        }
    }
    return found;
}

/// Adds what /proc/net/tcp or tcp6 tells of listening sockets, by their inodes.
void addListening(bool v6, std::map<std::string, ListeningPort>& found)
{
    std::ifstream table(v6 ? "/proc/net/tcp6" : "/proc/net/tcp");
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) {
        std::istringstream words(line);
        std::array<std::string, 10> word;
        for (std::string& each : word) {
            words >> each;
        }
        constexpr int hex = 16;
        if (word[3] == "0A") {
            const auto port = std::stoul(word[1].substr(word[1].find(':') + 1), nullptr, hex);
            found[word[9]] = {.number = static_cast<std::uint16_t>(port), .v6 = v6, .owner = {}};
        }
    }
}

/// What a child does.
class Stranger {
public:
    Stranger(const ListeningPort& port, int each, int againPerSecond)
        : m_port(port), m_each(each), m_again(againPerSecond), m_epoll(::epoll_create1(0))
    {
        rlimit files{};
        ::getrlimit(RLIMIT_NOFILE, &files);
        files.rlim_cur = files.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &files);
    }

    template <class Tell>
    [[noreturn]] void run(Tell tell)
    {
        constexpr std::chrono::milliseconds step{1000 / stepsPerSecond};
        auto due = steady_clock::now();
        for (long long turn = 0;; ++turn) {
            due += step;
            // The first ones within a second, later ones at their pace, which may be below one a step.
            const bool first = m_opened < m_each;
            const long long wanted = first
                ? m_each / stepsPerSecond + 1
                : (turn + 1) * m_again / stepsPerSecond - turn * m_again / stepsPerSecond;
            for (long long i = 0; i < wanted && m_held < m_each; ++i) {
                openOne();
            }
            listenUntil(due);
            tell(m_opened, m_closed, m_held);
        }
    }

private:
    void openOne()
    {
        const int family = m_port.v6 ? AF_INET6 : AF_INET;
        const int fd = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (fd < 0) {
            return;
        }
        ++m_opened;
        sockaddr_in four{};
        four.sin_family = AF_INET;
        four.sin_port = htons(m_port.number);
        four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        sockaddr_in6 six{};
        six.sin6_family = AF_INET6;
        six.sin6_port = htons(m_port.number);
        six.sin6_addr = in6addr_loopback;
        const int failed = m_port.v6
            ? ::connect(fd, reinterpret_cast<const sockaddr*>(&six), sizeof(six))
            : ::connect(fd, reinterpret_cast<const sockaddr*>(&four), sizeof(four));
        if (failed != 0 && errno != EINPROGRESS) {
            ++m_closed;
            ::close(fd);
            return;
        }
        ++m_held;
        epoll_event event{};
        event.events = EPOLLIN | EPOLLRDHUP | EPOLLET | (m_opened % 2 == 0 ? EPOLLOUT : 0U);
        event.data.fd = fd;
        ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, fd, &event);
    }

    void listenUntil(steady_clock::time_point due)
    {
        std::array<epoll_event, 256> events{};
        for (;;) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(due
                                                                           - steady_clock::now());
            if (left.count() <= 0) {
                return;
            }
            const int count = ::epoll_wait(m_epoll, events.data(), events.size(),
                                           static_cast<int>(left.count()));
            for (int i = 0; i < count; ++i) {
                heard(events[static_cast<std::size_t>(i)]);
            }
        }
    }

    void heard(const epoll_event& event)
    {
        const int fd = event.data.fd;
        std::array<char, 4096> bytes{};
        ssize_t length = -1;
        if ((event.events & (EPOLLIN | EPOLLRDHUP)) != 0) {
            length = ::recv(fd, bytes.data(), bytes.size(), 0);
        }
        if (length == 0 || (event.events & (EPOLLHUP | EPOLLERR)) != 0) {
            ++m_closed;
            --m_held;
            ::close(fd);
            return;
        }
        if ((event.events & EPOLLOUT) != 0) {
            static_cast<void>(::send(fd, "", 1, MSG_NOSIGNAL));
            epoll_event quiet{};
            quiet.events = EPOLLIN | EPOLLRDHUP | EPOLLET;
            quiet.data.fd = fd;
            ::epoll_ctl(m_epoll, EPOLL_CTL_MOD, fd, &quiet);
        }
    }

    ListeningPort m_port;
    int m_each;
    int m_again;
    int m_epoll;
    long long m_opened = 0;
    long long m_closed = 0;
    long long m_held = 0;
};

} // namespace

std::vector<ListeningPort> listeningPorts(const std::vector<pid_t>& processes)
{
    std::map<std::string, ListeningPort> all;
    addListening(false, all);
    addListening(true, all);
    std::vector<ListeningPort> ports;
    for (const pid_t process : processes) {
        std::string name;
        std::ifstream("/proc/" + std::to_string(process) + "/comm") >> name;
        for (const std::string& inode : socketsOf(process)) {
            if (auto found = all.extract(inode)) {
                found.mapped().owner = name;
                ports.push_back(found.mapped());
            }
        }
    }
    return ports;
}

Crowd::Crowd(const std::vector<ListeningPort>& ports, int each, int againPerSecond)
    : m_shared(nullptr), m_count(ports.size())
{
    void* memory = ::mmap(nullptr, sizeof(Shared) * (m_count + 1), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::runtime_error("no memory for the counts of strangers");
    }
    m_shared = static_cast<Shared*>(memory);
    const pid_t parent = ::getpid();
    for (std::size_t i = 0; i < m_count; ++i) {
        Shared* const mine = new (m_shared + i) Shared;
        const pid_t child = ::fork();
        if (child == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != parent) {
                ::_exit(1);
            }
            Stranger(ports[i], each, againPerSecond)
                .run([mine](long long opened, long long closed, long long held) {
                    mine->opened = opened;
                    mine->closed = closed;
                    mine->held = held;
                });
        }
        if (child > 0) {
            m_children.push_back(child);
        }
    }
}

Crowd::~Crowd()
{
    for (const pid_t child : m_children) {
        ::kill(child, SIGKILL);
    }
    for (const pid_t child : m_children) {
        ::waitpid(child, nullptr, 0);
    }
    ::munmap(m_shared, sizeof(Shared) * (m_count + 1));
}

Crowd::Counts Crowd::counts() const
{
    Counts sum;
    for (std::size_t i = 0; i < m_count; ++i) {
        sum.opened += m_shared[i].opened;
        sum.closed += m_shared[i].closed;
        sum.held += m_shared[i].held;
    }
    return sum;
}

} // namespace tasuki::testing
