// SPDX-License-Identifier: GPL-3.0-or-later
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnosis/evidence/host_changes.h"
#include "core/whatif/change.h"
#include "core/whatif/refusal.h"

namespace rankscope {
namespace {

/// Which of the device work of each rank a change is about: by rank, by ReplayModel::events.
using ChosenWork = std::vector<std::vector<bool>>;

using ChoosesWork = std::function<bool(const RankContext& work, const ReplayEvent& event)>;

ChosenWork choose(const RuleContext& context, const std::function<ChoosesWork(const RankContext& work)>& of_rank) {
    ChosenWork chosen;
    for (std::size_t r = 0; r < context.work.size(); ++r) {
        const std::vector<ReplayEvent>& events = context.pricer.model().ranks[r].events;
        const ChoosesWork is_chosen = of_rank(context.work[r]);
        std::vector<bool>& of_events = chosen.emplace_back();
        for (const ReplayEvent& event : events) {
            of_events.push_back(is_chosen(context.work[r], event));
        }
    }
    return chosen;
}

bool anyOf(const ChosenWork& chosen) {
    return std::ranges::any_of(chosen, [](const auto& rank) { return std::ranges::find(rank, true) != rank.end(); });
}

DurationNs scaledLength(DurationNs length_ns, double factor) {
    return static_cast<DurationNs>(std::llround(factor * static_cast<double>(length_ns)));
}

/// The chosen work takes `factor` times as long.
WhatIfEffect scaledWork(const RuleContext& context, ChosenWork chosen, double factor) {
    WhatIfEffect effect;
    effect.length = [&ranks = context.pricer.model().ranks, factor,
                     chosen = std::make_shared<const ChosenWork>(std::move(chosen))](
                        RankPosition rank, const ReplayEvent& event, DurationNs length_ns) {
        const auto index = static_cast<std::size_t>(&event - ranks[rank].events.data());
        return (*chosen)[rank][index] ? scaledLength(length_ns, factor) : length_ns;
    };
    return effect;
}

/// Flags by name id of a rank: whether a name has a match of a regular expression.
std::vector<bool> namesThatMatch(const RankTrace& trace, const RE2& pattern) {
    std::vector<bool> match(trace.strings.size());
    for (std::uint32_t i = 0; i < match.size(); ++i) {
        match[i] = RE2::PartialMatch(trace.strings.view(StringId(i)), pattern);
    }
    return match;
}

StringId nameOf(const RankContext& work, const ReplayEvent& event) {
    return work.trace->track(event.ref).slices.name[event.ref.slice];
}

Result<ChosenWork> kernelsThatMatch(const RuleContext& context, const std::string& expression) {
    RE2::Options options;
    options.set_log_errors(false);
    const RE2 pattern(expression, options);
    if (!pattern.ok()) {
        return cannotTell("\"" + expression + "\" is not a regular expression: " + pattern.error() + ".");
    }
    bool communication = false;
    ChosenWork chosen = choose(context, [&](const RankContext& work) -> ChoosesWork {
        return [&communication, match = namesThatMatch(*work.trace, pattern)](const RankContext& of,
                                                                              const ReplayEvent& event) {
            const StringId name = nameOf(of, event);
            const bool is_match =
                of.trace->category(event.ref) == Category::Kernel && name.valid() && match[name.value];
            communication = communication || (is_match && event.communication);
            return is_match && !event.communication;
        };
    });
    if (!anyOf(chosen)) {
        return cannotTell(communication ? "Only communication matches \"" + expression + "\"; use link:xF for it."
                                        : "No kernel matches \"" + expression + "\".");
    }
    return chosen;
}

/// The calls around a launch, innermost first: visit(slices, index) returns whether to go on.
template <class Visit>
void climb(const RankContext& work, SliceRef from, const Visit& visit) {
    if (!from.valid()) {
        return;
    }
    const SliceTable& slices = work.trace->track(from).slices;
    for (SliceIndex at = from.slice; at != kNoSlice && visit(SliceRef{from.track, at}, slices.name[at]);
         at = slices.parent[at]) {}
}

bool isInside(const RankContext& work, SliceRef launch, const std::vector<bool>& names) {
    bool found = false;
    climb(work, launch, [&](SliceRef /*slice*/, StringId name) {
        found = name.valid() && names[name.value];
        return !found;
    });
    return found;
}

/// Flags by name id for names that `is` picks.
std::vector<bool> namesThat(const RankTrace& trace, const std::function<bool(std::string_view)>& is) {
    std::vector<bool> names(trace.strings.size());
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        names[i] = is(trace.strings.view(StringId(i)));
    }
    return names;
}

std::string nearestOperator(const RuleContext& context, const std::string& name) {
    std::vector<std::string> names;
    for (std::size_t r = 0; r < context.work.size(); ++r) {
        for (const OperatorRow& row : context.facts.ranks[r].operators.rows) {
            names.emplace_back(context.work[r].trace->strings.view(row.name));
        }
    }
    return nearestOrStop(name, names);
}

/// Whether `slice` is "nn.Module: Linear_3" for the name "Linear_3", or for its class "Linear".
bool isModule(std::string_view slice, std::string_view wanted) {
    constexpr std::string_view kModule = "nn.Module: ";
    if (!slice.starts_with(kModule)) {
        return false;
    }
    slice.remove_prefix(kModule.size());
    return slice == wanted || slice.substr(0, slice.rfind('_')) == wanted;
}

/// The forward of each operator of a backward: pairs of slices, sorted by the backward.
std::vector<Flow> byBackward(const RankTrace& trace) {
    std::vector<Flow> flows = trace.flows;
    std::ranges::sort(flows, {}, &Flow::to);
    return flows;
}

/// Whether a launch, or the forward of the operator around it, is inside one of these names.
bool isOfModule(const RankContext& work, const std::vector<Flow>& backward, SliceRef launch,
                const std::vector<bool>& names) {
    if (isInside(work, launch, names)) {
        return true;
    }
    bool found = false;
    climb(work, launch, [&](SliceRef slice, StringId /*name*/) {
        const auto flow = std::ranges::lower_bound(backward, slice, {}, &Flow::to);
        const bool linked = flow != backward.end() && flow->to == slice;
        found = linked && isInside(work, flow->from, names);
        return !linked;
    });
    return found;
}

/// Launches of device work, by ReplayModel::events.
SliceRef launchOf(const RankContext& work, const ReplayEvent& event) {
    return work.trace->launches.launchOf(event.ref);
}

}  // namespace

Result<WhatIfEffect> scaledKernels(const RuleContext& context, const WhatIfValues& values) {
    Result<ChosenWork> chosen = kernelsThatMatch(context, values.name);
    if (!chosen.ok()) {
        return chosen.error();
    }
    return scaledWork(context, std::move(chosen).value(), values.factor);
}

Result<WhatIfEffect> scaledClass(const RuleContext& context, const WhatIfValues& values) {
    const std::vector<std::string> names = {"compute", "communication", "copy"};
    if (std::ranges::find(names, values.name) == names.end()) {
        return cannotTell("\"" + values.name + "\" is no class of device work; use compute, communication or copy" +
                          nearestOrStop(values.name, names));
    }
    if (values.name == "communication") {
        if (std::optional<Error> refused = refuseWithoutTransfers(context)) {
            return *std::move(refused);
        }
        WhatIfEffect effect;
        effect.transfer = [factor = values.factor](CollectivePosition /*collective*/, DurationNs transfer_ns) {
            return scaledLength(transfer_ns, factor);
        };
        return effect;
    }
    const bool copies = values.name == "copy";
    ChosenWork chosen = choose(context, [copies](const RankContext& /*work*/) -> ChoosesWork {
        return [copies](const RankContext& work, const ReplayEvent& event) {
            return !event.communication && (work.trace->category(event.ref) == Category::Memcpy) == copies;
        };
    });
    if (!anyOf(chosen)) {
        return cannotTell("The run has no device work of the class " + values.name + ".");
    }
    return scaledWork(context, std::move(chosen), values.factor);
}

Result<WhatIfEffect> scaledOperator(const RuleContext& context, const WhatIfValues& values) {
    const auto is_named = [&values](std::string_view name) { return name == values.name; };
    bool called = false;
    ChosenWork chosen = choose(context, [&](const RankContext& work) -> ChoosesWork {
        called = called || work.trace->strings.find(values.name).valid();
        return [names = namesThat(*work.trace, is_named)](const RankContext& of, const ReplayEvent& event) {
            return !event.communication && isInside(of, launchOf(of, event), names);
        };
    });
    if (!called) {
        return cannotTell("No operator is called \"" + values.name + "\"" + nearestOperator(context, values.name));
    }
    WhatIfEffect effect = scaledWork(context, std::move(chosen), values.factor);
    if (values.factor < 1) {
        effect.replay = onEachRank(context, [&context, values](RankPosition rank) {
            const RankContext& work = context.work[rank];
            const StringId name = work.trace->strings.find(values.name);
            ReplayChange change{
                .host = withoutSlices(work, [name](StringId of, Category /*category*/) { return of == name; })};
            for (HostChange& call : change.host) {
                const DurationNs work_ns = hostWorkIn(context.pricer.model().ranks[rank], call.span);
                call.length_ns = scaledLength(work_ns, values.factor);
            }
            return change;
        });
    }
    return effect;
}

Result<WhatIfEffect> scaledModule(const RuleContext& context, const WhatIfValues& values) {
    const auto is_module = [&values](std::string_view name) { return isModule(name, values.name); };
    ChosenWork chosen = choose(context, [&](const RankContext& work) -> ChoosesWork {
        return [names = namesThat(*work.trace, is_module), backward = byBackward(*work.trace)](
                   const RankContext& of, const ReplayEvent& event) {
            return !event.communication && isOfModule(of, backward, launchOf(of, event), names);
        };
    });
    if (!anyOf(chosen)) {
        return cannotTell("No nn.Module \"" + values.name +
                          "\" launches work here. Record with_modules=True or with_stack=True to see modules.");
    }
    return scaledWork(context, std::move(chosen), values.factor);
}

namespace {

/// Kernels in a row that become one, on one rank.
struct FusedRows {
    static constexpr DurationNs kStays = -1;
    static constexpr DurationNs kGone = -2;
    std::vector<DurationNs> lengths;  ///< by ReplayModel::events: the new one of the first of a row, or one of these
    std::vector<HostChange> host;     ///< the calls of the others
    std::size_t gone = 0;
};

FusedRows fuse(const ReplayModel& model, const std::vector<bool>& chosen) {
    const std::vector<ReplayEvent>& events = model.events;
    FusedRows fused{std::vector<DurationNs>(events.size(), FusedRows::kStays), {}, 0};
    std::vector<std::uint32_t> first(model.streams, ReplayEvent::kNone);  // of the row in a stream
    for (std::uint32_t i = 0; i < events.size(); ++i) {
        std::uint32_t& row = first[events[i].stream];
        if (!chosen[i]) {
            row = ReplayEvent::kNone;
        } else if (row == ReplayEvent::kNone || events[row].slot != events[i].slot) {
            row = i;
        } else {
            fused.lengths[row] = std::max({fused.lengths[row], events[row].span.length(), events[i].span.length()});
            fused.lengths[i] = FusedRows::kGone;
            ++fused.gone;
        }
    }
    return fused;
}

/// The host time for launching kernels that are gone: the outermost operator that launches nothing else, or the call.
std::vector<HostChange> callsOfGone(const RankContext& work, const std::vector<ReplayEvent>& events,
                                    const FusedRows& fused) {
    struct Launches {
        std::size_t gone = 0;
        std::size_t all = 0;
    };
    std::map<SliceRef, Launches> around;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (fused.lengths[i] == FusedRows::kGone) {
            climb(work, launchOf(work, events[i]), [&](SliceRef slice, StringId /*name*/) {
                ++around[slice].gone;
                return true;
            });
        }
    }
    for (const ReplayEvent& event : events) {
        climb(work, launchOf(work, event), [&](SliceRef slice, StringId /*name*/) {
            if (const auto at = around.find(slice); at != around.end()) {
                ++at->second.all;
            }
            return true;
        });
    }
    std::vector<HostChange> calls;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (const SliceRef launch = launchOf(work, events[i]); fused.lengths[i] == FusedRows::kGone && launch.valid()) {
            SliceRef outermost = launch;
            climb(work, launch, [&](SliceRef slice, StringId /*name*/) {
                const Launches& launches = around.at(slice);
                outermost = launches.gone == launches.all ? slice : outermost;
                return launches.gone == launches.all;
            });
            calls.push_back({work.trace->span(outermost), 0});
        }
    }
    return calls;
}

}  // namespace

Result<WhatIfEffect> fusedKernels(const RuleContext& context, const WhatIfValues& values) {
    const Result<ChosenWork> chosen = kernelsThatMatch(context, values.name);
    if (!chosen.ok()) {
        return chosen.error();
    }
    const auto& ranks = context.pricer.model().ranks;
    const auto fused = std::make_shared<std::vector<FusedRows>>();
    std::size_t gone = 0;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        fused->push_back(fuse(ranks[r], chosen.value()[r]));
        fused->back().host = callsOfGone(context.work[r], ranks[r].events, fused->back());
        gone += fused->back().gone;
    }
    if (gone == 0) {
        return cannotTell("No two kernels in a row match \"" + values.name + "\".");
    }
    WhatIfEffect effect;
    effect.length = [&ranks, fused](RankPosition rank, const ReplayEvent& event, DurationNs length_ns) {
        const DurationNs new_ns = (*fused)[rank].lengths[static_cast<std::size_t>(&event - ranks[rank].events.data())];
        const DurationNs own_ns = std::max<DurationNs>(1, event.span.length());
        return new_ns < 0 ? length_ns
                          : scaledLength(length_ns, static_cast<double>(new_ns) / static_cast<double>(own_ns));
    };
    effect.replay.of_rank = [&ranks, fused](RankPosition rank) {
        const auto is_gone = [&events = ranks[rank].events, fused, rank](const ReplayEvent& event) {
            return (*fused)[rank].lengths[static_cast<std::size_t>(&event - events.data())] == FusedRows::kGone;
        };
        return ReplayChange{.removed = is_gone, .host = (*fused)[rank].host};
    };
    effect.at_most = true;
    return effect;
}

}  // namespace rankscope
