// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rankscope {

/// SQLite's application id of digests: "RKSD", at byte 68.
inline constexpr std::int64_t kDigestId = 0x524B5344;

/// The statements that create the tables of a digest; docs/digest.md describes them. This program reads `source`,
/// `rank` and `trace`, and `step` and `step_cause` for what is known of all steps (step_table.h). The others are for
/// other tools.
[[nodiscard]] std::string tablesOfDigest();

/// The tables whose first column is the rank of a row: all except `source` and `rank` itself.
[[nodiscard]] std::span<const std::string_view> tablesOfRanks();
/// The map of the steps of all ranks needs only `rank` and this many of the first.
inline constexpr std::size_t kTablesOfMap = 1;

}  // namespace rankscope
