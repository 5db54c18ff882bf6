// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include <unistd.h>

namespace worldcases {

namespace {

constexpr int anyway = MPI_MODE_RDWR | MPI_MODE_CREATE;

/// A path of the case's own, the same on all ranks; there is nothing yet.
std::string newPath(MPI_Comm comm = all)
{
    static int made = 0;
    const char* const folder = std::getenv("TMPDIR");
    std::array<char, 500> path{};
    std::snprintf(path.data(), path.size(), "%s/tasuki-filecases-%d-%d",
                  folder != nullptr ? folder : "/tmp", static_cast<int>(::getpid()), ++made);
    MPI_Bcast(path.data(), static_cast<int>(path.size()), MPI_CHAR, 0, comm);
    return path.data();
}

/// A file of all ranks that goes with the case.
class SharedFile {
public:
    explicit SharedFile(MPI_Comm comm = all, int mode = anyway | MPI_MODE_DELETE_ON_CLOSE)
        : m_path(newPath(comm))
    {
        MPI_File_open(comm, m_path.c_str(), mode, MPI_INFO_NULL, &m_file);
    }
    SharedFile(const SharedFile&) = delete;
    SharedFile& operator=(const SharedFile&) = delete;
    ~SharedFile()
    {
        if (m_file != MPI_FILE_NULL)
            MPI_File_close(&m_file);
    }
    operator MPI_File() const { return m_file; }
    [[nodiscard]] const char* path() const { return m_path.c_str(); }
    int close() { return MPI_File_close(&m_file); }
    /// All that have written to it see what the others have.
    void meet() const
    {
        MPI_File_sync(m_file);
        MPI_Barrier(all);
        MPI_File_sync(m_file);
    }
    /// Its first elements, whatever the view is.
    [[nodiscard]] Values whole(int count) const
    {
        Values values(static_cast<std::size_t>(count), -1);
        MPI_File_set_view(m_file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
        MPI_File_read_at(m_file, 0, values.data(), count, MPI_INT, MPI_STATUS_IGNORE);
        return values;
    }

private:
    std::string m_path;
    MPI_File m_file = MPI_FILE_NULL;
};

/// Each rank's elements lie between those of the others.
void viewBetween(MPI_File file, int block, Type& type)
{
    MPI_Type_vector(1, block, block * size, MPI_INT, &type);
    Type one;
    MPI_Type_create_resized(type, 0, static_cast<MPI_Aint>(sizeof(int)) * block * size, &one);
    MPI_Type_commit(&one);
    MPI_File_set_view(file, static_cast<MPI_Offset>(sizeof(int)) * block * rank, MPI_INT, one,
                      "native", MPI_INFO_NULL);
}

bool eachItsPart()
{
    const SharedFile file;
    const Values mine = numbers(100, rank + 1);
    MPI_Status status;
    const auto place = static_cast<MPI_Offset>(sizeof(int)) * 100 * rank;
    MPI_File_write_at_all(file, place, mine.data(), 100, MPI_INT, &status);
    if (countOf(status) != 100)
        return false;
    file.meet();
    MPI_Offset bytes = 0;
    MPI_File_get_size(file, &bytes);
    Values theirs(100);
    MPI_File_seek(file, static_cast<MPI_Offset>(sizeof(int)) * 100 * next(), MPI_SEEK_SET);
    MPI_File_read(file, theirs.data(), 100, MPI_INT, &status);
    return countOf(status) == 100 && isFrom(theirs, next() + 1)
        && bytes == static_cast<MPI_Offset>(sizeof(int)) * 100 * size;
}

/// Many times, all at once, by one way to write.
template <class Write>
bool betweenEachOther(int block, Write write)
{
    const SharedFile file;
    Type type;
    viewBetween(file, block, type);
    constexpr int rounds = 10;
    const int count = block * std::max(8, 1000 / block);
    bool good = true;
    for (int round = 0; round < rounds; ++round) {
        const Values mine = numbers(count, 1 + rank + round * size);
        MPI_File_seek(file, 0, MPI_SEEK_SET);
        write(file, mine.data(), count);
        file.meet();
        const Values found = file.whole(count * size);
        for (int index = 0; index < count * size; ++index) {
            const int of = index / block % size;
            const int nth = index / (block * size) * block + index % block;
            good = good && at(found, index) == (1 + of + round * size) * 1000 + nth;
        }
        file.meet();
        Type again;
        viewBetween(file, block, again);
    }
    return good;
}

void writeAll(MPI_File file, const int* data, int count)
{
    MPI_File_write_all(file, data, count, MPI_INT, MPI_STATUS_IGNORE);
}
void writeAlone(MPI_File file, const int* data, int count)
{
    MPI_File_write(file, data, count, MPI_INT, MPI_STATUS_IGNORE);
}
void writeSplit(MPI_File file, const int* data, int count)
{
    MPI_File_write_all_begin(file, data, count, MPI_INT);
    MPI_File_write_all_end(file, data, MPI_STATUS_IGNORE);
}
void writeAt(MPI_File file, const int* data, int count)
{
    MPI_File_write_at(file, 0, data, count, MPI_INT, MPI_STATUS_IGNORE);
}

/// Rows of a matrix whose columns the ranks have.
bool columns()
{
    const SharedFile file;
    constexpr int rows = 30;
    constexpr int width = 3;
    const std::array<int, 2> whole{rows, width * size};
    const std::array<int, 2> part{rows, width};
    const std::array<int, 2> from{0, width * rank};
    Type type;
    MPI_Type_create_subarray(2, whole.data(), part.data(), from.data(), MPI_ORDER_C, MPI_INT,
                             &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL);
    const Values mine(rows * width, rank);
    MPI_Status status;
    MPI_File_write_all(file, mine.data(), rows * width, MPI_INT, &status);
    bool good = countOf(status) == rows * width;
    file.meet();
    const Values found = file.whole(rows * width * size);
    for (int index = 0; index < rows * width * size; ++index)
        good = good && at(found, index) == index % (width * size) / width;
    return good;
}

/// Written as one distribution, read as another one.
bool distributions()
{
    const SharedFile file;
    const int length = 13 * size;
    const auto part = [&](int distribution, int argument, Type& type) {
        MPI_Type_create_darray(size, rank, 1, &length, &distribution, &argument, &size, MPI_ORDER_C,
                               MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL);
    };
    Type block;
    part(MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, block);
    Values mine(13);
    std::iota(mine.begin(), mine.end(), 13 * rank);
    MPI_File_write_all(file, mine.data(), 13, MPI_INT, MPI_STATUS_IGNORE);
    file.meet();
    Type cyclic;
    part(MPI_DISTRIBUTE_CYCLIC, 1, cyclic);
    Values got(13, -1);
    MPI_File_read_all(file, got.data(), 13, MPI_INT, MPI_STATUS_IGNORE);
    for (int nth = 0; nth < 13; ++nth)
        if (at(got, nth) != nth * size + rank)
            return false;
    return true;
}

bool gapsInMemory()
{
    const SharedFile file;
    Type type;
    MPI_Type_vector(50, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    Values mine(100, -1);
    for (int nth = 0; nth < 50; ++nth)
        at(mine, 2 * nth) = rank * 50 + nth;
    const auto place = static_cast<MPI_Offset>(sizeof(int)) * 50 * rank;
    MPI_File_write_at(file, place, mine.data(), 1, type, MPI_STATUS_IGNORE);
    file.meet();
    const Values found = file.whole(50 * size);
    for (int index = 0; index < 50 * size; ++index)
        if (at(found, index) != index)
            return false;
    return true;
}

bool exclusive()
{
    const std::string path = newPath();
    MPI_File file = MPI_FILE_NULL;
    const int mode = anyway | MPI_MODE_EXCL;
    const int first = MPI_File_open(all, path.c_str(), mode, MPI_INFO_NULL, &file);
    int told = 0;
    MPI_File_get_amode(file, &told);
    MPI_File_close(&file);
    const int second = MPI_File_open(all, path.c_str(), mode, MPI_INFO_NULL, &file);
    MPI_Barrier(all);
    if (rank == 0)
        MPI_File_delete(path.c_str(), MPI_INFO_NULL);
    return first == MPI_SUCCESS && told == mode && classOf(second) == MPI_ERR_FILE_EXISTS;
}

bool notThere()
{
    MPI_File file = MPI_FILE_NULL;
    const std::string path = newPath();
    const int code = MPI_File_open(all, path.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    return classOf(code) == MPI_ERR_NO_SUCH_FILE;
}

bool goneWhenClosed()
{
    SharedFile file;
    MPI_File_write_at(file, rank, "x", 1, MPI_CHAR, MPI_STATUS_IGNORE);
    const bool there = ::access(file.path(), F_OK) == 0;
    MPI_Barrier(all);
    file.close();
    MPI_Barrier(all);
    return there && ::access(file.path(), F_OK) != 0;
}

bool appended()
{
    const std::string path = newPath();
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(all, path.c_str(), anyway, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 40);
    MPI_File_close(&file);
    MPI_File_open(all, path.c_str(), MPI_MODE_WRONLY | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_Offset own = 0;
    MPI_File_get_position(file, &own);
    MPI_Barrier(all);
    MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(all);
    MPI_Offset bytes = 0;
    MPI_File_get_size(file, &bytes);
    MPI_File_close(&file);
    return own == 40 && bytes == 40 + static_cast<MPI_Offset>(sizeof(int)) * size;
}

bool sizes()
{
    const SharedFile file;
    MPI_Offset bytes = -1;
    bool good = true;
    for (const MPI_Offset wanted : {1000, 10, 5000}) {
        MPI_File_set_size(file, wanted);
        MPI_File_get_size(file, &bytes);
        good = good && bytes == wanted;
        MPI_Barrier(all);
    }
    MPI_File_preallocate(file, 9000);
    MPI_File_get_size(file, &bytes);
    return good && bytes == 9000;
}

template <class Read>
bool pastTheEnd(Read read)
{
    const SharedFile file;
    MPI_File_set_size(file, 10 * static_cast<MPI_Offset>(sizeof(int)));
    Values values(20, -1);
    MPI_Status status;
    const auto place = static_cast<MPI_Offset>(sizeof(int)) * 4;
    read(file, place, values.data(), 20, MPI_INT, &status);
    const int some = countOf(status);
    read(file, 10 * place, values.data(), 20, MPI_INT, &status);
    return some == 6 && countOf(status) == 0;
}

/// So many numbers of each rank: its own, one more than the one before.
bool inOrder()
{
    const SharedFile file;
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    const Values mine(static_cast<std::size_t>(rank + 1), rank);
    MPI_Status status;
    MPI_File_write_ordered(file, mine.data(), rank + 1, MPI_INT, &status);
    bool good = countOf(status) == rank + 1;
    MPI_File_write_ordered_begin(file, mine.data(), rank + 1, MPI_INT);
    MPI_File_write_ordered_end(file, mine.data(), &status);
    good = good && countOf(status) == rank + 1;
    file.meet();
    const int once = size * (size + 1) / 2;
    MPI_Offset position = 0;
    MPI_File_get_position_shared(file, &position);
    good = good && position == 2 * once;
    MPI_Barrier(all);
    MPI_File_seek_shared(file, -once, MPI_SEEK_END);
    Values got(static_cast<std::size_t>(rank + 1), -1);
    MPI_File_read_ordered(file, got.data(), rank + 1, MPI_INT, &status);
    good = good && got == mine && countOf(status) == rank + 1;
    Values expected;
    for (int round = 0; round < 2; ++round)
        for (int of = 0; of < size; ++of)
            expected.insert(expected.end(), static_cast<std::size_t>(of + 1), of);
    return good && file.whole(2 * once) == expected;
}

/// Each record once, in whatever order.
bool withoutOrder()
{
    const SharedFile file;
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    constexpr int each = 50;
    for (int nth = 0; nth < each; ++nth) {
        const std::array<int, 2> record{rank * each + nth, rank};
        MPI_File_write_shared(file, record.data(), 2, MPI_INT, MPI_STATUS_IGNORE);
    }
    file.meet();
    MPI_Offset position = 0;
    MPI_File_get_position_shared(file, &position);
    const Values found = file.whole(2 * each * size);
    Values seen;
    for (int nth = 0; nth < each * size; ++nth)
        if (at(found, 2 * nth) / each == at(found, 2 * nth + 1))
            seen.push_back(at(found, 2 * nth));
    std::sort(seen.begin(), seen.end());
    Values expected(static_cast<std::size_t>(each * size));
    std::iota(expected.begin(), expected.end(), 0);
    return position == 2 * each * size && seen == expected;
}

bool readInTurns()
{
    const SharedFile file;
    const Values values = numbers(10 * size, 0);
    if (rank == 0)
        MPI_File_write_at(file, 0, values.data(), 10 * size, MPI_INT, MPI_STATUS_IGNORE);
    file.meet();
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    int sum = 0;
    for (int nth = 0; nth < 10; ++nth) {
        int value = 0;
        MPI_File_read_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
        sum += value;
    }
    int whole = 0;
    MPI_Allreduce(&sum, &whole, 1, MPI_INT, MPI_SUM, all);
    return whole == 10 * size * (10 * size - 1) / 2;
}

bool notWaitedFor()
{
    const SharedFile file;
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    const Values mine = numbers(40, rank + 1);
    std::array<MPI_Request, 2> requests{};
    std::array<MPI_Status, 2> statuses{};
    MPI_File_iwrite_at(file, 40 * rank, mine.data(), 20, MPI_INT, &requests[0]);
    MPI_File_iwrite_at(file, 40 * rank + 20, mine.data() + 20, 20, MPI_INT, &requests[1]);
    MPI_Waitall(2, requests.data(), statuses.data());
    bool good = countOf(statuses[0]) == 20 && countOf(statuses[1]) == 20
        && requests[0] == MPI_REQUEST_NULL;
    file.meet();
    Values got(40, -1);
    MPI_File_seek(file, 40 * next(), MPI_SEEK_SET);
    MPI_File_iread(file, got.data(), 40, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], &statuses[0]);
    good = good && isFrom(got, next() + 1) && countOf(statuses[0]) == 40;
    MPI_File_iread_at_all(file, 40 * before(), got.data(), 40, MPI_INT, &requests[0]);
    int flag = 0;
    while (flag == 0)
        MPI_Test(&requests[0], &flag, &statuses[0]);
    return good && isFrom(got, before() + 1) && countOf(statuses[0]) == 40;
}

bool inTwoCalls()
{
    const SharedFile file;
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    const Values mine = numbers(30, rank + 1);
    MPI_Status status;
    MPI_File_write_at_all_begin(file, 30 * rank, mine.data(), 30, MPI_INT);
    MPI_File_write_at_all_end(file, mine.data(), &status);
    bool good = countOf(status) == 30;
    file.meet();
    Values got(30, -1);
    MPI_File_read_at_all_begin(file, 30 * next(), got.data(), 30, MPI_INT);
    MPI_File_read_at_all_end(file, got.data(), &status);
    good = good && countOf(status) == 30 && isFrom(got, next() + 1);
    MPI_File_seek(file, 30 * before(), MPI_SEEK_SET);
    MPI_File_read_all_begin(file, got.data(), 30, MPI_INT);
    MPI_File_read_all_end(file, got.data(), &status);
    return good && countOf(status) == 30 && isFrom(got, before() + 1);
}

/// What several write over each other is that of one of them.
bool allOrNothing()
{
    const SharedFile file;
    int atomic = -1;
    MPI_File_get_atomicity(file, &atomic);
    if (atomic != 0 || MPI_File_set_atomicity(file, 1) != MPI_SUCCESS)
        return false;
    MPI_File_get_atomicity(file, &atomic);
    Type type; // with gaps, so that it takes Open MPI several writes
    MPI_Type_vector(100, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL);
    Values nothing(100, size);
    MPI_File_write_at(file, 0, nothing.data(), 100, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(all);
    bool good = atomic == 1;
    for (int round = 0; round < 30; ++round) {
        const Values mine(100, rank);
        MPI_File_write_at(file, 0, mine.data(), 100, MPI_INT, MPI_STATUS_IGNORE);
        Values got(100, -1);
        MPI_File_read_at(file, 0, got.data(), 100, MPI_INT, MPI_STATUS_IGNORE);
        good = good && std::count(got.begin(), got.end(), got[0]) == 100 && got[0] < size;
    }
    return good;
}

bool whoHasIt()
{
    Comm half;
    MPI_Comm_split(all, rank % 2, -rank, &half);
    const SharedFile file(half);
    Group group;
    MPI_File_get_group(file, &group);
    Group own;
    MPI_Comm_group(half, &own);
    int same = -1;
    MPI_Group_compare(group, own, &same);
    int place = -1;
    MPI_Comm_rank(half, &place);
    MPI_File_write_at_all(file, static_cast<MPI_Offset>(sizeof(int)) * place, &rank, 1, MPI_INT,
                          MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(half);
    int first = -1;
    MPI_File_read_at(file, 0, &first, 1, MPI_INT, MPI_STATUS_IGNORE);
    const int last = size - 1 - (size - 1 - rank) % 2;
    return same == MPI_IDENT && first == last;
}

bool ofOneRank()
{
    const SharedFile file(MPI_COMM_SELF);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    for (int nth = 0; nth < 5; ++nth) {
        const int value = rank * 10 + nth;
        MPI_File_write_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_Offset position = 0;
    MPI_File_get_position_shared(file, &position);
    int last = 0;
    MPI_Status status;
    MPI_File_read_at(file, 4, &last, 1, MPI_INT, &status);
    return position == 5 && last == rank * 10 + 4 && countOf(status) == 1;
}

bool onlyForward()
{
    const std::string path = newPath();
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(all, path.c_str(),
                  MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_SEQUENTIAL
                      | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_Offset position = -1;
    MPI_File_get_position_shared(file, &position);
    MPI_Barrier(all);
    MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    const int elsewhere = MPI_File_write_at(file, 0, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(all);
    MPI_Offset bytes = 0;
    MPI_File_get_size(file, &bytes);
    MPI_File_close(&file);
    return position == 0 && classOf(elsewhere) == MPI_ERR_UNSUPPORTED_OPERATION
        && bytes == 2 * static_cast<MPI_Offset>(sizeof(int)) * size;
}

bool wrongModes()
{
    MPI_File file = MPI_FILE_NULL;
    const std::string path = newPath();
    const auto open = [&](int mode) {
        return classOf(MPI_File_open(all, path.c_str(), mode, MPI_INFO_NULL, &file));
    };
    return open(MPI_MODE_RDONLY | MPI_MODE_CREATE) == MPI_ERR_AMODE
        && open(MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL) == MPI_ERR_AMODE
        && open(MPI_MODE_RDWR | MPI_MODE_RDONLY) == MPI_ERR_AMODE;
}

bool unequalModes()
{
    MPI_File file = MPI_FILE_NULL;
    const std::string path = newPath();
    const int mode = anyway | (rank == 1 ? MPI_MODE_EXCL : 0);
    const int code = MPI_File_open(all, path.c_str(), mode, MPI_INFO_NULL, &file);
    return classOf(code) == MPI_ERR_NOT_SAME && ::access(path.c_str(), F_OK) != 0;
}

/// One rank has no such file: nobody has it.
bool oneCannot()
{
    const std::string path = newPath() + (rank == size - 1 ? "/x/y" : "");
    MPI_File file = MPI_FILE_NULL;
    const int code = MPI_File_open(all, path.c_str(), anyway, MPI_INFO_NULL, &file);
    MPI_Barrier(all);
    ::unlink(path.c_str());
    return code != MPI_SUCCESS;
}

bool unequalSizes()
{
    const SharedFile file;
    return classOf(MPI_File_set_size(file, 100 + rank)) == MPI_ERR_NOT_SAME
        && classOf(MPI_File_seek_shared(file, rank, MPI_SEEK_SET)) == MPI_ERR_NOT_SAME;
}

bool oneAtATime()
{
    const SharedFile file;
    std::array<char, 4> data{};
    MPI_File_read_all_begin(file, data.data(), 4, MPI_CHAR);
    const int second = MPI_File_read_all_begin(file, data.data(), 4, MPI_CHAR);
    const int first = MPI_File_read_all_end(file, data.data(), MPI_STATUS_IGNORE);
    const int none = MPI_File_read_all_end(file, data.data(), MPI_STATUS_IGNORE);
    return second != MPI_SUCCESS && first == MPI_SUCCESS && none != MPI_SUCCESS;
}

} // namespace

std::vector<Case> fileCases()
{
    return {
        {"file, one after the other", eachItsPart},
        {"file, between each other", [] { return betweenEachOther(1, writeAll); }},
        {"file, between each other, alone", [] { return betweenEachOther(1, writeAlone); }},
        {"file, between each other, blocks", [] { return betweenEachOther(7, writeAlone); }},
        {"file, between each other, at", [] { return betweenEachOther(3, writeAt); }},
        {"file, between each other, pages", [] { return betweenEachOther(1024, writeSplit); }},
        {"file, columns", columns},
        {"file, distributions", distributions},
        {"file, gaps in memory", gapsInMemory},
        {"file, exclusive", exclusive},
        {"file, not there", notThere},
        {"file, gone when closed", goneWhenClosed},
        {"file, appended", appended},
        {"file, past the end", [] { return pastTheEnd(MPI_File_read_at); }},
        {"file, in order", inOrder},
        {"file, without order", withoutOrder},
        {"file, read in turns", readInTurns},
        {"file, not waited for", notWaitedFor},
        {"file, in two calls", inTwoCalls},
        {"file, who has it", whoHasIt},
        {"file, of one rank", ofOneRank},
        {"file, wrong modes", wrongModes},
    };
}

std::vector<Case> beyondFileCases()
{
    return {
        {"file, past the end, together", [] { return pastTheEnd(MPI_File_read_at_all); }},
        {"file, one cannot", withTwo<oneCannot>},
        {"file, sizes", sizes},
        {"file, all or nothing", allOrNothing},
        {"file, only forward", onlyForward},
        {"file, unequal modes", withTwo<unequalModes>},
        {"file, unequal sizes", withTwo<unequalSizes>},
        {"file, one at a time", oneAtATime},
    };
}

} // namespace worldcases
