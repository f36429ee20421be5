// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/step_content.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/analysis/steps/phase_marks.h"
#include "core/analysis/steps/step_bounds.h"
#include "core/trace/copied_bytes.h"

namespace rankscope {
namespace {

IntervalSet profilersOwn(const RankTrace& rank) {
    std::vector<TimeSpan> spans;
    for (const Track& track : rank.tracks) {
        for (SliceIndex i = 0; i < track.slices.size() && track.kind == TrackKind::Other; ++i) {
            if (track.slices.category[i] == Category::Overhead) {
                spans.push_back(track.slices.span(i));
            }
        }
    }
    return IntervalSet::unionOf(std::move(spans));
}

/// Adds what was launched in each step, and in the gap before it.
void addLaunched(const RankContext& work, std::vector<StepContent>& steps) {
    const PhaseMarks marks = findPhaseMarks(work);
    std::vector<std::size_t> hints(marks.ranges.size(), 0);
    for (const DeviceEvent& event : work.device.events) {
        const StepOrGap slot = slotOf(work.marks.marks, event.launched_ns);
        const RankStepPosition step = slot.stepOrNext();
        // Work launched before the first step belongs to none: the window may begin anywhere.
        if (step >= steps.size() || (step == 0 && !slot.isInside()) || !event.launch.valid()) {
            continue;
        }
        StepContent& content = steps[step];
        if (event.work == WorkClass::Copy) {
            const StringId name = work.trace->track(event.ref).slices.name[event.ref.slice];
            content.bytes_to_host +=
                work.names.copiesToHost(name) ? copiedBytes(*work.trace, event.ref).value_or(0) : 0;
        } else if (event.work == WorkClass::Compute) {
            const std::uint32_t track = event.launch.track.value;
            const Phase phase = phaseAt(marks.ranges[track], event.call.start_ns, hints[track]);
            ++content.kernels;
            content.training_kernels += phase == Phase::Backward || phase == Phase::Optimizer ? 1U : 0U;
            content.optimizer_kernels += phase == Phase::Optimizer ? 1U : 0U;
        }
    }
}

/// A name without its numbers.
std::string withoutNumbers(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (!digit) {
            out += c;
        } else if (out.empty() || out.back() != '#') {
            out += '#';
        }
    }
    return out;
}

/// A number for each name, by StringId of a rank.
class NewsNames {
  public:
    explicit NewsNames(const RankTrace& rank) : rank_(rank), of_name_(2 * rank.strings.size(), kUnknown) {}

    [[nodiscard]] std::size_t keyOf(StringId name, Category category) {
        // A Python function is identified by its line number too.
        const bool whole = category == Category::PythonFunction;
        std::size_t& key = of_name_[2 * name.value + (whole ? 1 : 0)];
        if (key == kUnknown) {
            const std::string_view text = rank_.strings.view(name);
            key = keys_.try_emplace(whole ? std::string(text) : withoutNumbers(text), keys_.size()).first->second;
        }
        return key;
    }

  private:
    static constexpr std::size_t kUnknown = ~std::size_t{0};
    const RankTrace& rank_;
    std::vector<std::size_t> of_name_;
    std::map<std::string, std::size_t, std::less<>> keys_;
};

bool tellsWhat(HostKind kind) {
    return kind == HostKind::Operator || kind == HostKind::Annotation || kind == HostKind::Python;
}

/// Which spans contain an instant; instants must ascend.
class Cursor {
  public:
    explicit Cursor(std::span<const TimeSpan> spans) : spans_(spans) {}
    [[nodiscard]] bool holds(TimeNs at_ns) {
        while (next_ < spans_.size() && spans_[next_].end_ns <= at_ns) {
            ++next_;
        }
        return next_ < spans_.size() && spans_[next_].start_ns <= at_ns;
    }

  private:
    std::span<const TimeSpan> spans_;
    std::size_t next_ = 0;
};

/// Calls visit(ref, key) for the slices that start in `spans`.
template <class Visit>
void forEachNameIn(const RankContext& work, std::span<const TimeSpan> spans, NewsNames& names, const Visit& visit) {
    for (const HostThread& thread : work.threads.all()) {
        if (!thread.track.valid() || !(thread.puts_work || thread.track == work.marks.thread)) {
            continue;
        }
        Cursor cursor(spans);
        const SliceTable& slices = work.trace->tracks[thread.track.value].slices;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            if (slices.name[i].valid() && tellsWhat(work.names.kind(slices.name[i], slices.category[i])) &&
                cursor.holds(slices.start_ns[i])) {
                visit(SliceRef{thread.track, i}, names.keyOf(slices.name[i], slices.category[i]));
            }
        }
    }
}

}  // namespace

DurationNs StepContent::lateHost() const {
    DurationNs ns = between_ns;
    for (const Cause cause : {Cause::HostSync, Cause::BlockingCopy, Cause::Launch, Cause::LaunchLatency,
                              Cause::Operator, Cause::Python, Cause::HostStall, Cause::Unrecorded}) {
        ns += idle[cause];
    }
    return ns;
}

std::vector<StepContent> stepContents(const RuleContext& context, RankPosition rank) {
    const RankContext& work = context.work[rank];
    const RankFacts& facts = context.facts.ranks[rank];
    const IntervalSet profiler = profilersOwn(*work.trace);
    std::vector<StepContent> steps(facts.steps.size());
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const RankStep& step = facts.steps[s];
        StepContent& content = steps[s];
        content.span = {s == 0 ? step.span.start_ns : facts.steps[s - 1].span.end_ns, step.span.end_ns};
        content.host = {s == 0 ? step.host.start_ns : facts.steps[s - 1].host.end_ns, step.host.end_ns};
        content.waiting_ns = step.partition ? step.partition->exposed_wait_ns.value_or(0) : 0;
        content.compute_ns = facts.compute.lengthIn(content.span);
        const TimeSpan between{content.span.start_ns, step.span.start_ns};
        content.between_ns = between.length() - facts.compute.lengthIn(between);
        content.idle = step.idle_causes;
        content.profiler_ns = profiler.lengthIn(content.host);
    }
    addLaunched(work, steps);
    return steps;
}

OnlyThere namesOnlyIn(const RankContext& work, std::span<const TimeSpan> there, std::span<const TimeSpan> elsewhere) {
    NewsNames names(*work.trace);
    std::vector<bool> known;
    forEachNameIn(work, elsewhere, names, [&](SliceRef /*slice*/, std::size_t key) {
        known.resize(std::max(known.size(), key + 1));
        known[key] = true;
    });
    std::unordered_map<std::size_t, OnlyThere::Name> news;
    std::vector<TimeSpan> spans;
    forEachNameIn(work, there, names, [&](SliceRef slice, std::size_t key) {
        if (key < known.size() && known[key]) {
            return;
        }
        const TimeSpan span = work.trace->span(slice);
        OnlyThere::Name& name = news[key];
        name.ns += span.length();
        if (!name.longest.valid() || span.length() > work.trace->span(name.longest).length()) {
            name.longest = slice;
            name.name = work.trace->name(slice);
        }
        spans.push_back(span);
    });
    OnlyThere only;
    for (auto& [key, name] : news) {
        only.names.push_back(std::move(name));
    }
    std::ranges::sort(only.names, [](const OnlyThere::Name& a, const OnlyThere::Name& b) {
        return a.ns != b.ns ? a.ns > b.ns : a.name < b.name;
    });
    only.covered_ns = IntervalSet::unionOf(std::move(spans)).length();
    return only;
}

}  // namespace rankscope
