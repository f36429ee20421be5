// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

namespace rankscope::test {

/// A dump of one of some ranks as PyTorch writes it: it made this many all-reduces, in this line of train.py, of which
/// only the first is complete.
[[nodiscard]] inline nlohmann::json dumpJson(std::int64_t made, int ranks = 2, int line = 12) {
    nlohmann::json entries = nlohmann::json::array();
    for (std::int64_t number = 1; number <= made; ++number) {
        entries.push_back({{"record_id", number},
                           {"pg_id", 0},
                           {"process_group", {"0", "default_pg"}},
                           {"collective_seq_id", number},
                           {"p2p_seq_id", 0},
                           {"profiling_name", "nccl:all_reduce"},
                           {"time_created_ns", 1'700'000'000'000'000'000 + number},
                           {"input_sizes", {{4, 8}}},
                           {"input_dtypes", {"Float"}},
                           {"output_sizes", {{4, 8}}},
                           {"state", number == 1 ? "completed" : "scheduled"},
                           {"is_p2p", false},
                           {"timeout_ms", 600'000},
                           {"frames", {{{"name", "step"}, {"filename", "train.py"}, {"line", line}}}}});
    }
    nlohmann::json members = nlohmann::json::array();
    for (int rank = 0; rank < ranks; ++rank) {
        members.push_back(rank);
    }
    return {{"version", "2.9"},
            {"nccl_version", "2.27.3"},
            {"pg_config", {{"0", {{"name", "0"}, {"desc", "default_pg"}, {"ranks", members.dump()}}}}},
            {"entries", entries}};
}

}  // namespace rankscope::test
