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
    Unknown,  ///< members, or their hosts, are not recorded
};
[[nodiscard]] std::string_view linkName(Link link);  ///< as in the JSON: "inside-host"

/// What the members of a group have between them: inside one host where the files name one host for all of them.
[[nodiscard]] Link linkOf(const Run& run, const CollectiveGroup& group);

/// What the user says of the links, in GB/s (1e9 bytes per second) in one direction; nothing if the table decides.
struct LinkChoices {
    std::optional<double> inside_gb_per_s;
    std::optional<double> across_gb_per_s;
};

/// What devices of one host can send to one another, by the name of the device. It is data (`peers` of
/// resources/link_speeds.json), each figure with its source.
class PeerLinks {
  public:
    struct Entry {
        std::string name;  ///< a part of the device's
        double gb_per_s = 0;
        std::string link;  ///< "NVLink 4"
        std::string source;
    };

    /// The table that is built in.
    [[nodiscard]] static PeerLinks builtIn();
    /// Reads {"peers": [{"name", "gb_per_s", "link", "source"}]}, all speeds above 0. `path` is for error texts only.
    [[nodiscard]] static Result<PeerLinks> fromJson(std::string_view json, const std::string& path);

    /// Of a device with this name; nullptr if no entry names a part of it. Valid as long as this lives.
    [[nodiscard]] const Entry* of(std::string_view device_name) const;

  private:
    std::vector<Entry> entries_;
};

}  // namespace rankscope
