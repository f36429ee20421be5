// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/analysis/collectives/transfer_statistics.h"
#include "core/base/format.h"
#include "core/diagnosis/prices/fitted_links.h"
#include "core/report/check/check_limits.h"
#include "core/report/check/hideable.h"
#include "core/report/check/list_questions.h"
#include "core/report/tables/communication.h"
#include "core/report/tables/run_tables.h"

namespace rankscope::report {
namespace {

ListLine isExposed(const CheckContext& context, std::string_view key) {
    const auto exposed = [](const StepBudget& one) { return one.exposed_comm_ns; };
    return byPart(context, key, {context.budget.exposed_comm_ns, kMuchCommunication, exposed});
}

ListLine mostlyWaits(const CheckContext& context, std::string_view key) {
    const StepBudget& budget = context.budget;
    if (budget.steps == 0 || (budget.exposed_comm_ns > 0 && !budget.exposed_wait_ns)) {
        return answerLine(context, key, ListAnswer::CannotTell, {});
    }
    if (budget.exposed_comm_ns == 0) {
        return answerLine(context, key, ListAnswer::No, {}, communicates(context.run) ? "none" : "alone");
    }
    const DurationNs waits_ns = budget.exposed_wait_ns.value_or(0);
    const double share = shareOf(waits_ns, budget.exposed_comm_ns).value_or(0);
    const double most = shareOf(waits_ns + budget.exposed_unsplit_ns, budget.exposed_comm_ns).value_or(0);
    if (share < kMostlyWaits && most >= kMostlyWaits) {
        return answerLine(context, key, ListAnswer::CannotTell, {});
    }
    ListLine line = answerLine(context, key, yesFrom(share, kMostlyWaits),
                               {{"part", lengthText(budget, waits_ns)}, {"share", formatPercent(share)}});
    line.place = placeOfMost(context, [](const StepBudget& one) { return one.exposed_wait_ns.value_or(0); });
    line.place.finding = findingWith(context.run, {FindingId::StragglerRank, FindingId::MovingStraggler});
    return line;
}

bool anyTransfer(const CheckContext& context) {
    return std::ranges::any_of(context.run.facts.collectives.collectives,
                               [](const Collective& one) { return one.transfer_ns.has_value(); });
}

ListLine someAreSlow(const CheckContext& context, std::string_view key) {
    const std::optional<std::size_t> finding = findingWith(context.run, {FindingId::SlowCollective});
    return finding || anyTransfer(context) ? byFinding(context, key, {FindingId::SlowCollective})
                                           : answerLine(context, key, ListAnswer::CannotTell, {});
}

/// "sizes" if sizes were recorded, but other sizes are needed.
std::string_view sizesVariant(const CheckContext& context) {
    return whyNoFit(context.run.facts.collectives.collectives) == NoFit::NothingTold ? "" : "sizes";
}

/// The time in messages whose latency exceeds the time of moving their bytes, of the transfers with a known latency.
ListLine messagesAreSmall(const CheckContext& context, std::string_view key) {
    const CollectiveFacts& facts = context.run.facts.collectives;
    DurationNs told_ns = 0;
    DurationNs small_ns = 0;
    for (const Collective& one : facts.collectives) {
        const TransferFit* const fit = facts.fitOf(one);
        if (fit != nullptr && one.bytes && one.transfer_ns) {
            told_ns += *one.transfer_ns;
            small_ns += fit->isLatencyBound(*one.bytes) ? *one.transfer_ns : 0;
        }
    }
    if (told_ns <= 0) {
        return answerLine(context, key, ListAnswer::CannotTell, {{"why", noFitText(context.run)}},
                          sizesVariant(context));
    }
    const double share = shareOf(small_ns, told_ns).value_or(0);
    ListLine line = answerLine(context, key, yesFrom(share, kReason),
                               {{"share", formatPercent(share)}, {"limit", formatPercent(kReason)}});
    line.place.finding = findingWith(context.run, {FindingId::BucketSize});
    return line;
}

/// Why the speed that a link reaches is not known, as a variant of sentences.
std::string_view whyNoLinkSpeed(const CheckContext& context) {
    const std::vector<TransferFit>& fits = context.run.facts.collectives.fits;
    if (fits.empty()) {
        return "unfitted";
    }
    if (std::ranges::none_of(fits, &TransferFit::tellsBandwidth)) {
        return "latency";
    }
    const LinkChoices& said = context.run.links;
    return said.inside_gb_per_s && said.across_gb_per_s ? "no-hosts" : "";
}

ListLine linkIsSlow(const CheckContext& context, std::string_view key) {
    std::optional<double> least;
    for (const FittedLink& link : fittedLinks(context.run)) {
        if (const std::optional<double> efficiency = link.efficiency()) {
            least = std::min(least.value_or(*efficiency), *efficiency);
        }
    }
    return !least ? answerLine(context, key, ListAnswer::CannotTell, {{"why", noFitText(context.run)}},
                               whyNoLinkSpeed(context))
                  : answerLine(context, key, *least < kSlowLink ? ListAnswer::Yes : ListAnswer::No,
                               {{"share", formatPercent(*least)}, {"limit", formatPercent(kSlowLink)}});
}

ListLine isNotHidden(const CheckContext& context, std::string_view key) {
    const std::optional<Hideable> hideable = hideableOf(context.run.facts);
    if (!hideable) {
        return callsCollectives(context.run) ? answerLine(context, key, ListAnswer::CannotTell, {})
                                             : answerLine(context, key, ListAnswer::No, {}, "alone");
    }
    if (!hideable->isTold(kMuchToHide)) {
        return answerLine(context, key, ListAnswer::CannotTell,
                          {{"undivided", lengthText(context.budget, context.budget.exposed_unsplit_ns)},
                           {"least", formatDuration(hideable->least_ns)},
                           {"wins", formatDuration(hideable->wins_ns)}},
                          "undivided");
    }
    return answerLine(context, key, yesFrom(hideable->share, kMuchToHide),
                      {{"wins", formatDuration(hideable->wins_ns)},
                       {"share", formatPercent(hideable->share)},
                       {"efficiency", formatPercent(hideable->overlap.efficiency())},
                       {"limit", formatPercent(kMuchToHide)}});
}

ListLine bucketsAreWrong(const CheckContext& context, std::string_view key) {
    const bool ddp =
        std::ranges::any_of(context.run.facts.ranks, [](const RankFacts& rank) { return rank.ddp.in_use; });
    return ddp || findingWith(context.run, {FindingId::BucketSize})
               ? byFinding(context, key, {FindingId::BucketSize})
               : answerLine(context, key, ListAnswer::No, {}, "unused");
}

ListLine gathersAreLate(const CheckContext& context, std::string_view key) {
    return context.run.facts.shards.any() ? byFinding(context, key, {FindingId::ShardGatherLate})
                                          : answerLine(context, key, ListAnswer::No, {}, "unused");
}

/// Whether most reduced bytes are 32-bit numbers.
ListLine typesAreWide(const CheckContext& context, std::string_view key) {
    double told = 0;
    double wide = 0;
    for (const Collective& one : context.run.facts.collectives.collectives) {
        const bool reduces = one.kind == CollectiveKind::AllReduce || one.kind == CollectiveKind::ReduceScatter;
        if (reduces && one.bytes && !one.dtype.empty()) {
            told += static_cast<double>(*one.bytes);
            wide += one.dtype == "Float" ? static_cast<double>(*one.bytes) : 0;
        }
    }
    if (told <= 0) {
        return callsCollectives(context.run) ? answerLine(context, key, ListAnswer::CannotTell, {})
                                             : answerLine(context, key, ListAnswer::No, {}, "alone");
    }
    return answerLine(context, key, yesFrom(wide / told, kMostlyWide), {{"share", formatPercent(wide / told)}});
}

constexpr std::array kCommunicationQuestions = {Question{"communication-exposed", isExposed},
                                                Question{"waits-not-transfers", mostlyWaits},
                                                Question{"some-slow", someAreSlow},
                                                Question{"messages-small", messagesAreSmall},
                                                Question{"link-slow", linkIsSlow},
                                                Question{"not-hidden", isNotHidden},
                                                Question{"bucket-size", bucketsAreWrong},
                                                Question{"gathers-late", gathersAreLate},
                                                Question{"types-wide", typesAreWide},
                                                Question{"transport", notInTraces},
                                                Question{"topology", notInTraces}};

}  // namespace

std::span<const Question> slowCommunicationQuestions() {
    return kCommunicationQuestions;
}

}  // namespace rankscope::report
