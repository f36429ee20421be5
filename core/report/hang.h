// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/hang/hang.h"
#include "core/report/linked_traces.h"
#include "core/report/reports.h"

/// What is said about a job that hangs: the words, and the reports made of them.
namespace rankscope {

/// What `rankscope-cli hang` prints: who stops the job and why, who waits, and what to do next, on one screen; with
/// `is_full` all ranks, calls and stacks. `traces`: runs of the job, to say where its last calls are.
[[nodiscard]] std::string hangScreen(const hang::Hang& hang, const ScreenStyle& style, bool is_full,
                                     const std::vector<RunWithDumps>& traces = {});

/// The same as JSON text in UTF-8, in the form of resources/hang.schema.json. Times are nanoseconds since 1970.
[[nodiscard]] std::string jsonHang(const hang::Hang& hang, const std::vector<Error>& unreadable,
                                   const std::vector<RunWithDumps>& runs = {});

namespace report {

/// Culprits with the same reason, at the same call of groups with the same description.
struct CulpritGroup {
    std::vector<const hang::Culprit*> culprits;  ///< one or more
    std::string sentence;                        ///< "Ranks 9 and 14 stopped: ..."
    std::string remedy;                          ///< what to look at
};

/// The culprits, those that most ranks share first.
[[nodiscard]] std::vector<CulpritGroup> culpritGroups(const hang::Hang& hang);
/// The answer in one or two sentences.
[[nodiscard]] std::string hangAnswer(const hang::Hang& hang);
/// What the dumps do not show, a sentence each.
[[nodiscard]] std::vector<std::string> hangDoubts(const hang::Hang& hang);

/// "not-entered", "not-completed", "differs", "deadlock": the id of a reason in JSON.
[[nodiscard]] std::string_view whyId(hang::Why why);
/// "all-gather" of "_all_gather_base", "send" of "send 0->3".
[[nodiscard]] std::string kindWords(std::string_view kind);
/// "all-gather 88,684".
[[nodiscard]] std::string placeWords(const hang::Place& place);
/// "TENSOR_MODEL_PARALLEL_GROUP (ranks 8 to 11)".
[[nodiscard]] std::string groupWords(const hang::Group& group);
/// An instant in UTC, to the millisecond: "2025-09-22 22:47:17.547 UTC".
[[nodiscard]] std::string instantWords(std::int64_t unix_ns);

}  // namespace report
}  // namespace rankscope
