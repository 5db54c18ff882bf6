// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "program.h"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>

namespace tasuki::world {

/// What ranks that have opened a file together have of it in common, on whichever hosts they are: a
/// position, and turns. It is kept in another file beside that one, under a name that all know,
/// which the first rank that needs it makes; for one rank alone it is kept in this process.
class Common {
public:
    /// @param path  absolute
    void place(std::string path, bool alone, MPI_Offset position);
    ~Common();

    /// While it lives, no other rank has its turn.
    class Turn {
    public:
        explicit Turn(Common& common);
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        ~Turn();
        [[nodiscard]] bool isHeld() const { return m_held; }

    private:
        Common& m_common;
        std::unique_lock<std::mutex> m_lock;
        bool m_held;
    };

    /// The position of all, which is put forward. @return none: what is in common cannot be read or written
    std::optional<MPI_Offset> advance(MPI_Offset by);
    /// Each rank calls it with the same, and one of them `forAll`, while nobody uses the position. @return false: as above
    bool setPosition(MPI_Offset position, bool forAll);
    /// Whether turns can be taken.
    bool isThere();
    /// Precondition: nobody needs it any more.
    void remove();

private:
    std::optional<MPI_Offset> advanceNow(MPI_Offset by);
    enum class Opened : std::uint8_t { Yes, NotMade, No };
    Opened open(bool make);
    bool lock(short kind, MPI_Offset first);
    bool write(MPI_Offset position);

    std::mutex m_opening;
    std::mutex m_turn;
    std::mutex m_positioning;
    std::string m_path;
    bool m_alone = true;
    int m_descriptor = -1;
    MPI_Offset m_position = 0; ///< while nothing stands in the common file, and of one rank alone
};

/// A file that ranks have opened together. Open MPI has it open in each of them as in a process alone.
struct File {
    MPI_File handle = MPI_FILE_NULL;
    SharedCommunicator communicator;
    int mode = 0;
    std::string name; ///< absolute
    bool atomic = false;
    MPI_Count unit = 1; ///< bytes of data in an element of the view
    Common common;

    /// A collective access that was begun: it is done, and its end tells how.
    struct Split {
        const char* name;
        MPI_Status status;
    };
    std::optional<Split> split;

    [[nodiscard]] bool isSequential() const { return (mode & MPI_MODE_SEQUENTIAL) != 0; }
};
using SharedFile = std::shared_ptr<File>;

/// @return null: there is none with that handle
SharedFile fileOf(MPI_File handle);
void addFile(SharedFile file);
void removeFile(MPI_File handle);
bool hasOpenFiles();

/// Whether the life before has done what this one does now: files are as they were left.
bool isReplayed();
/// As fail(), by the error handler of a file.
int failFile(MPI_File file, int code);
/// All members tell each other how they have fared. @return an error code: the own one, or of another member
int agree(Program& program, const SharedCommunicator& among, int code);
/// Copies what the first member has to all members.
void tellOfFirst(Program& program, const SharedCommunicator& among, void* data, std::size_t bytes);
template <class Value>
Value ofFirst(Program& program, const SharedCommunicator& among, Value value)
{
    static_assert(std::has_unique_object_representations_v<Value>); // lives are compared
    tellOfFirst(program, among, &value, sizeof value);
    return value;
}

} // namespace tasuki::world
