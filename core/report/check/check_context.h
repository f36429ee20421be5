// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/check/check.h"

// What the lines of the check, the check lists and the protocol share. Private to core/report/check.
namespace rankscope::report {

/// A run that is checked.
struct CheckContext {
    const AnalysedRun& run;
    Sentences words;                  ///< from wordsFor()
    std::vector<StepBudget> budgets;  ///< parallel to Run::ranks
    StepBudget budget;                ///< over all of them
    std::vector<CheckRank> ranks;     ///< parallel to Run::ranks
};
[[nodiscard]] CheckContext contextOf(const AnalysedRun& run, const Sentences& words);
/// The words for a run: what to record is said for the profiler that recorded it.
[[nodiscard]] Sentences wordsFor(const AnalysedRun& run, const Sentences& words);

/// The rows of the ranks; `look` is not decided yet.
[[nodiscard]] std::vector<CheckRank> checkRanks(const AnalysedRun& run);

/// A line with its title, its sentence ("key.status", or "key.status-variant" if there is a variant) and, if it cannot
/// tell, what to record. The sentence may use any of `values`.
[[nodiscard]] CheckLine makeLine(const CheckContext& context, CheckArea area, std::string_view key, CheckStatus status,
                                 Sentences::Values values, std::string_view variant = {});
/// Why the peak of no device is known, as a variant of sentences: "no-totals" if events were recorded without it; empty
/// if none were.
[[nodiscard]] std::string_view whyNoPeak(const CheckContext& context);
/// "key-variant" if there is such a sentence, else "key".
[[nodiscard]] std::string ownKey(const Sentences& words, const std::string& key, std::string_view variant);

/// Ok below the limit, else look.
[[nodiscard]] constexpr CheckStatus lookFrom(double value, double limit) {
    return value >= limit ? CheckStatus::Look : CheckStatus::Ok;
}

/// The most expensive finding with one of these ids, as a place in Diagnosis::findings.
[[nodiscard]] std::optional<std::size_t> findingWith(const AnalysedRun& run, std::initializer_list<FindingId> ids);

/// The rank and step in which `part` has the largest share of the step; nothing if it is zero everywhere.
[[nodiscard]] CheckPlace placeOfMost(const CheckContext& context,
                                     const std::function<DurationNs(const StepBudget&)>& part);

/// "rank 3".
[[nodiscard]] std::string rankText(const AnalysedRun& run, RankPosition rank);
/// A length and its share of the mean step: "12.4 ms (17 %)".
[[nodiscard]] std::string lengthText(const StepBudget& budget, DurationNs sum_ns);
/// Whether any rank communicates, according to its device work.
[[nodiscard]] bool communicates(const AnalysedRun& run);
/// Whether any rank does, or its CPU called a collective: device work is not always recorded.
[[nodiscard]] bool callsCollectives(const AnalysedRun& run);
/// Whether files are missing or may be missing: no file says how many ranks the job has, and ranks communicate.
[[nodiscard]] bool mayLackRanks(const AnalysedRun& run);
/// Whether neither a DataLoader nor operators were recorded: then waits for it are not known.
[[nodiscard]] bool loaderIsUnrecorded(const CheckContext& context);
/// The device with the fullest memory of all ranks: its rank, and reserved over capacity.
struct FullestDevice {
    RankPosition rank;
    const DeviceMemory* memory = nullptr;
    [[nodiscard]] std::optional<double> share() const;
};
/// The fullest device with memory events; by bytes if no capacity is known.
[[nodiscard]] std::optional<FullestDevice> fullestDevice(const AnalysedRun& run);

/// Why no finding names some of the ranks that the check calls slow, as a sentence with a space before it. Empty if
/// findings name all of them.
[[nodiscard]] std::string whyNotFound(const CheckContext& context, const std::vector<RankPosition>& slow);

/// The lines of one part of the check each, in the order of the report.
[[nodiscard]] std::vector<CheckLine> stepLines(CheckContext& context);
[[nodiscard]] std::vector<CheckLine> budgetLines(const CheckContext& context);
[[nodiscard]] std::vector<CheckLine> hardwareLines(const CheckContext& context);
[[nodiscard]] std::vector<CheckLine> coverageLines(const CheckContext& context);

}  // namespace rankscope::report
