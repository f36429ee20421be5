// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/run.h"

namespace rankscope {

struct CollectiveGroup;

/// The connection between the ranks of a group.
enum class Link : std::uint8_t {
    InsideHost,
    AcrossHosts,
    Unknown,  ///< members, or their hosts, were not recorded
};
[[nodiscard]] std::string_view linkName(Link link);  ///< as in the JSON: "inside-host"

/// The link of a group; inside one host if the files name the same host for all members.
[[nodiscard]] Link linkOf(const Run& run, const CollectiveGroup& group);

/// Link speeds from the user, in GB/s (1e9 bytes per second) in one direction; nothing if the table decides.
struct LinkChoices {
    std::optional<double> inside_gb_per_s;
    std::optional<double> across_gb_per_s;
};

/// The link speed between devices of one host, by device name. Data (`peers` of resources/link_speeds.json), each
/// figure with its source.
class PeerLinks {
  public:
    struct Entry {
        std::string name;  ///< part of the device's name
        double gb_per_s = 0;
        std::string link;  ///< "NVLink 4"
        std::string source;
    };

    /// The built-in table.
    [[nodiscard]] static PeerLinks builtIn();
    /// Reads {"peers": [{"name", "gb_per_s", "link", "source"}]}, all speeds above 0. `path` is for error texts only.
    [[nodiscard]] static Result<PeerLinks> fromJson(std::string_view json, const std::string& path);

    /// The entry for a device with this name; nullptr if no entry's name is part of it. Valid as long as this lives.
    [[nodiscard]] const Entry* of(std::string_view device_name) const;

  private:
    std::vector<Entry> entries_;
};

}  // namespace rankscope
