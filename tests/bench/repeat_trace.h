// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace rankscope::bench {

/// Takes a piece of text.
using TextSink = std::function<void(std::string_view)>;

/// Writes one trace of at least `bytes` bytes: the events of `trace` over and over, each time with all times,
/// correlations and ids moved behind those of the time before, as one long recording would have them.
void repeatTrace(const std::string& trace, std::uint64_t bytes, const TextSink& sink);

/// The same into a file, plain or gzip by its name. Keeps a file that is already there and as large.
void repeatTraceToFile(const std::string& trace, std::uint64_t bytes, const std::filesystem::path& file);

/// The text of a plain or gzip file.
[[nodiscard]] std::string readAll(const std::filesystem::path& file);

}  // namespace rankscope::bench
