// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "freshfile.h"
#include "shipmentframe.h"

#include <filesystem>
#include <string>

namespace tasuki {

/// @return whether a file is a shipment; an Error: it cannot be read
Result<bool> isShipment(const std::filesystem::path& path);

/// Reads a shipment as it is when it is opened. Nothing is written, locked or mapped.
class ShipmentReader {
public:
    /// @return an Error of kind Foreign or Damaged for what is none, or System
    static Result<ShipmentReader> open(const std::filesystem::path& path);

    [[nodiscard]] const ShipmentOpening& opening() const { return m_opening; }
    [[nodiscard]] FreshFile::Identity identity() const { return m_file.identity(); }

    /// A place between two frames.
    struct Place {
        std::uint64_t offset = 0;
        std::uint64_t number = 0; ///< of the frame that begins there
        WallTime at{};            ///< when the frame before it was written
    };
    [[nodiscard]] const Place& place() const { return m_place; }
    /// Goes on where another reader of the same shipment was.
    void goTo(const Place& place) { m_place = place; }

    /// @param content  of the frame; its contents are lost in any case
    /// @return false: there is no further whole frame
    bool next(ShipmentFrame& frame, std::string& content);

private:
    explicit ShipmentReader(FreshFile file) : m_file(std::move(file)) {}

    FreshFile m_file;
    ShipmentOpening m_opening;
    Place m_place;
};

} // namespace tasuki
