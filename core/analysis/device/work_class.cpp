// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/device/work_class.h"

#include "core/analysis/gaps/host_names.h"

namespace rankscope {
namespace {

/// The rule for each name, looked up once.
class RuleCache {
  public:
    RuleCache(const RankTrace& rank, const NameRules& rules)
        : rank_(rank), rules_(rules), known_(rank.strings.size(), Answer::Unasked) {}

    bool isCommunication(StringId name) {
        if (!name.valid()) {
            return false;
        }
        Answer& answer = known_[name.value];
        if (answer == Answer::Unasked) {
            answer = rules_.isCommunication(rank_.strings.view(name)) ? Answer::Yes : Answer::No;
        }
        return answer == Answer::Yes;
    }

  private:
    enum class Answer : std::uint8_t { Unasked, Yes, No };
    const RankTrace& rank_;
    const NameRules& rules_;
    std::vector<Answer> known_;
};

/// Whether the innermost operator or range around a launch call belongs to a collective. Only the innermost: c10d
/// operators also launch copies and scalings of their own, through aten operators.
bool launchedByCollective(const RankTrace& rank, const HostNames& names, SliceRef host) {
    const SliceTable& slices = rank.track(host).slices;
    SliceIndex at = slices.parent[host.slice];
    while (at != kNoSlice && isLaunchCall(slices.category[at])) {
        at = slices.parent[at];
    }
    return at != kNoSlice && slices.name[at].valid() && names.communicates(slices.name[at]);
}

std::vector<WorkClass> classesOfTrack(const Track& track, RuleCache& cache) {
    std::vector<WorkClass> classes(track.slices.size(), WorkClass::None);
    for (std::size_t i = 0; i < classes.size(); ++i) {
        switch (track.slices.category[i]) {
            case Category::Memcpy: classes[i] = WorkClass::Copy; break;
            case Category::Memset: classes[i] = WorkClass::Compute; break;
            case Category::Kernel:
                classes[i] =
                    cache.isCommunication(track.slices.name[i]) ? WorkClass::Communication : WorkClass::Compute;
                break;
            default: break;
        }
    }
    for (std::size_t i = 0; i < track.collectives.size(); ++i) {
        const SliceIndex slice = track.collectives.slice[i];
        if (track.slices.category[slice] == Category::Kernel && track.collectives.value[i].name.valid()) {
            classes[slice] = WorkClass::Communication;
        }
    }
    return classes;
}

}  // namespace

std::string_view workClassName(WorkClass c) {
    switch (c) {
        case WorkClass::None: return "none";
        case WorkClass::Compute: return "compute";
        case WorkClass::Communication: return "communication";
        case WorkClass::Copy: return "copy";
    }
    return "none";
}

WorkClasses classifyWork(const RankTrace& rank, const HostNames& names, const NameRules& rules) {
    WorkClasses classes(rank.tracks.size());
    RuleCache cache(rank, rules);
    for (std::size_t t = 0; t < rank.tracks.size(); ++t) {
        if (rank.tracks[t].kind == TrackKind::Stream) {
            classes[t] = classesOfTrack(rank.tracks[t], cache);
        }
    }
    for (const Launch& launch : rank.launches.all()) {
        std::vector<WorkClass>& of_track = classes[launch.device.track.value];
        if (launch.device.slice < of_track.size() && rank.category(launch.device) == Category::Kernel &&
            of_track[launch.device.slice] == WorkClass::Compute && launchedByCollective(rank, names, launch.host)) {
            of_track[launch.device.slice] = WorkClass::Communication;
        }
    }
    return classes;
}

}  // namespace rankscope
