// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shard.h"

// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
namespace CLI {
class App;
}  // namespace CLI

namespace rankscope::cli {

/// The digests that the user asked for.
struct DigestRequest {
    std::vector<std::string> paths;
    std::string folder;  ///< where the digests are written
    Shard shard;         ///< the files that this process does
    unsigned jobs = 0;   ///< files at once; 0: one per core
};

/// The texts of the options of `digest`, unchecked.
struct DigestTexts {
    std::vector<std::string> paths;
    std::string folder;
    std::string shard;
    std::optional<std::size_t> shards;
    unsigned jobs = 0;
};

/// Adds the command `digest`; its options go into `texts`.
[[nodiscard]] CLI::App* addDigest(CLI::App& app, DigestTexts& texts);

/// Reads the request. `environment` may choose the shard. Throws CLI::ValidationError for wrong options.
[[nodiscard]] DigestRequest readDigestRequest(const DigestTexts& texts, const Environment& environment);

}  // namespace rankscope::cli
