// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "shipmentframe.h"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace tasuki {

/// Writes a shipment, with plain writes alone. One thread at a time.
class ShipmentWriter {
public:
    /// Begins one beside a file; nobody sees it before publish(). Precondition: the caller has the file's
    /// OwnerClaim.
    static Result<ShipmentWriter> create(const std::filesystem::path& file,
                                         const ShipmentOpening& opening);

    ShipmentWriter(ShipmentWriter&& other) noexcept;
    ShipmentWriter& operator=(ShipmentWriter&& other) noexcept;
    ShipmentWriter(const ShipmentWriter&) = delete;
    ShipmentWriter& operator=(const ShipmentWriter&) = delete;
    ~ShipmentWriter();

    /// Adds a frame; it is on the disk after sync(). After an Error it is as if nothing had been added.
    Result<void> add(ShipmentKind kind, std::string_view content);
    Result<void> sync();
    /// Puts it under its name, in the place of what stands there. As Publishing has it: the caller looks at its
    /// claim before.
    Result<void> publish();

    /// The place behind the last frame, for takeBack().
    struct Mark {
        std::uint64_t end = 0;
        std::uint64_t number = 0;
    };
    [[nodiscard]] Mark mark() const { return m_mark; }
    /// Takes back what was added since: the next frames stand in its place.
    void takeBack(Mark mark);

    /// What stands under its name.
    enum class Name : std::uint8_t {
        Mine,
        Gone,
        Others,  ///< another file
        Unknown, ///< that cannot be told now
    };
    [[nodiscard]] Name name() const;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    ShipmentWriter(int descriptor, std::filesystem::path path, std::string token);
    Result<void> put(std::string_view bytes);
    [[nodiscard]] Error error(const char* what, int number) const;

    int m_descriptor;
    std::filesystem::path m_path;
    std::filesystem::path m_draft; ///< empty: published
    std::string m_token;
    Mark m_mark;
};

} // namespace tasuki
