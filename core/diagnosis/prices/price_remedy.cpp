// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/prices/price_remedy.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/replay/contention.h"
#include "core/analysis/steps/run_steps.h"
#include "core/trace/copied_bytes.h"

namespace rankscope {
namespace {

// ---- What no run shows: sizes from how machines work. docs/definitions/remedy-costs.md has the reasons.

/// How many times as long CPU work of the training process takes while a worker runs. With all cores of a socket busy,
/// clocks are 5 to 20 % lower than with one. Caches and memory are shared, and of two threads on one core each gets
/// about 60 % of it.
constexpr CostSize kBusyCores{1.0, 1.2, 1.6};
/// Time to receive a batch from a worker: a message, and building its tensors from shared memory.
constexpr CostSize kBatchHandOverNs{100e3, 500e3, 1.5e6};
/// Time per page of shared memory: it is mapped on first read, and unmapped with the batch.
constexpr CostSize kFreshPageNs{100, 250, 500};
constexpr double kPageBytes = 4096;
/// How many times as long kernels take during NCCL kernels, which use some multiprocessors and memory bandwidth. Used
/// if the run has no kernels that show it.
constexpr CostSize kBesideCommunication{1.0, 1.06, 1.2};
/// The range if a run shows it: the excess over 1, from medians of kernels of the same name, times these.
constexpr CostSize kMeasuredBeside{0.5, 1.0, 1.5};
/// From the end of a kernel to the start of the next in a CUDA graph.
constexpr CostSize kGraphPauseNs{0, 1'000, 2'000};

// ----

/// The same factor if only `share` of the time is affected.
CostSize forPartOf(const CostSize& size, double share) {
    const auto part = [share](double times) { return 1 + (times - 1) * share; };
    return {part(size.low), part(size.likely), part(size.high)};
}

CostSize times(const CostSize& size, double factor) {
    return {size.low * factor, size.likely * factor, size.high * factor};
}

DurationNs wholeNs(double ns) {
    return static_cast<DurationNs>(std::llround(ns));
}

DurationNs precisionOf(DurationNs step_ns) {
    return wholeNs(Pricer::kPrecision * static_cast<double>(step_ns));
}

/// The sizes of the terms that are replayed.
struct WorkerTerms {
    double pace = 1;
    double hand_over_ns = 0;
    double page_ns = 0;
};

/// Whether a copy to the device reads a batch from pageable memory, as a worker leaves it.
bool readsPageable(const RankContext& work, SliceRef copy) {
    return work.trace->category(copy) == Category::Memcpy &&
           work.names.isPageable(work.trace->track(copy).slices.name[copy.slice]) &&
           !work.names.copiesToHost(work.trace->track(copy).slices.name[copy.slice]);
}

double pagesOf(const RankContext& work, SliceRef copy) {
    return static_cast<double>(copiedBytes(*work.trace, copy).value_or(0)) / kPageBytes;
}

/// A batch that a worker makes later than it is asked for is handed over too.
void handOverBatches(const ReplayModel& model, DurationNs hand_over_ns, ReplayChange& change) {
    const DurationNs more_ns = std::max<DurationNs>(0, hand_over_ns - ReplayChange::kReadyBatchNs);
    for (HostChange& host : change.host) {
        const auto loader = std::ranges::lower_bound(model.loaders, host.span.start_ns, {}, &TimeSpan::start_ns);
        if (loader != model.loaders.end() && *loader == host.span) {
            host.length_ns += more_ns;
        }
    }
}

/// `change`, with what workers cost.
RunChange withTerms(const RuleContext& context, const RunChange& change, const WorkerTerms& terms) {
    RunChange costly = change;
    costly.of_rank = [&context, of_rank = change.of_rank, terms](RankPosition rank) {
        ReplayChange slower = of_rank ? of_rank(rank) : ReplayChange();
        slower.host_pace = std::max(slower.host_pace, terms.pace);
        slower.ready_batch_ns = std::max(slower.ready_batch_ns, wholeNs(terms.hand_over_ns));
        handOverBatches(context.pricer.model().ranks[rank], wholeNs(terms.hand_over_ns), slower);
        slower.length = [&work = context.work[rank], terms, of = slower.length](const ReplayEvent& event) {
            const double pages = readsPageable(work, event.ref) ? pagesOf(work, event.ref) : 0;
            return (of ? of(event) : event.span.length()) + wholeNs(terms.page_ns * pages);
        };
        return slower;
    };
    return costly;
}

/// Pages copied from pageable memory per step on its critical rank, median.
double pagesOfStep(const RuleContext& context) {
    std::vector<double> pages;
    for (const RunStep* const step : context.pricer.steady()) {
        const RankContext& work = context.work[step->critical_rank];
        const TimeSpan& own = context.facts.ranks[step->critical_rank].steps[step->ofCriticalRank()].span;
        double sum = 0;
        for (const DeviceEvent& event : work.device.events) {
            const bool here = own.start_ns <= event.span.start_ns && event.span.start_ns < own.end_ns;
            sum += here && readsPageable(work, event.ref) ? pagesOf(work, event.ref) : 0;
        }
        pages.push_back(sum);
    }
    std::ranges::sort(pages);
    return pages.empty() ? 0 : pages[(pages.size() - 1) / 2];
}

/// Host time in the DataLoader in one step, except in other loader waits.
DurationNs hostTimeInLoader(const RankContext& work, const TimeSpan& host) {
    DurationNs total = 0;
    for (const HostThread& thread : work.threads.all()) {
        for (const SliceIndex i : thread.loaders) {
            total += intersect(work.trace->span({thread.track, i}), host).length();
        }
    }
    return total;
}

}  // namespace

BesideCommunication besideCommunication(const RuleContext& context) {
    const std::optional<double> measured = slowdownBesideCommunication(context.pricer.model(), context.work);
    if (!measured) {
        return {kBesideCommunication, CostSource::Assumed};
    }
    const CostSize over = times(kMeasuredBeside, *measured - 1);
    return {{1 + over.low, 1 + over.likely, 1 + over.high}, CostSource::Measured};
}

DurationNs hostTimeInLoaders(const RuleContext& context) {
    std::vector<DurationNs> times;
    for (const RunStep* step : context.pricer.steady()) {
        const RankPosition rank = step->critical_rank;
        const RankStep& own = context.facts.ranks[rank].steps[step->ofCriticalRank()];
        times.push_back(hostTimeInLoader(context.work[rank], own.host));
    }
    return typicalOf(context.facts.basis, std::move(times));
}

bool isOfWorkers(std::string_view loader) {
    return loader.find("MultiProcessing") != std::string_view::npos;
}

bool hasWorkers(const RankContext& work) {
    return std::ranges::any_of(work.threads.all(), [&work](const HostThread& thread) {
        return std::ranges::any_of(thread.loaders, [&](SliceIndex i) {
            return isOfWorkers(work.trace->name({thread.track, i}));
        });
    });
}

RemedyCost costOfWorkers(const RuleContext& context, const Price& price, const RunChange& ready,
                         const LoaderUse& loader) {
    constexpr double kOfMore = 0.5;  // the run already includes today's workers
    const bool has_workers = loader.has_workers;
    const DurationNs step_ns = std::max<DurationNs>(1, context.facts.pricedStep() - price.replayed_ns);
    const double runs = std::min(1.0, static_cast<double>(loader.host_ns) / static_cast<double>(step_ns));
    const CostSize pace = forPartOf(kBusyCores, has_workers ? kOfMore : runs);
    RemedyCost cost{.kind = has_workers ? RemedyKind::MoreWorkers : RemedyKind::FirstWorkers,
                    .parts = {{CostTerm::BusyCores, CostSource::Assumed, CostPart::Unit::Times, pace}}};
    CostSize hand_over;
    CostSize page;
    if (!has_workers) {  // else the run already includes these
        hand_over = kBatchHandOverNs;
        page = kFreshPageNs;
        cost.parts.push_back({CostTerm::BatchHandOver, CostSource::Assumed, CostPart::Unit::NsPerStep, hand_over});
        if (const double pages = pagesOfStep(context); pages > 0) {
            cost.parts.push_back(
                {CostTerm::FreshPages, CostSource::Assumed, CostPart::Unit::NsPerStep, times(page, pages)});
        }
    }
    const auto costs = [&](const WorkerTerms& terms) {
        const RunChange slower = withTerms(context, ready, terms);
        return std::max<DurationNs>(0, price.replayed_ns - context.pricer.saving(price.entries, slower));
    };
    cost.likely_ns = costs({pace.likely, hand_over.likely, page.likely});
    cost.high_ns = std::max(cost.likely_ns, costs({pace.high, hand_over.high, page.high}));
    return cost;
}

RemedyCost costOfPinning(DurationNs pageable_ns, bool thread_of_its_own) {
    // A pageable copy makes the CPU read the same bytes and write them to a staging buffer: pinning takes no longer.
    const double most_ns = thread_of_its_own ? 0 : static_cast<double>(pageable_ns);
    return {.kind = RemedyKind::PinnedMemory,
            .high_ns = wholeNs(most_ns),
            .parts = {{CostTerm::PinCopy, CostSource::Measured, CostPart::Unit::NsPerStep, {0, 0, most_ns}}}};
}

RemedyCost costOfOverlap(const RuleContext& context, RemedyKind kind, DurationNs hidden_ns, DurationNs exposed_ns) {
    const BesideCommunication slower = besideCommunication(context);
    const auto exposed = static_cast<double>(exposed_ns);
    return {.kind = kind,
            .low_ns = slowedBy(slower.times.low, hidden_ns),
            .likely_ns = slowedBy(slower.times.likely, hidden_ns),
            .high_ns = std::min(hidden_ns, slowedBy(slower.times.high, hidden_ns) + exposed_ns),
            .parts = {
                {CostTerm::SlowerCompute, slower.source, CostPart::Unit::Times, slower.times},
                {CostTerm::NothingToHide, CostSource::Measured, CostPart::Unit::NsPerStep, {0, exposed / 2, exposed}}}};
}

RemedyCost costOfLargerBuckets(const RuleContext& context, DurationNs transfer_ns, DurationNs less_ns) {
    const BesideCommunication slower = besideCommunication(context);
    const auto most_ns = static_cast<double>(transfer_ns);
    return {.kind = RemedyKind::LargerBuckets,
            .low_ns = -slowedBy(slower.times.high, less_ns),
            .high_ns = transfer_ns,
            .parts = {{CostTerm::SentLater, CostSource::Measured, CostPart::Unit::NsPerStep, {0, 0, most_ns}},
                      {CostTerm::SlowerCompute, slower.source, CostPart::Unit::Times, slower.times}}};
}

RemedyCost costOfGraphs(std::size_t kernels, DurationNs saving_ns) {
    const CostSize pauses = times(kGraphPauseNs, static_cast<double>(kernels));
    const auto saving = static_cast<double>(saving_ns);
    return {.kind = RemedyKind::Graphs,
            .low_ns = std::min(saving_ns, wholeNs(pauses.low)),
            .likely_ns = std::min(saving_ns, wholeNs(pauses.likely)),
            .high_ns = saving_ns,
            .parts = {{CostTerm::GraphPauses, CostSource::Assumed, CostPart::Unit::NsPerStep, pauses},
                      {CostTerm::NotReached, CostSource::Assumed, CostPart::Unit::NsPerStep, {0, 0, saving}}}};
}

void subtractCost(RemedyCost cost, DurationNs step_ns, Finding& finding) {
    if (!finding.at_most) {
        const DurationNs ideal_ns = finding.saving_ns;
        const auto less = [&cost](DurationNs ns) { return std::max<DurationNs>(0, ns - cost.likely_ns); };
        finding.saving_ns = less(ideal_ns);
        finding.share = static_cast<double>(finding.saving_ns) / static_cast<double>(step_ns);
        if (finding.overlap) {
            finding.overlap->alone_ns = less(finding.overlap->alone_ns);
            finding.overlap->after_ns = less(finding.overlap->after_ns);
        }
        if (finding.range) {
            const DurationNs low_ns = finding.range->low_ns - cost.high_ns - precisionOf(step_ns);
            const DurationNs high_ns = finding.range->high_ns - cost.low_ns + precisionOf(step_ns);
            finding.range = SavingRange{std::max<DurationNs>(0, low_ns), std::clamp<DurationNs>(high_ns, 0, step_ns)};
        }
    }
    finding.cost = std::move(cost);
}

std::optional<SavingRange> forecastOf(const Finding& finding, DurationNs step_ns) {
    if (!finding.at_most) {
        return finding.range;
    }
    const DurationNs most_ns = finding.cost ? finding.cost->high_ns : finding.saving_ns;
    const DurationNs precision_ns = precisionOf(step_ns);
    return SavingRange{std::max<DurationNs>(0, finding.saving_ns - most_ns - precision_ns),
                       finding.saving_ns + precision_ns};
}

}  // namespace rankscope
