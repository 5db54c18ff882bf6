// SPDX-License-Identifier: GPL-3.0-or-later
// An MPI program nothing of which happens in the same order twice: messages from anybody, probes, tests, clocks and random numbers
// decide what each rank does next. What arrives is checked: each message is whole, those of each sender come in the order of
// sending, and all ranks together have received what they have sent. Usage: anyorder ROUNDS [ROUNDS-A-LINE [points]]
//
// Each rank prints a line now and then, and at the end how many, and a sum over all of them: a reader of the output can tell whether
// one is missing, there twice, or another one than the rank that has come to its end has printed. Each fifth one is told on standard error,
// too. Exit code 3: something is wrong. With points each round begins with a restart point.
#include <mpi.h>
#include <tasuki.h>

#include <cinttypes>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include <sched.h>
#include <sys/times.h>

namespace {

constexpr int mostWords = 20'000; // 80 kB, longer than what goes in one piece
constexpr std::uint32_t headWords = 4;

using Words = std::vector<std::uint32_t>;

int rank = 0;
int size = 0;
int tag = 0; ///< of this round: somebody may be one round ahead

[[noreturn]] void wrong(const char* what)
{
    std::fprintf(stderr, "anyorder: rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
    std::abort();
}

void expect(bool holds, const char* what)
{
    if (!holds)
        wrong(what);
}

/// What the random numbers come from where there are restart points: the library's own cannot be given back.
std::uint64_t chance = 0; // 0: they are the library's

int random()
{
    if (chance == 0)
        return std::rand();
    chance = chance * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return static_cast<int>(chance >> 33U);
}

/// @return 0 to below - 1
int draw(int below) { return random() % below; }

std::uint32_t wordAt(std::uint32_t seed, std::uint32_t at)
{
    return (seed + at * 2'654'435'761U) ^ (seed >> 7U);
}

/// What this rank prints, with a sum over it.
class Lines {
public:
    __attribute__((format(printf, 2, 3))) void print(const char* format, ...)
    {
        char text[400];
        va_list arguments;
        va_start(arguments, format);
        const int length = std::vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        for (int i = 0; i < length; ++i)
            m_sum = (m_sum ^ static_cast<unsigned char>(text[i])) * 16'777'619U;
        ++m_count;
        std::printf("%s\n", text);
        std::fflush(stdout);
        if (m_count % 5 == 0)
            std::fprintf(stderr, "anyorder: rank %d line %d\n", rank, m_count);
    }
    void end() const
    {
        std::printf("rank %d end lines %d sum %08" PRIx32 "\n", rank, m_count, m_sum);
        std::fflush(stdout);
    }

private:
    int m_count = 0;
    std::uint32_t m_sum = 2'166'136'261U;
};

/// What has gone to each rank and come from each, over all rounds.
struct Account {
    std::vector<std::uint32_t> sent;     ///< messages to each
    std::vector<std::uint32_t> received; ///< messages from each
    std::uint64_t sentSum = 0;
    std::uint64_t receivedSum = 0;
};

// ---- sending

/// Words: sender, number among those from this sender to this receiver, seed, words behind these.
Words makeMessage(Account& account, int to)
{
    const auto behind = static_cast<std::uint32_t>(draw(100) == 0 ? draw(mostWords) : draw(20));
    const auto seed = static_cast<std::uint32_t>(random());
    Words words(headWords + behind);
    words[0] = static_cast<std::uint32_t>(rank);
    words[1] = account.sent[static_cast<std::size_t>(to)]++;
    words[2] = seed;
    words[3] = behind;
    for (std::uint32_t i = 0; i < behind; ++i)
        words[headWords + i] = wordAt(seed, i);
    account.sentSum += seed;
    return words;
}

struct Outgoing {
    std::vector<Words> messages;
    std::vector<MPI_Request> requests;
};

void send(Account& account, const std::vector<int>& receivers, Outgoing& outgoing)
{
    outgoing.messages.reserve(receivers.size()); // their memory stays where it is
    for (const int to : receivers) {
        const Words& words = outgoing.messages.emplace_back(makeMessage(account, to));
        MPI_Request request = MPI_REQUEST_NULL;
        const auto begin = draw(8) == 0 ? MPI_Issend : MPI_Isend;
        begin(words.data(), static_cast<int>(words.size()), MPI_UINT32_T, to, tag, MPI_COMM_WORLD,
              &request);
        outgoing.requests.push_back(request);
    }
}

// ---- receiving

void check(Account& account, const Words& words, const MPI_Status& status)
{
    int count = 0;
    MPI_Get_count(&status, MPI_UINT32_T, &count);
    expect(count >= static_cast<int>(headWords)
               && static_cast<std::uint32_t>(count) == headWords + words[3],
           "a message has another length");
    expect(static_cast<int>(words[0]) == status.MPI_SOURCE, "a message is from somebody else");
    expect(words[1] == account.received[words[0]]++, "a message is not the next one of its sender");
    for (std::uint32_t i = 0; i < words[3]; ++i)
        expect(words[headWords + i] == wordAt(words[2], i), "a message has other contents");
    account.receivedSum += words[2];
}

void receiveOne(Account& account, Words& buffer, int source, std::string& order)
{
    MPI_Status status;
    MPI_Recv(buffer.data(), static_cast<int>(buffer.size()), MPI_UINT32_T, source, tag,
             MPI_COMM_WORLD, &status);
    check(account, buffer, status);
    order += static_cast<char>('a' + status.MPI_SOURCE);
}

/// Whatever comes first.
void receiveBlocking(Account& account, Words& buffer, int count, std::string& order)
{
    for (int i = 0; i < count; ++i)
        receiveOne(account, buffer, MPI_ANY_SOURCE, order);
}

/// @return how often it had to be asked
int receiveProbed(Account& account, Words& buffer, int count, std::string& order)
{
    int asked = 0;
    while (count > 0) {
        int there = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
        ++asked;
        if (there == 0) {
            ::sched_yield();
            continue;
        }
        receiveOne(account, buffer, status.MPI_SOURCE, order);
        --count;
    }
    return asked;
}

/// @return how often it had to be asked
int receiveTested(Account& account, Words& buffer, int count, std::string& order)
{
    int asked = 0;
    for (int i = 0; i < count; ++i) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Irecv(buffer.data(), static_cast<int>(buffer.size()), MPI_UINT32_T, MPI_ANY_SOURCE, tag,
                  MPI_COMM_WORLD, &request);
        MPI_Status status;
        for (int done = 0; done == 0; ++asked) {
            MPI_Test(&request, &done, &status);
            if (done == 0)
                ::sched_yield();
        }
        check(account, buffer, status);
        order += static_cast<char>('a' + status.MPI_SOURCE);
    }
    return asked;
}

/// A receive for each sender is posted; whichever ends is looked at. Messages of one sender are in order all the same.
void receiveAny(Account& account, const std::vector<int>& counts, std::string& order)
{
    std::vector<Words> buffers;
    std::vector<MPI_Request> requests;
    for (int from = 0; from < size; ++from) {
        for (int i = 0; i < counts[static_cast<std::size_t>(from)]; ++i)
            buffers.emplace_back(headWords + mostWords);
    }
    for (int from = 0; from < size; ++from) {
        for (int i = 0; i < counts[static_cast<std::size_t>(from)]; ++i) {
            Words& buffer = buffers[requests.size()];
            requests.emplace_back();
            MPI_Irecv(buffer.data(), static_cast<int>(buffer.size()), MPI_UINT32_T, from, tag,
                      MPI_COMM_WORLD, &requests.back());
        }
    }
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> got(
        static_cast<std::size_t>(size));
    for (std::size_t left = requests.size(); left > 0; --left) {
        int index = 0;
        MPI_Status status;
        MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, &status);
        Words& words = buffers[static_cast<std::size_t>(index)];
        // Two of one sender may end in either order: their numbers are those of the receives.
        const auto from = static_cast<std::size_t>(status.MPI_SOURCE);
        got[from].emplace_back(static_cast<std::uint32_t>(index), words[1]);
        const std::uint32_t next = account.received[from];
        account.received[from] = words[1];
        check(account, words, status);
        account.received[from] = next + 1;
        order += static_cast<char>('a' + status.MPI_SOURCE);
    }
    for (std::size_t from = 0; from < got.size(); ++from) {
        for (const auto& [index, number] : got[from]) {
            for (const auto& [otherIndex, otherNumber] : got[from])
                expect((index < otherIndex) == (number < otherNumber),
                       "messages of a sender are in another order");
            expect(number < account.received[from], "a message is there twice");
        }
    }
}

// ---- collective operations

void checkTogether(int round, const Account& account)
{
    const std::uint64_t mine[2] = {account.sentSum, account.receivedSum};
    std::uint64_t all[2] = {0, 0};
    MPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    expect(all[0] == all[1], "not all that was sent was received");
    std::uint64_t told = rank == round % size ? all[0] : 0;
    MPI_Bcast(&told, 1, MPI_UINT64_T, round % size, MPI_COMM_WORLD);
    expect(told == all[0], "a broadcast has other contents");
    std::vector<std::uint64_t> sums(static_cast<std::size_t>(size));
    MPI_Allgather(mine, 1, MPI_UINT64_T, sums.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
    std::uint64_t sum = 0;
    for (const std::uint64_t one : sums)
        sum += one;
    expect(sum == all[0], "an allgather has other contents");
    std::uint64_t below = 0;
    MPI_Scan(mine, &below, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (int i = rank + 1; i < size; ++i)
        below += sums[static_cast<std::size_t>(i)];
    expect(below == all[0], "a scan has other contents");
}

/// @return how many come from each rank
std::vector<int> announce(const std::vector<int>& receivers)
{
    std::vector<int> counts(static_cast<std::size_t>(size));
    for (const int to : receivers)
        ++counts[static_cast<std::size_t>(to)];
    std::vector<int> coming(static_cast<std::size_t>(size));
    MPI_Alltoall(counts.data(), 1, MPI_INT, coming.data(), 1, MPI_INT, MPI_COMM_WORLD);
    return coming;
}

struct Settings {
    int rounds = 0;
    int roundsALine = 0;
    bool points = false;
};

void protect(Account& account, Lines& lines)
{
    const auto vector = [](int id, std::vector<std::uint32_t>& numbers) {
        tasuki_protect(id, numbers.data(), numbers.size() * sizeof numbers[0]);
    };
    vector(1, account.sent);
    vector(2, account.received);
    tasuki_protect(3, &account.sentSum, sizeof account.sentSum);
    tasuki_protect(4, &account.receivedSum, sizeof account.receivedSum);
    tasuki_protect(5, &lines, sizeof lines);
    tasuki_protect(6, &chance, sizeof chance);
}

void play(const Settings& settings, Account& account, Lines& lines)
{
    Words buffer(headWords + mostWords);
    const double begun = MPI_Wtime();
    std::string order;
    int asked = 0;
    int round = 0;
    protect(account, lines);
    tasuki_protect(7, &asked, sizeof asked);
    tasuki_protect(8, &round, sizeof round);
    for (; round < settings.rounds; ++round) {
        if (settings.points)
            tasuki_restart_point();
        tag = round % 2;
        std::vector<int> receivers(static_cast<std::size_t>(1 + draw(3)));
        for (int& to : receivers)
            to = draw(size);
        Outgoing outgoing;
        // Those who get something may have it before they know.
        const bool early = round % 2 == 0;
        if (early)
            send(account, receivers, outgoing);
        const std::vector<int> counts = announce(receivers);
        if (!early)
            send(account, receivers, outgoing);
        int coming = 0;
        for (const int one : counts)
            coming += one;
        order.clear();
        switch (draw(4)) {
        case 0: receiveBlocking(account, buffer, coming, order); break;
        case 1: asked += receiveProbed(account, buffer, coming, order); break;
        case 2: asked += receiveTested(account, buffer, coming, order); break;
        default: receiveAny(account, counts, order);
        }
        MPI_Waitall(static_cast<int>(outgoing.requests.size()), outgoing.requests.data(),
                    MPI_STATUSES_IGNORE);
        if (round % 7 == 6)
            checkTogether(round, account);
        if ((round + rank) % settings.roundsALine == 0)
            lines.print("rank %d round %d from %s asked %d random %d at %.9f tick %ld sum %" PRIu64,
                        rank, round, order.c_str(), asked, random(), MPI_Wtime() - begun,
                        static_cast<long>(::times(nullptr)), account.receivedSum);
    }
    checkTogether(settings.rounds, account);
}

} // namespace

int main(int argc, char** argv)
{
    std::srand(static_cast<unsigned>(std::time(nullptr)));
    const int before = std::rand();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    std::srand(static_cast<unsigned>(std::time(nullptr)) ^ static_cast<unsigned>(now.tv_nsec)
               ^ static_cast<unsigned>(rank * 7919));
    const Settings settings{.rounds = argc > 1 ? std::atoi(argv[1]) : 1000,
                            .roundsALine = argc > 2 ? std::atoi(argv[2]) : 100,
                            .points = argc > 3};
    expect(settings.rounds > 0 && settings.roundsALine > 0,
           "usage: anyorder ROUNDS [ROUNDS-A-LINE [points]]");
    if (settings.points)
        chance = static_cast<std::uint64_t>(std::rand()) | 1U;
    Account account;
    account.sent.resize(static_cast<std::size_t>(size));
    account.received.resize(static_cast<std::size_t>(size));
    Lines lines;
    lines.print("rank %d begins random %d", rank, before);
    play(settings, account, lines);
    lines.end();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("valid\n");
    MPI_Finalize();
    return 0;
}
