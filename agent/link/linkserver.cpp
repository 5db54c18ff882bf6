// SPDX-License-Identifier: GPL-3.0-or-later
#include "linkserver.h"

#include "linkcore.h"

#include "host/hostidentity.h"
#include "wire/accessfile.h"

#include <csignal>
#include <system_error>
#include <thread>
#include <vector>

#include <unistd.h>

namespace tasuki::link {

namespace {

/// What earlier lives of the run, or a master of this one, left when they were killed.
std::vector<AccessListing::Entry> staleOf(const std::filesystem::path& directory,
                                          const AccessFile& ours)
{
    std::vector<AccessListing::Entry> stale = listAccessFiles(directory).agents;
    std::erase_if(stale, [&ours](const AccessListing::Entry& entry) {
        return entry.access.run != ours.run || !isStale(entry.access, ours.hostKey);
    });
    return stale;
}

/// Nobody answers there.
/// @param keep  the access file of who lives, which may have the name of a stale one
void removeStale(const std::vector<AccessListing::Entry>& stale, const std::filesystem::path& keep)
{
    for (const auto& [path, access] : stale) {
        std::error_code ignored;
        if (std::filesystem::is_socket(std::filesystem::symlink_status(access.socket, ignored)))
            std::filesystem::remove(access.socket, ignored);
        if (path != keep)
            std::filesystem::remove(path, ignored);
    }
}

/// A thread that takes none of the process's signals.
template <class Body>
std::thread quietThread(Body body)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread thread(std::move(body));
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

AccessFile describe(const LinkOptions& options)
{
    HostIdentity host = hostIdentity();
    AccessFile access;
    access.run = options.run;
    access.epoch = options.epoch;
    access.runFile = options.runFile.native();
    access.title = options.title;
    access.directory = options.directory;
    access.hostName = std::move(host.name);
    access.hostKey = std::move(host.key);
    access.pid = ::getpid();
    access.processStart = processStart(access.pid);
    access.started = std::chrono::floor<std::chrono::seconds>(SystemClock().wallNow());
    access.token = randomSecret();
    return access;
}

} // namespace

class LinkServer::Impl {
public:
    std::shared_ptr<LinkCore> core;
    SocketFile socketFile;
    std::filesystem::path accessPath;
    AccessFile access;
    std::optional<TcpAddress> tcp;
    std::thread thread;
};

Result<std::unique_ptr<LinkServer>> LinkServer::start(LinkOptions options, LinkCallbacks callbacks)
{
    auto history = History::open(options.runFile);
    if (!history)
        return history.error();
    const auto last = history->last();
    if (!last)
        return last.error();
    auto impl = std::make_unique<Impl>();
    impl->access = describe(options);

    auto sockets = options.socketDirectory.empty()
        ? makeSocketDirectory()
        : Result<std::filesystem::path>(options.socketDirectory);
    if (!sockets)
        return sockets.error();
    if (auto made = makePrivateDirectory(*sockets); !made)
        return made.error();
    auto accesses = options.accessDirectory.empty()
        ? accessDirectory()
        : Result<std::filesystem::path>(options.accessDirectory);
    if (!accesses)
        return accesses.error();

    // The process id makes the name unique among copies of a run file that are resumed.
    auto path = *sockets / accessFileName(options.run, options.epoch);
    path.replace_extension(std::to_string(impl->access.pid) + ".sock");
    auto unixSocket = listenOnPath(path);
    if (!unixSocket)
        return unixSocket.error();
    impl->socketFile = SocketFile(path);
    impl->access.socket = path.native();
    std::optional<UniqueFd> tcpSocket;
    if (options.tcp) {
        auto listening = listenOnAddress(*options.tcp);
        if (!listening)
            return listening.error();
        tcpSocket = std::move(*listening);
        impl->access.tcpAddress = options.tcp->address;
        impl->access.tcpPort = options.tcp->port;
    }
    impl->tcp = options.tcp;

    impl->core = std::make_shared<LinkCore>(std::move(options), std::move(callbacks), impl->access,
                                            std::move(*history), *last);
    impl->core->listen(std::move(*unixSocket), std::move(tcpSocket));
    // A successor's access file takes the place of that of the master that was lost.
    const std::vector<AccessListing::Entry> stale = staleOf(*accesses, impl->access);
    auto written = writeAccessFile(*accesses, impl->access);
    if (!written)
        return written.error();
    impl->accessPath = std::move(*written);
    removeStale(stale, impl->accessPath);
    impl->thread = quietThread([core = impl->core.get()] { core->run(); });
    return std::unique_ptr<LinkServer>(new LinkServer(std::move(impl)));
}

LinkServer::LinkServer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

LinkServer::~LinkServer() { close("the agent has ended"); }

void LinkServer::published(std::shared_ptr<const std::vector<Event>> committed)
{
    m_impl->core->published(std::move(committed));
}

void LinkServer::status(Status status) { m_impl->core->statusIs(status); }

void LinkServer::close(std::string reason)
{
    end([this, &reason] { m_impl->core->beginClose(std::move(reason)); });
}

void LinkServer::drop()
{
    end([this] { m_impl->core->beginDrop(); });
}

void LinkServer::end(const std::function<void()>& begin)
{
    if (!m_impl->thread.joinable())
        return;
    // At first, so that no window finds an agent that is about to go.
    static_cast<void>(removeAccessFile(m_impl->accessPath, m_impl->access.token));
    m_impl->socketFile.remove();
    begin();
    m_impl->thread.join();
}

const std::filesystem::path& LinkServer::access() const { return m_impl->accessPath; }

const std::string& LinkServer::socket() const { return m_impl->access.socket; }

const std::optional<TcpAddress>& LinkServer::tcp() const { return m_impl->tcp; }

} // namespace tasuki::link
