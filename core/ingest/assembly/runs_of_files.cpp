// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/runs_of_files.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/ingest/assembly/further_windows.h"
#include "core/ingest/load.h"

namespace rankscope {
namespace {

bool overlap(const TimeSpan& a, const TimeSpan& b) {
    return a.start_ns < b.end_ns && b.start_ns < a.end_ns;
}

/// The windows of one rank, and the steps of all of them.
struct OfRank {
    std::vector<const RankTrace*> windows;
    std::set<std::int64_t> steps;
};

/// A trace, and its steps.
struct WithSteps {
    const RankTrace* trace = nullptr;
    std::set<std::int64_t> steps;
};

/// A run while it is being assembled.
struct Growing {
    std::vector<std::size_t> files;
    std::map<RankNumber, OfRank> by_rank;
    std::vector<const RankTrace*> traces;
    std::optional<std::int32_t> world_size;
    std::vector<WithSteps> known;  ///< its first trace, and all without a rank
    std::string what;              ///< as FilesOfRun
    std::string why;
};

/// What shows that a trace belongs to another run; empty if nothing does.
struct Contradiction {
    const RankTrace* trace = nullptr;
    std::string why;
    [[nodiscard]] bool empty() const { return why.empty(); }
};

bool isNumbered(const RanksInFile& file) {
    return std::ranges::any_of(file, [](const auto& trace) { return trace->rank.has_value(); });
}

std::string ranksText(std::int32_t count) {
    return std::to_string(count) + (count == 1 ? " rank" : " ranks");
}

std::string sameRankText(const RankTrace& trace, const RankTrace& known, std::string_view why) {
    return "has the same rank " + std::to_string(trace.rank->value) + " as " + nameOf(known) + ", " + std::string(why);
}

/// What shows that a trace is not a further window of its rank; empty if nothing does.
std::string contradiction(const OfRank& rank, const RankTrace& trace) {
    for (const RankTrace* const known : rank.windows) {
        const bool first = known->window.start_ns <= trace.window.start_ns;
        const std::string_view why = first ? whyNotAfter(*known, trace) : whyNotAfter(trace, *known);
        if (!why.empty()) {
            return sameRankText(trace, *known, why);
        }
    }
    const std::set<std::int64_t> own = stepNumbers(trace);
    if (!repeatSteps(own, rank.steps)) {
        return {};
    }
    const auto with_same = std::ranges::find_if(
        rank.windows, [&](const RankTrace* known) { return repeatSteps(own, stepNumbers(*known)); });
    return sameRankText(trace, **with_same, kSameSteps);
}

/// What shows that `file` does not belong to `run`.
Contradiction contradiction(const Growing& run, const RanksInFile& file) {
    for (const auto& trace : file) {
        if (trace->world_size && run.world_size && *trace->world_size != *run.world_size) {
            return {trace.get(), "is of a job of " + ranksText(*trace->world_size) + ", " +
                                     nameOf(*run.traces.front()) + " of a job of " + ranksText(*run.world_size)};
        }
        const auto same = trace->rank ? run.by_rank.find(*trace->rank) : run.by_rank.end();
        if (same == run.by_rank.end()) {
            continue;
        }
        if (std::string why = contradiction(same->second, *trace); !why.empty()) {
            return {trace.get(), std::move(why)};
        }
    }
    return {};
}

bool onOtherHosts(const RankTrace& a, const RankTrace& b) {
    return !a.host.empty() && !b.host.empty() && a.host != b.host;
}

/// Whether one process has written both, as far as hosts and processes show: one rank, or a file and its copy.
bool isCopy(const RankTrace& a, const RankTrace& b) {
    return !onOtherHosts(a, b) && sameProcess(a, b);
}

/// A process group of both that has different members in each, although one of the two ranks is a member: two jobs.
/// Groups of one name without common ranks are no contradiction, since each rank lists its own.
const ProcessGroup* contradictingGroup(const RankTrace& a, const RankTrace& b) {
    const auto contains = [](const ProcessGroup& group, const RankTrace& trace) {
        return trace.rank && std::ranges::find(group.ranks, *trace.rank) != group.ranks.end();
    };
    for (const ProcessGroup& of_a : a.groups) {
        const auto of_b = std::ranges::find_if(b.groups, [&of_a](const ProcessGroup& group) {
            return group.name == of_a.name && group.description == of_a.description;
        });
        const bool differ =
            of_b != b.groups.end() && !of_a.ranks.empty() && !of_b->ranks.empty() && of_a.ranks != of_b->ranks;
        if (differ && (contains(of_a, b) || contains(*of_b, a))) {
            return &of_a;
        }
    }
    return nullptr;
}

bool overlaps(const Growing& run, const RanksInFile& file) {
    return std::ranges::any_of(file, [&](const auto& trace) {
        return std::ranges::any_of(run.traces,
                                   [&](const RankTrace* known) { return overlap(known->window, trace->window); });
    });
}

/// Ranks of one job record the same steps, except for some at the ends: half of all numbers or more are in both.
bool shareSteps(const std::set<std::int64_t>& a, const std::set<std::int64_t>& b) {
    const auto shared = std::ranges::count_if(a, [&](std::int64_t number) { return b.contains(number); });
    return shared > 0 && 2 * static_cast<std::size_t>(shared) >= std::max(a.size(), b.size());
}

/// Clocks of hosts differ by no more: the time service gives up beyond this (the panic threshold of ntpd).
constexpr DurationNs kClocksApart = DurationNs{1000} * 1'000'000'000;

/// Whether traces of two hosts, whose clocks may differ, have the same steps at times that these clocks allow.
bool sameStepsElsewhere(const RankTrace& a, const RankTrace& b) {
    const bool near =
        a.window.start_ns - b.window.end_ns <= kClocksApart && b.window.start_ns - a.window.end_ns <= kClocksApart;
    return onOtherHosts(a, b) && near && shareSteps(stepNumbers(a), stepNumbers(b));
}

/// What shows that `file` does not complete `run`, which is in other folders. A rank in both was recorded twice: before
/// and after, or one iteration and the next.
Contradiction contradictionOfFolders(const Growing& run, const RanksInFile& file) {
    if (Contradiction against = contradiction(run, file); !against.empty()) {
        return against;
    }
    const RankTrace& known = *run.traces.front();
    for (const auto& trace : file) {
        const auto same = trace->rank ? run.by_rank.find(*trace->rank) : run.by_rank.end();
        if (same != run.by_rank.end()) {
            return {trace.get(), sameRankText(*trace, *same->second.windows.front(), "in another folder")};
        }
        if (const ProcessGroup* const group = contradictingGroup(known, *trace)) {
            return {trace.get(), "has other ranks in group " + group->name + " than " + nameOf(known)};
        }
    }
    const bool together = overlaps(run, file) || std::ranges::any_of(file, [&run](const auto& trace) {
                              return std::ranges::any_of(run.traces, [&trace](const RankTrace* other) {
                                  return sameStepsElsewhere(*other, *trace);
                              });
                          });
    return together ? Contradiction()
                    : Contradiction{file.front().get(), "was recorded at another time than " + nameOf(known)};
}

/// Files that go into the same run.
struct Unit {
    std::vector<std::size_t> files;  ///< ascending
    RanksInFile ranks;
    std::string what = {};  ///< as FilesOfRun
    std::string why = {};
};

/// Adds the files of unit `of`, in their order.
void add(Growing& run, const Unit& of) {
    run.files.insert(run.files.end(), of.files.begin(), of.files.end());
    for (const auto& trace : of.ranks) {
        if (run.traces.empty() || !trace->rank) {
            run.known.push_back({trace.get(), stepNumbers(*trace)});
        }
        run.traces.push_back(trace.get());
        if (trace->rank) {
            OfRank& rank = run.by_rank[*trace->rank];
            rank.windows.push_back(trace.get());
            rank.steps.merge(stepNumbers(*trace));
        }
        run.world_size = run.world_size ? run.world_size : trace->world_size;
    }
}

/// The run that a file with a rank's number belongs to: one without a contradiction, preferably recorded at the same
/// time. If there is none, `why` is the contradiction with the first.
Growing* runOf(std::vector<Growing>& runs, const RanksInFile& file, Contradiction& why) {
    Growing* fitting = nullptr;
    for (Growing& run : runs) {
        const Contradiction against = contradiction(run, file);
        if (against.empty() && (runs.size() == 1 || overlaps(run, file))) {
            return &run;
        }
        fitting = against.empty() && fitting == nullptr ? &run : fitting;
        why = why.empty() ? against : why;
    }
    return fitting;
}

/// The run that ranks of another folder complete. If there is none, `why` is the contradiction with the first.
Growing* runCompletedBy(std::vector<Growing>& runs, const RanksInFile& file, Contradiction& why) {
    for (Growing& run : runs) {
        const Contradiction against = contradictionOfFolders(run, file);
        if (against.empty()) {
            return &run;
        }
        why = why.empty() ? against : why;
    }
    return nullptr;
}

/// Whether it is unknown if a file belongs to a run: neither has numbers, they were recorded at the same time in two
/// processes, and steps show nothing.
bool isUnclear(const Growing& run, const RanksInFile& file, const std::set<std::int64_t>& steps) {
    return run.by_rank.empty() && (run.known.front().steps.empty() || steps.empty()) && overlaps(run, file) &&
           std::ranges::none_of(run.traces, [&file](const RankTrace* trace) { return isCopy(*trace, *file.front()); });
}

/// Whether a trace without a rank is a further window of a process in `run`: after, or before, each window of that
/// process, with other steps.
bool continues(const Growing& run, const RankTrace& trace) {
    std::optional<std::set<std::int64_t>> own;
    for (const WithSteps& known : run.known) {
        if (!provenSameProcess(*known.trace, trace)) {
            continue;
        }
        own = own ? own : stepNumbers(trace);
        if (overlap(known.trace->window, trace.window) || repeatSteps(known.steps, *own)) {
            return false;
        }
    }
    return own.has_value();
}

/// The steps of each trace of a file.
std::vector<std::set<std::int64_t>> stepsOfEach(const RanksInFile& file) {
    std::vector<std::set<std::int64_t>> steps;
    std::ranges::transform(file, std::back_inserter(steps), [](const auto& trace) { return stepNumbers(*trace); });
    return steps;
}

/// Whether one of the traces has half of the steps of a window of the run, or more.
bool sharesSteps(const Growing& run, const std::vector<std::set<std::int64_t>>& steps) {
    return std::ranges::any_of(run.known, [&](const WithSteps& known) {
        return std::ranges::any_of(steps, [&](const auto& own) { return shareSteps(known.steps, own); });
    });
}

/// The run whose processes a file without ranks continues.
Growing* runContinuedBy(std::vector<Growing>& runs, const RanksInFile& file, Contradiction& /*why*/) {
    const auto further = std::ranges::find_if(runs, [&file](const Growing& run) {
        return std::ranges::all_of(file, [&run](const auto& trace) { return continues(run, *trace); });
    });
    return further == runs.end() ? nullptr : &*further;
}

/// Files with ranks are joined by their ranks, whatever process they are from.
Growing* noRun(std::vector<Growing>& /*runs*/, const RanksInFile& /*file*/, Contradiction& /*why*/) {
    return nullptr;
}

/// The run of a file without a rank number.
Growing* runByStepsOf(std::vector<Growing>& runs, const RanksInFile& file, Contradiction& why) {
    const std::vector<std::set<std::int64_t>> steps = stepsOfEach(file);
    for (Growing& run : runs) {
        if (sharesSteps(run, steps) && overlaps(run, file) && contradiction(run, file).empty()) {
            return &run;
        }
    }
    if (!runs.empty()) {
        const auto open =
            std::ranges::find_if(runs, [&](const Growing& run) { return isUnclear(run, file, steps.front()); });
        why = {file.front().get(), open == runs.end() ? "names no rank, and shares no steps in time with " +
                                                            nameOf(*runs.front().traces.front())
                                                      : std::string(kMayBeOneRun) + nameOf(*open->traces.front()) +
                                                            ": neither numbers its ranks, and not both have steps"};
    }
    return nullptr;
}

/// The same in another folder, where a process in both is one rank, and its files are copies.
Growing* runByStepsOfOthers(std::vector<Growing>& runs, const RanksInFile& file, Contradiction& why) {
    Growing* const run = runByStepsOf(runs, file, why);
    const auto is_same = [&file](const RankTrace* trace) { return isCopy(*trace, *file.front()); };
    if (run == nullptr || std::ranges::none_of(run->traces, is_same)) {
        return run;
    }
    why = {file.front().get(), "names no rank, and is from the same process as " + nameOf(*run->traces.front())};
    return nullptr;
}

/// How files find their run: those with a rank number, and the others.
struct JoinRule {
    using Find = Growing* (*)(std::vector<Growing>&, const RanksInFile&, Contradiction&);
    Find numbered;
    Find nameless;
};
constexpr JoinRule kWindowsOfProcess{noRun, runContinuedBy};
constexpr JoinRule kNamedTogether{runOf, runByStepsOf};
constexpr JoinRule kFoundInFolders{runCompletedBy, runByStepsOfOthers};

/// Joins units that belong to one run into larger units.
std::vector<Unit> joinUnits(const std::vector<FoundFile>& files, const std::vector<Unit>& units, const JoinRule& rule) {
    std::vector<std::size_t> numbered;
    std::vector<std::size_t> nameless;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (!units[i].ranks.empty()) {
            (isNumbered(units[i].ranks) ? numbered : nameless).push_back(i);
        }
    }
    std::vector<Growing> runs;
    const auto place = [&](const std::vector<std::size_t>& places, JoinRule::Find find) {
        for (const std::size_t i : places) {
            Contradiction why;
            Growing* run = find(runs, units[i].ranks, why);
            if (run == nullptr) {
                run = &runs.emplace_back();
                run->what = why.trace == nullptr ? std::string() : nameOf(*why.trace);
                run->why = std::move(why.why);
            }
            add(*run, units[i]);
        }
    };
    place(numbered, rule.numbered);
    place(nameless, rule.nameless);
    std::vector<Unit> joined;
    for (Growing& run : runs) {
        Unit& unit = joined.emplace_back();
        std::ranges::sort(run.files);
        for (const std::size_t i : run.files) {
            unit.ranks.insert(unit.ranks.end(), files[i].ranks.begin(), files[i].ranks.end());
        }
        unit.files = std::move(run.files);
        unit.what = std::move(run.what);
        unit.why = std::move(run.why);
    }
    return joined;
}

/// Joins the units that have a place in common. `inner` are the places that were joined before: what was separated in
/// one of these stays separate.
template <class Place, class Inner>
std::vector<Unit> joinAtPlaces(const std::vector<FoundFile>& files, std::vector<Unit> units, const Place& place,
                               const Inner& inner, const JoinRule& rule) {
    std::map<std::string, std::vector<Unit>> by_place;
    std::map<std::string, std::set<std::string>> inner_of;
    std::vector<std::string> order;
    for (Unit& unit : units) {
        const FoundFile& first = files[unit.files.front()];
        std::vector<Unit>& here = by_place[place(first)];
        if (here.empty()) {
            order.push_back(place(first));
        }
        inner_of[place(first)].insert(inner(first));
        here.push_back(std::move(unit));
    }
    std::vector<Unit> out;
    for (const std::string& name : order) {
        std::vector<Unit>& here = by_place[name];
        std::ranges::move(inner_of[name].size() == 1 ? std::move(here) : joinUnits(files, here, rule),
                          std::back_inserter(out));
    }
    return out;
}

}  // namespace

std::string nameOf(const RankTrace& trace) {
    const TraceFile& file = trace.files.front();
    return file.member.empty() ? file.path : file.path + ":" + file.member;
}

std::vector<FilesOfRun> tellRunsApart(const std::vector<FoundFile>& files, bool are_typed) {
    std::vector<Unit> runs;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!files[i].ranks.empty()) {
            runs.push_back({{i}, files[i].ranks});
        }
    }
    const auto of_file = [&files](const FoundFile& file) { return std::to_string(&file - files.data()); };
    const auto of_folder = [](const FoundFile& file) { return file.found_in + '\0' + file.folder; };
    const auto of_source = [](const FoundFile& file) { return file.found_in; };
    const auto join_named = [&](const auto& place, const auto& inner) {
        // Windows first: the steps of two processes are compared in all of their windows.
        for (const JoinRule& rule : {kWindowsOfProcess, kNamedTogether}) {
            runs = joinAtPlaces(files, std::move(runs), place, inner, rule);
        }
    };
    join_named(of_folder, of_file);
    join_named(of_source, of_folder);
    const auto of_all = [](const FoundFile& /*file*/) { return std::string(); };
    if (are_typed) {
        join_named(of_all, of_source);
    } else {  // nearer folders first: two jobs that ran at the same time have one each
        const auto of_parent = [](const FoundFile& file) { return file.found_in.substr(0, file.found_in.rfind('/')); };
        runs = joinAtPlaces(files, std::move(runs), of_parent, of_source, kFoundInFolders);
        runs = joinAtPlaces(files, std::move(runs), of_all, of_parent, kFoundInFolders);
    }
    std::ranges::stable_sort(runs, {}, [](const Unit& run) { return run.files.front(); });
    if (are_typed) {
        std::ranges::stable_sort(runs, {}, [&files](const Unit& run) {
            const auto typed = [&files](std::size_t i) { return files[i].typed; };
            return typed(std::ranges::min(run.files, {}, typed));
        });
    } else if (!runs.empty()) {
        const auto most = std::ranges::max_element(runs, {}, [](const Unit& run) { return run.ranks.size(); });
        std::rotate(runs.begin(), most, most + 1);
    }
    std::vector<FilesOfRun> out;
    for (Unit& run : runs) {
        out.push_back({std::move(run.files), std::move(run.what), std::move(run.why)});
    }
    return out;
}

}  // namespace rankscope
