// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

// Traces of rocprofv3, ROCm's profiler (`--output-format pftrace`). Its categories, tracks and args, as rocprofiler-sdk
// writes them (source/lib/output/generatePerfetto.cpp), in the words of PyTorch's profiler.

namespace rankscope::perfetto {

/// What rocprofv3 says of an event in its track's name.
struct RocprofTrack {
    std::string_view thread;  ///< "123" in "THREAD 1 (123)"
    std::string_view agent;   ///< "4" in "COMPUTE AGENT [4] STREAM [1] (GPU)": of its GPU or CPU
    std::string_view lane;    ///< its stream or queue: "1"
    bool is_of_cpu = false;   ///< a copy to the host
};

/// The category of PyTorch's profiler for one of rocprofv3's: "kernel" for "kernel_dispatch". Empty for others.
[[nodiscard]] std::string_view rocprofCategory(std::string_view category);
/// Reads the name of a track.
[[nodiscard]] RocprofTrack rocprofTrack(std::string_view name);
/// The arg of PyTorch's profiler for one of rocprofv3's: "correlation" for "corr_id". Others stay as they are.
[[nodiscard]] std::string_view rocprofArg(std::string_view arg);
/// The digits at the end of the name of an agent, without quotes: "4" in "Agent-4".
[[nodiscard]] std::string_view rocprofAgent(std::string_view name);

}  // namespace rankscope::perfetto
