// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rankscope::perfetto {

/// What a trace says of one track.
struct TrackInfo {
    std::string name;
    std::string key;  ///< the same for all tracks that a window shows as one: "0:7:stream 7" (GPU, stream, name)
    std::optional<std::uint64_t> parent;
    std::optional<std::int64_t> pid;
    std::optional<std::int64_t> tid;
    std::string process_name;
    std::string process_labels;
    std::string unit;        ///< of a counter: "W"
    double unit_factor = 1;  ///< its values are to be multiplied with this
    bool is_of_chrome = false;
};

/// Where the events of a track belong, as the profiler's JSON says it.
struct Place {
    std::string process;    ///< pid of the process, or number of the GPU; else the name of the outermost track
    std::string lane;       ///< tid, or number of the stream; else the name of the track
    std::string name;       ///< of the track
    std::string outermost;  ///< name of the outermost track around it: "GPU 0 Counters"
    std::string process_name;
    std::string process_labels;
    std::string unit;
    double unit_factor = 1;
};

/// The tracks of a trace by their ids. A descriptor may come again: the last one counts.
class Tracks {
  public:
    /// Reads a descriptor. False if its bytes make no sense.
    [[nodiscard]] bool add(std::string_view descriptor);
    /// The place of a track, by its descriptor and those around it. Valid until the next add().
    [[nodiscard]] const Place& placeOf(std::uint64_t track);
    /// Whether Chrome wrote one of the descriptors.
    [[nodiscard]] bool hasChrome() const { return has_chrome_; }

  private:
    [[nodiscard]] Place find(std::uint64_t track) const;

    /// A place that was found, and how many descriptors were read by then: it is searched again after more.
    struct Found {
        Place place;
        std::uint64_t descriptors = 0;
    };

    std::unordered_map<std::uint64_t, TrackInfo> tracks_;
    std::unordered_map<std::uint64_t, Found> places_;
    std::uint64_t descriptors_ = 1;
    bool has_chrome_ = false;
};

}  // namespace rankscope::perfetto
