// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/diagnosis/frame/rule.h"
#include "core/whatif/effect.h"

namespace rankscope {

/// The values in the text of a change; which of them it has depends on its kind.
struct WhatIfValues {
    std::string name;        ///< a name, or a regular expression in the syntax of RE2
    double factor = 1;       ///< above 0
    std::int64_t count = 0;  ///< a rank (0 or more), or a number of workers, MiB, ... (1 or more)
    double number = 0;       ///< GB/s, GB = 1e9
};

/// What a change is about. Two changes of one subject exclude each other, except those of Work.
enum class WhatIfSubject : std::uint8_t {
    Work,
    Ranks,
    Loader,
    Overlap,
    Buckets,
    Links,
    Algorithm,
    Host,
    Launches,
    Syncs,
    Collections,
    Device,
    Cooling,
    MicroBatches,
    Schedule,
    Stages,
    World,
    Batch,
    Recomputation,
    Shards,
    Gathers,
};

/// A kind of change: all that is said about it, and how it is played. docs/what-if.md lists them from here.
struct WhatIfKind {
    /// How it is written. Words in capitals stand for values: REGEX and NAME for a name, F for a factor, R, W and N for
    /// counts, GB for a bandwidth.
    std::string_view form;
    WhatIfSubject subject = WhatIfSubject::Work;
    std::string_view meaning;     ///< "The links are F times as fast."
    std::string_view assumes;     ///< what the forecast takes for granted
    std::string_view leaves_out;  ///< what it does not contain
    std::string_view typical;     ///< the value that is tried first: "link:x2"; empty if it needs a name
    /// Makes its effect on a run, which may refer to the context; or says why this run cannot tell it.
    Result<WhatIfEffect> (*effect)(const RuleContext& context, const WhatIfValues& values) = nullptr;
    std::string_view names = {};  ///< what NAME may be: "ring or tree"; empty: what the run has
    /// The meaning, and what NAME may be.
    [[nodiscard]] std::string described() const;
};

/// All kinds, in the order in which they are listed.
[[nodiscard]] std::span<const WhatIfKind> whatIfKinds();

/// One change as a user writes it.
struct WhatIfChange {
    std::string text;  ///< "kernels:gemm:x0.8"
    const WhatIfKind* kind = nullptr;
    WhatIfValues values;
};

/// What a change means, with its values: "4 worker processes make the batches, ...".
[[nodiscard]] std::string meaningOf(const WhatIfChange& change);

/// Reads the text of a change. Fails if no kind has that form, with the nearest, and if a value is not one: a factor
/// that is not a number above 0 and up to 1,000, a count that is not whole.
[[nodiscard]] Result<WhatIfChange> parseWhatIf(std::string_view text);

/// Reads changes divided by semicolons: "loader:ready; link:x2". None in an empty text. Fails as parseWhatIf().
[[nodiscard]] Result<std::vector<WhatIfChange>> parseChanges(std::string_view text);

/// Fails, naming the two, if two changes exclude each other.
[[nodiscard]] std::optional<Error> excludeOneAnother(std::span<const WhatIfChange> changes);

/// The change that plays the fix of a finding, as it is written: "loader:ready" for dataloader-stall,
/// "rank=3:like-median" for one late rank. Empty for findings that no single change plays. Its forecast may differ from
/// the finding's price: a price leaves to other findings what they save, and a late rank's is of its late steps.
[[nodiscard]] std::string whatIfOf(const Finding& finding, const Run& run);

// The effects of the kinds, each in core/whatif/changes in the file named after its subject.
[[nodiscard]] Result<WhatIfEffect> likeMedian(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> equalRanks(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> readyBatches(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> timesAsManyWorkers(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> moreWorkers(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> perfectOverlap(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> noOverlap(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> otherBuckets(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> fasterLinks(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> linksInside(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> linksAcross(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> otherAlgorithm(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> scaledKernels(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> scaledClass(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> scaledOperator(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> scaledModule(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> fusedKernels(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> fasterHost(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> graphLaunches(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> noSyncs(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> noCollections(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> otherPrecision(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> coolDevices(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> otherDevice(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> otherMicroBatches(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> otherSchedule(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> evenStages(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> otherWorld(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> otherHosts(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> otherBatch(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> otherZeroStage(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> prefetchedGathers(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> wholeRecomputation(const RuleContext& context, const WhatIfValues& values);
[[nodiscard]] Result<WhatIfEffect> noRecomputation(const RuleContext& context, const WhatIfValues& values);

}  // namespace rankscope
