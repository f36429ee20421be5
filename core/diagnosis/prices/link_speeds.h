// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/rank_trace.h"

namespace rankscope {

/// What the link between host and device moves from pinned memory, by the name of the device. It is data
/// (resources/link_speeds.json).
class LinkSpeeds {
  public:
    /// The table that is built in.
    [[nodiscard]] static LinkSpeeds builtIn();
    /// Reads {"default": GB/s, "devices": [{"name", "gb_per_s"}]}, all speeds above 0. `path` is for error texts only.
    [[nodiscard]] static Result<LinkSpeeds> fromJson(std::string_view json, const std::string& path);

    /// GB/s (1e9 bytes per second) of a device with this name; the default where no entry names a part of it.
    [[nodiscard]] double of(std::string_view device_name) const;
    /// The same of the device that `rank` did most of its work on, number `device`; the default where the file does
    /// not describe it.
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
