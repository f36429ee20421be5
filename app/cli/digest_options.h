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

/// What the user asked to make digests of.
struct DigestRequest {
    std::vector<std::string> paths;
    std::string folder;  ///< that the digests go into
    Shard shard;         ///< of the files
    unsigned jobs = 0;   ///< files at once; 0: one for each core
};

/// The options of `digest` as they are typed.
struct DigestTexts {
    std::vector<std::string> paths;
    std::string folder;
    std::string shard;
    std::optional<std::size_t> shards;
    unsigned jobs = 0;
};

/// Adds the command `digest` to the program; its options go into `texts`.
[[nodiscard]] CLI::App* addDigest(CLI::App& app, DigestTexts& texts);

/// The request that they make in `environment`. Throws CLI::ValidationError where they are wrong.
[[nodiscard]] DigestRequest readDigestRequest(const DigestTexts& texts, const Environment& environment);

}  // namespace rankscope::cli
