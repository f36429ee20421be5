// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/area_groups.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/analysis/calls/call_tree.h"
#include "core/analysis/collectives/collective_index.h"
#include "core/base/interval_set.h"
#include "core/base/string_pool.h"
#include "core/trace/step_numbers.h"

namespace rankscope {
namespace {

constexpr SliceIndex kSlicesBetweenStops = 65'536;

bool holdsAnyCase(std::string_view text, std::string_view part) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return !std::ranges::search(text, part, {}, lower, lower).empty() || part.empty();
}

/// The keys of the slices of one rank.
class RankKeys {
  public:
    RankKeys(const Run& run, const RunFacts& facts, const CollectiveIndex& collectives, RankPosition rank,
             StringPool& texts)
        : trace_(*run.ranks[rank]),
          facts_(facts),
          own_(rank < facts.ranks.size() ? &facts.ranks[rank] : nullptr),
          collectives_(collectives),
          rank_(rank),
          label_(rankLabel(trace_, rank)),
          texts_(texts),
          names_(trace_.strings.size()) {}

    StringId keyOf(AreaKey key, SliceRef slice) {
        switch (key) {
            case AreaKey::Name: return nameKey(trace_.track(slice).slices.name[slice.slice]);
            case AreaKey::Class: return texts_.intern(classOf(slice));
            case AreaKey::Operator:
                return aroundKey(slice, "(no operator)", [](Category category, std::string_view /*name*/) {
                    return category == Category::CpuOp;
                });
            case AreaKey::Module:
                return aroundKey(slice, "(no module)", [](Category category, std::string_view name) {
                    return isCall(CallSource::Modules, category, name);
                });
            case AreaKey::Track: return texts_.intern(trace_.track(slice).name);
            case AreaKey::Rank: return texts_.intern(label_);
            case AreaKey::Step: return stepKey(slice);
            case AreaKey::Group: return groupKey(slice);
        }
        return texts_.intern("");
    }

    [[nodiscard]] std::string_view classOf(SliceRef slice) const {
        const std::uint32_t track = slice.track.value;
        const bool known =
            own_ != nullptr && track < own_->work_classes.size() && slice.slice < own_->work_classes[track].size();
        return areaClassOf(trace_.category(slice), known ? own_->work_classes[track][slice.slice] : WorkClass::None);
    }

  private:
    StringId nameKey(StringId id) {
        if (!id.valid()) {
            return texts_.intern("");
        }
        StringId& name = names_[id.value];
        if (!name.valid()) {
            name = texts_.intern(nameOverSteps(trace_.strings.view(id)));
        }
        return name;
    }

    StringId aroundKey(SliceRef slice, std::string_view none, bool (*wanted)(Category, std::string_view)) {
        const bool device = isDeviceWork(trace_.category(slice));
        const SliceRef from = device ? trace_.launches.launchOf(slice) : slice;
        if (from.valid()) {
            const SliceTable& slices = trace_.track(from).slices;
            for (SliceIndex i = from.slice; i != kNoSlice; i = slices.parent[i]) {
                if (wanted(slices.category[i], trace_.strings.view(slices.name[i]))) {
                    return nameKey(slices.name[i]);
                }
            }
        }
        return texts_.intern(none);
    }

    StringId stepKey(SliceRef slice) {
        const TimeNs at_ns = trace_.span(slice).start_ns;
        const bool device = isDeviceWork(trace_.category(slice));
        if (own_ != nullptr) {
            for (const RankStep& step : own_->steps) {
                const TimeSpan span = device || step.host.empty() ? step.span : step.host;
                if (at_ns >= span.start_ns && at_ns < span.end_ns) {
                    return texts_.intern("step " + std::to_string(step.index));
                }
            }
        }
        return texts_.intern("(in no step)");
    }

    StringId groupKey(SliceRef slice) {
        const auto collective = collectives_.of(rank_, slice);
        if (!collective) {
            return texts_.intern("(no collective)");
        }
        const CollectiveGroup& group = facts_.collectives.groups[facts_.collectives.collectives[*collective].group];
        const std::string& named = group.description.empty() ? group.name : group.description;
        return texts_.intern(named.empty() ? std::string_view("(no name)") : std::string_view(named));
    }

    const RankTrace& trace_;
    const RunFacts& facts_;
    const RankFacts* own_;
    const CollectiveIndex& collectives_;
    RankPosition rank_;
    std::string label_;
    StringPool& texts_;
    std::vector<StringId> names_;  // in texts_, by StringId of the trace
};

/// Sums the tracks of one rank after another.
class AreaGrouper {
  public:
    AreaGrouper(const Run& run, const RunFacts& facts, const AreaQuery& query)
        : run_(run), facts_(facts), query_(query) {
        if (query.by == AreaKey::Group || query.then_by == AreaKey::Group) {
            collectives_ = CollectiveIndex(facts.collectives);
        }
    }

    void beginRank(RankPosition rank) { keys_.emplace(run_, facts_, collectives_, rank, texts_); }

    /// False if stopped.
    [[nodiscard]] bool addTrack(const RankTrace& trace, TrackId id, const TimeSpan& window,
                                const std::stop_token& stop) {
        const SliceTable& slices = trace.tracks[id.value].slices;
        const auto end = std::ranges::lower_bound(slices.start_ns, window.end_ns);
        const auto last = static_cast<SliceIndex>(end - slices.start_ns.begin());
        std::vector<UnionLength> inside(last);  // for each slice: the time that the slices directly inside it cover
        for (SliceIndex i = 0; i < last; ++i) {
            if (slices.end_ns[i] > window.start_ns && slices.parent[i] != kNoSlice) {
                // With rounded times a slice can extend beyond the one that contains it.
                inside[slices.parent[i]].add(
                    intersect(intersect(slices.span(i), slices.span(slices.parent[i])), window));
            }
        }
        for (SliceIndex i = 0; i < last; ++i) {
            if (i % kSlicesBetweenStops == 0 && stop.stop_requested()) {
                return false;
            }
            if (slices.end_ns[i] > window.start_ns && isWanted(trace, {id, i})) {
                const DurationNs part_ns = intersect(slices.span(i), window).length();
                AreaGroup& group = groupOf({id, i});
                ++group.count;
                group.total_ns += part_ns;
                group.self_ns += part_ns - inside[i].length();
            }
        }
        return true;
    }

    [[nodiscard]] AreaGroups finish() {
        AreaGroups out;
        for (auto& [keys, group] : groups_) {
            group.key = texts_.view(keys.first);
            group.then_key = query_.then_by ? std::string(texts_.view(keys.second)) : std::string();
            out.self_ns += group.self_ns;
            out.groups.push_back(std::move(group));
        }
        std::ranges::sort(out.groups, [](const AreaGroup& a, const AreaGroup& b) {
            return std::tie(b.total_ns, a.key, a.then_key) < std::tie(a.total_ns, b.key, b.then_key);
        });
        return out;
    }

  private:
    [[nodiscard]] bool isWanted(const RankTrace& trace, SliceRef slice) const {
        return (query_.of_class.empty() || keys_->classOf(slice) == query_.of_class) &&
               (query_.with_text.empty() || holdsAnyCase(trace.name(slice), query_.with_text));
    }

    AreaGroup& groupOf(SliceRef slice) {
        const StringId key = keys_->keyOf(query_.by, slice);
        return groups_[{key, query_.then_by ? keys_->keyOf(*query_.then_by, slice) : StringId()}];
    }

    const Run& run_;
    const RunFacts& facts_;
    const AreaQuery& query_;
    CollectiveIndex collectives_;
    StringPool texts_;
    std::optional<RankKeys> keys_;
    std::map<std::pair<StringId, StringId>, AreaGroup> groups_;
};

}  // namespace

std::string_view areaKeyTitle(AreaKey key) {
    switch (key) {
        case AreaKey::Name: return "Name";
        case AreaKey::Class: return "Class";
        case AreaKey::Operator: return "Operator";
        case AreaKey::Module: return "Module";
        case AreaKey::Track: return "Stream or thread";
        case AreaKey::Rank: return "Rank";
        case AreaKey::Step: return "Step";
        case AreaKey::Group: return "Process group";
    }
    return "";
}

std::string_view areaClassOf(Category category, WorkClass work) {
    return work == WorkClass::None ? categoryName(category) : workClassName(work);
}

Result<AreaGroups> groupArea(const Run& run, const RunFacts& facts, const RunClock& clock, const Area& area,
                             const AreaQuery& query, const std::stop_token& stop) {
    AreaGrouper grouper(run, facts, query);
    std::optional<RankPosition> rank;
    for (const Area::Location& place : area.tracks) {
        if (rank != place.rank) {
            rank = place.rank;
            grouper.beginRank(place.rank);
        }
        const TimeSpan window = clock.ranks[place.rank].toFile(RunSpan(area.span));
        if (!grouper.addTrack(*run.ranks[place.rank], place.track, window, stop)) {
            return Cancelled{};
        }
    }
    return grouper.finish();
}

}  // namespace rankscope
