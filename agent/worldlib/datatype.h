// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tasuki::world {

/// What matters of a datatype when bytes are moved.
struct TypeShape {
    std::uint64_t size = 0; ///< bytes of data
    MPI_Aint extent = 0;
    bool plain = false; ///< its bytes in memory are those of a message, element after element
};
/// @return of a datatype, remembered until forgetShape()
TypeShape shapeOf(MPI_Datatype type);
void forgetShape(MPI_Datatype type);
/// Whether an operation is one of MPI's own, which all commute.
bool isBuiltIn(MPI_Op op);
/// Whether an operation is one for elements of a type: those of MPI's own are for some types only.
bool isReducible(MPI_Datatype type, MPI_Op op);

/// Elements at a place, as bytes of a message: themselves, or a copy.
class Packed {
public:
    Packed() = default;
    /// Data to be sent.
    static Packed ofData(const void* buffer, std::size_t count, MPI_Datatype type);
    /// Room for data to be received; see unpack().
    static Packed room(void* buffer, std::size_t count, MPI_Datatype type);

    [[nodiscard]] std::byte* bytes() const { return m_bytes; }
    [[nodiscard]] std::uint64_t size() const { return m_size; }
    /// Puts so many bytes that have come where they belong. @return an MPI error code
    int unpack(std::uint64_t bytes) const;

private:
    std::unique_ptr<std::byte[]> m_copy;
    std::byte* m_bytes = nullptr;
    std::uint64_t m_size = 0;
    void* m_buffer = nullptr;
    MPI_Datatype m_type = nullptr;
};

/// Memory for elements, laid out as a datatype wants it. The content of gaps between the data is
/// undefined.
class Elements {
public:
    Elements() = default;
    Elements(std::size_t count, MPI_Datatype type);
    /// Where the first element begins, as MPI counts.
    [[nodiscard]] void* begin() const { return m_begin; }

private:
    std::unique_ptr<std::byte[]> m_memory;
    void* m_begin = nullptr;
};

/// Copies elements from one place to another.
void copyElements(const void* from, void* to, std::size_t count, MPI_Datatype type);

} // namespace tasuki::world
