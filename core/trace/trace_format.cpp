// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_format.h"

#include <array>
#include <cstddef>
#include <string>

namespace rankscope {
namespace {

struct FormatNames {
    std::string_view word;
    std::string_view name;
    const char* key;  ///< of RankTrace::metadata, which only traces of this format have
};

constexpr std::array<FormatNames, 3> kFormats = {{{"json", "PyTorch JSON", nullptr},
                                                  {"perfetto", "Perfetto", "perfetto"},
                                                  {"nsight", "Nsight Systems SQLite", "nsight_systems"}}};

const FormatNames& namesOf(TraceFormat format) {
    return kFormats.at(static_cast<std::size_t>(format));
}

bool hasMark(const RankTrace& trace, TraceFormat format) {
    return trace.metadata.contains(namesOf(format).key);
}

}  // namespace

std::string_view formatWord(TraceFormat format) {
    return namesOf(format).word;
}

std::string_view formatName(TraceFormat format) {
    return namesOf(format).name;
}

void markFormat(RankTrace& trace, TraceFormat format) {
    if (const char* const key = namesOf(format).key; key != nullptr) {
        trace.metadata[key] = "true";
    }
}

TraceFormat formatOf(const RankTrace& trace) {
    if (hasMark(trace, TraceFormat::Nsight)) {
        return TraceFormat::Nsight;
    }
    return hasMark(trace, TraceFormat::Perfetto) ? TraceFormat::Perfetto : TraceFormat::Json;
}

}  // namespace rankscope
