// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <string>

namespace rankscope::test {

/// The dump of a rank of two that made this many all-reduces, numbered from `first`, of which the first is complete.
inline std::string flightDump(int made, int first = 1) {
    std::string entries;
    for (int number = first; number < first + made; ++number) {
        entries += fmt::format(
            R"({}{{"record_id": {}, "process_group": ["0", "default_pg"], "collective_seq_id": {}, "state": "{}",)"
            R"( "profiling_name": "nccl:all_reduce", "time_created_ns": {}, "is_p2p": false}})",
            number == first ? "" : ", ", number, number, number == first ? "completed" : "scheduled",
            1'700'000'000 + number);
    }
    return R"({"version": "2.9", "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1]"}}, )" +
           fmt::format(R"("entries": [{}]}})", entries);
}

}  // namespace rankscope::test
