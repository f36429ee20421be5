// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/whatif/offered_changes.h"

#include <QObject>
#include <algorithm>
#include <string_view>
#include <utility>

#include "core/analysis/verdict_words.h"
#include "core/whatif/change.h"

namespace rankscope::ui {
namespace {

constexpr int kDigits = 3;               // of a factor
constexpr double kLeastShare = 0.03;     // of a step: what waits for less is not worth a line
constexpr std::size_t kMostOffered = 3;  // below a verdict
constexpr std::string_view kInterleaved = "schedule:interleaved";

QString numberText(double value) {
    return QString::number(value, 'g', kDigits);
}

ChangeRange times(double least, double most, double typical) {
    return {.least = least,
            .most = most,
            .typical = typical,
            .logarithmic = true,
            .whole = false,
            .shown = QObject::tr("× %1", "a factor")};
}

/// The change that plays the fix of a finding, one that a window can offer.
std::string changeFor(const Finding& finding, const AnalysedRun& run) {
    if (finding.id != FindingId::PipelineBubble) {
        return whatIfOf(finding, *run.run);
    }
    const bool several = std::ranges::any_of(run.facts.pipeline.pipelines,
                                             [](const Pipeline& pipeline) { return pipeline.stages_per_rank > 1; });
    return several ? std::string() : std::string(kInterleaved);
}

/// The change that takes away what a share of a step is spent on; empty: there is none. Waits for input are left to
/// the finding: a batch may be ready and still take its time.
std::string_view changeAgainst(std::string_view part) {
    return part == "launch"          ? "launch:graphs"
           : part == "stall"         ? "host:x2"
           : part == "communication" ? "overlap:perfect"
                                     : "";
}

/// Whether a change against a part comes to nothing, because the CPU holds the step up for longer.
bool isBehindCpu(const NamedShare& part, const BoundShares& shares) {
    return part.name == "communication" && shares.launch + shares.stall > part.share;
}

}  // namespace

std::string OfferedChange::with(double value) const {
    return range ? text + numberText(value).toStdString() : text;
}

QString OfferedChange::valueWords(double value) const {
    return range ? range->shown.arg(numberText(value)) : QString();
}

QString OfferedChange::typicalTitle() const {
    return range ? QObject::tr("%1 %2", "a change, its value").arg(title, valueWords(range->typical)) : title;
}

std::vector<OfferedChange> offeredChanges() {
    const ChangeRange workers{.least = 1, .most = 16, .typical = 4, .whole = true, .shown = QStringLiteral("%1")};
    const ChangeRange buckets{
        .least = 1, .most = 250, .typical = 50, .whole = true, .shown = QObject::tr("%1 MiB", "a size")};
    return {
        {.text = "loader:ready", .title = QObject::tr("Batches are always ready")},
        {.text = "loader:workers=", .title = QObject::tr("DataLoader workers"), .range = workers},
        {.text = "loader:workers=x", .title = QObject::tr("More DataLoader workers"), .range = times(1, 8, 2)},
        {.text = "launch:graphs", .title = QObject::tr("CUDA graphs launch the kernels")},
        {.text = "host:x", .title = QObject::tr("Speed of the CPU"), .range = times(0.5, 4, 2)},
        {.text = "sync:none", .title = QObject::tr("No synchronising calls")},
        {.text = "gc:off", .title = QObject::tr("No garbage collection")},
        {.text = "overlap:perfect", .title = QObject::tr("Compute hides all transfers")},
        {.text = "link:x", .title = QObject::tr("Speed of the links"), .range = times(0.25, 8, 2)},
        {.text = "bucket_cap_mb=", .title = QObject::tr("DDP bucket size"), .range = buckets},
        {.text = "algorithm:tree", .title = QObject::tr("All-reduces run as trees")},
        {.text = "ranks:equal", .title = QObject::tr("Ranks have equal work")},
        {.text = "class:compute:x", .title = QObject::tr("Time of compute kernels"), .range = times(0.25, 2, 0.5)},
        {.text = "precision:bf16", .title = QObject::tr("Matrix products in bf16")},
        {.text = "cool", .title = QObject::tr("GPUs stay cool")},
        {.text = std::string(kInterleaved), .title = QObject::tr("Several pipeline stages per rank")},
        {.text = "stages:even", .title = QObject::tr("Pipeline stages take equally long")},
        {.text = "prefetch:1", .title = QObject::tr("Parameters gathered a unit ahead")},
        {.text = "recompute:off", .title = QObject::tr("No recomputation in the backward")},
    };
}

std::vector<OfferedChange> changesFor(const AnalysedRun& run) {
    std::vector<OfferedChange> offered;
    const std::vector<OfferedChange> all = offeredChanges();
    const auto offer = [&](std::string_view text) {
        const auto same = [text](const OfferedChange& each) { return each.typical() == text; };
        const auto at = std::ranges::find_if(all, same);
        if (at != all.end() && offered.size() < kMostOffered && std::ranges::none_of(offered, same)) {
            offered.push_back(*at);
        }
    };
    for (const Finding& finding : run.diagnosis.findings) {
        offer(changeFor(finding, run));
    }
    if (!run.facts.verdict.shares) {
        return offered;
    }
    auto shares = namedShares(*run.facts.verdict.shares);
    std::ranges::stable_sort(shares, std::ranges::greater(), &NamedShare::share);
    if (shares.front().name == "compute") {  // less of it helps only where it is most of the step
        offer("class:compute:x0.5");
    }
    for (const NamedShare& part : shares) {
        if (part.share >= kLeastShare && !isBehindCpu(part, *run.facts.verdict.shares)) {
            offer(changeAgainst(part.name));
        }
    }
    return offered;
}

}  // namespace rankscope::ui
