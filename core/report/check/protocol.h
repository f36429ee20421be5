// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/check/check.h"

namespace rankscope {
struct ReportInput;    // core/report/reports.h
struct RunComparison;  // core/compare/compare_runs.h
}  // namespace rankscope

namespace rankscope::report {

/// The steps of making a job faster: from the whole to the cause, and back to the whole.
enum class ProtocolStage : std::uint8_t {
    Baseline,   ///< how long a step takes, and how much that varies
    Category,   ///< what the step is bound by
    Detail,     ///< what costs most
    RootCause,  ///< what in the trace shows why
    Validate    ///< whether a change made the difference
};
inline constexpr std::size_t kProtocolStages = 5;
[[nodiscard]] std::string_view protocolStageName(ProtocolStage stage);  ///< as in the JSON: "root-cause"

/// The state of a step.
enum class ProtocolState : std::uint8_t {
    Done,
    Next,   ///< to be done now
    Record  ///< cannot be done with these traces; ProtocolStep::record says what it takes
};
[[nodiscard]] std::string_view protocolStateName(ProtocolState state);   ///< as in the JSON: "done"
[[nodiscard]] std::string_view protocolStateTitle(ProtocolState state);  ///< for people: "to record"

struct ProtocolStep {
    ProtocolStage stage = ProtocolStage::Baseline;
    ProtocolState state = ProtocolState::Record;
    std::string title;
    std::string text;     ///< what was found, or what to do
    std::string record;   ///< what to record; empty if nothing is missing
    std::string command;  ///< to type, with BEFORE and AFTER for paths; empty if there is none
    CheckPlace place;
    /// Another finding that the text names, apart from that of `place`: an index into Diagnosis::findings.
    std::optional<std::size_t> other_finding;
};

/// The protocol of a run, as far as its traces allow.
struct Protocol {
    std::vector<ProtocolStep> steps;  ///< one per stage, in their order
    /// The smallest decrease of the step time that a comparison with as many steps and the same spread would call
    /// faster; nothing if there is none, or if the spread is not known.
    std::optional<DurationNs> significant_ns;
};

/// The comparisons of a run: with a later run, whose baseline it is, and with its own baseline.
struct Validation {
    const AnalysedRun* after = nullptr;         ///< nullptr: none
    const RunComparison* comparison = nullptr;  ///< from the run to `after`; not null with it
    const AnalysedRun* before = nullptr;        ///< nullptr: the run has no baseline
};

/// For the run at this index of ReportInput::runs: the first comparison of the report in which it is the baseline, and
/// the baseline of the first in which it is the later run.
[[nodiscard]] Validation validationOf(const ReportInput& input, std::size_t run);

/// `words` are checkSentences(), or a translation of them. O(steps log steps), some tens of times.
[[nodiscard]] Protocol protocolOf(const AnalysedRun& run, const Validation& validation = {},
                                  const Sentences& words = checkSentences());

/// Protocol::significant_ns of a run whose steps take these times, in its order.
[[nodiscard]] std::optional<DurationNs> leastSignificant(const std::vector<DurationNs>& steps_ns);

}  // namespace rankscope::report
