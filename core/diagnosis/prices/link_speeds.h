// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// The speed of the link between host and device from pinned memory, by device name. Data of
/// resources/link_speeds.json.
class LinkSpeeds {
  public:
    /// The built-in table.
    [[nodiscard]] static LinkSpeeds builtIn();
    /// Reads {"default": GB/s, "devices": [{"name", "gb_per_s"}]}, all speeds above 0. `path` is for error texts only.
    [[nodiscard]] static Result<LinkSpeeds> fromJson(std::string_view json, const std::string& path);

    /// GB/s (1e9 bytes per second) of a device with this name; the default if no entry's name is part of it.
    [[nodiscard]] double of(std::string_view device_name) const;
    /// The same for the device that `rank` did most of its work on, number `device`; the default if the file does not
    /// describe it.
    [[nodiscard]] double of(const RankTrace& rank, std::int32_t device) const;

  private:
    struct Entry {
        std::string name;
        double gb_per_s = 0;
    };
    std::vector<Entry> entries_;
    double default_ = 24;
};

}  // namespace rankscope
