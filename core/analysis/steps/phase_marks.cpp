// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/phase_marks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string>
#include <utility>

namespace rankscope {
namespace {

/// What a name says of a phase.
enum class Mark : std::uint8_t { Unread, None, Forward, Module, Backward, Optimizer, Data, Communication };

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// "AddmmBackward0", "torch::autograd::AccumulateGrad", and what the engine puts around them.
bool isAutogradNode(std::string_view name) {
    if (name.starts_with("autograd::engine::evaluate_function") || name.starts_with("torch::autograd::")) {
        return true;
    }
    const std::size_t digits = name.find_last_not_of("0123456789");
    return digits != std::string_view::npos && name.substr(0, digits + 1).ends_with("Backward") &&
           name.size() > std::string_view("Backward").size() && !has(name, " ") && !has(name, "::");
}

bool isCollective(const HostNames& names, StringId id, std::string_view name) {
    return names.communicates(id) || name.starts_with("gloo:") || name.starts_with("mpi:") || name.starts_with("ucc:");
}

Mark markOf(Phase phase) {
    switch (phase) {
        case Phase::Forward: return Mark::Forward;
        case Phase::Backward: return Mark::Backward;
        case Phase::Optimizer: return Mark::Optimizer;
        case Phase::Data: return Mark::Data;
        default: return Mark::None;
    }
}

Mark markOfRange(const HostNames& names, StringId id, std::string_view name) {
    if (isAutogradNode(name)) {
        return Mark::Backward;
    }
    if (isCollective(names, id, name)) {
        return Mark::Communication;
    }
    if (name.starts_with("Optimizer.step#") || name.starts_with("Optimizer.zero_grad#")) {
        return Mark::Optimizer;
    }
    if (names.kind(id, Category::UserAnnotation) == HostKind::DataLoader) {
        return Mark::Data;
    }
    const auto phase = phaseOfRange(name);
    return phase ? markOf(*phase) : Mark::None;
}

Mark markOfPython(const HostNames& names, StringId id, std::string_view name) {
    if (name.starts_with("nn.Module: ")) {
        return Mark::Module;
    }
    if (names.kind(id, Category::PythonFunction) == HostKind::DataLoader) {
        return Mark::Data;
    }
    const bool backward =
        name.ends_with("): backward") && (has(name, "torch/_tensor.py(") || has(name, "torch/autograd/__init__.py("));
    return backward ? Mark::Backward : Mark::None;
}

/// What the names of a rank say. Each is read when it is met first: most are never met as what could mark a phase.
class MarkTable {
  public:
    explicit MarkTable(const RankContext& work)
        : work_(work),
          range_(work.trace->strings.size(), Mark::Unread),
          python_(work.trace->strings.size(), Mark::Unread) {}

    [[nodiscard]] Mark of(StringId name, Category category) {
        const bool python = category == Category::PythonFunction;
        const bool telling = python || category == Category::CpuOp || category == Category::UserAnnotation;
        if (!telling || !name.valid()) {
            return Mark::None;
        }
        Mark& mark = (python ? python_ : range_)[name.value];
        if (mark == Mark::Unread) {
            const std::string_view text = work_.trace->strings.view(name);
            mark = python ? markOfPython(work_.names, name, text) : markOfRange(work_.names, name, text);
        }
        return mark;
    }

  private:
    const RankContext& work_;
    std::vector<Mark> range_;   // of operators and named ranges, by name
    std::vector<Mark> python_;  // of Python functions, by name
};

Phase phaseOf(Mark mark) {
    switch (mark) {
        case Mark::Forward:
        case Mark::Module: return Phase::Forward;
        case Mark::Backward: return Phase::Backward;
        case Mark::Optimizer: return Phase::Optimizer;
        case Mark::Data: return Phase::Data;
        default: return Phase::Other;
    }
}

/// Flattens the nested marks of one thread, which come parents first, into ranges that follow one another.
class Flattener {
  public:
    void open(const TimeSpan& span, Mark mark) {
        closeUntil(span.start_ns);
        Phase phase = phaseOf(mark);
        if (!open_.empty()) {
            const Open& outer = open_.back();
            phase = phase == Phase::Forward && outer.phase == Phase::Backward ? Phase::Backward : phase;
            if (phase == outer.phase || mark == Mark::Module) {
                return;
            }
            emit(span.start_ns);
        }
        at_ns_ = span.start_ns;
        const TimeNs end_ns = open_.empty() ? span.end_ns : std::min(span.end_ns, open_.back().end_ns);
        open_.push_back({end_ns, phase});
    }

    [[nodiscard]] std::vector<PhaseRange> finish() {
        closeUntil(std::numeric_limits<TimeNs>::max());
        return std::move(ranges_);
    }

  private:
    struct Open {
        TimeNs end_ns = 0;
        Phase phase = Phase::Other;
    };

    void closeUntil(TimeNs until_ns) {
        while (!open_.empty() && open_.back().end_ns <= until_ns) {
            emit(open_.back().end_ns);
            open_.pop_back();
        }
    }

    /// What was open last holds until `until_ns`.
    void emit(TimeNs until_ns) {
        if (until_ns > at_ns_) {
            ranges_.push_back({{at_ns_, until_ns}, open_.back().phase});
            at_ns_ = until_ns;
        }
    }

    std::vector<Open> open_;
    std::vector<PhaseRange> ranges_;
    TimeNs at_ns_ = 0;
};

/// Whether the thread starts an operator or a named range in `gap`.
bool worksIn(const SliceTable& slices, const TimeSpan& gap) {
    auto i = static_cast<SliceIndex>(std::ranges::lower_bound(slices.start_ns, gap.start_ns) - slices.start_ns.begin());
    for (; i < slices.size() && slices.start_ns[i] < gap.end_ns; ++i) {
        if (slices.category[i] == Category::CpuOp || slices.category[i] == Category::UserAnnotation) {
            return true;
        }
    }
    return false;
}

/// Joins neighbouring stretches of backward: autograd pauses between its nodes while the main thread waits for it.
void joinBackward(const SliceTable& main, std::vector<PhaseRange>& ranges) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        PhaseRange& last = ranges[kept];
        const bool both = last.phase == Phase::Backward && ranges[i].phase == Phase::Backward;
        if (both && !worksIn(main, {last.span.end_ns, ranges[i].span.start_ns})) {
            last.span.end_ns = ranges[i].span.end_ns;
        } else {
            ranges[++kept] = ranges[i];
        }
    }
    ranges.resize(std::min(ranges.size(), kept + 1));
}

/// The words of a name in lower case: "## Load_Batch ##" is load, batch.
std::vector<std::string> wordsOf(std::string_view name) {
    std::vector<std::string> words;
    bool inside = false;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
            inside = false;
            continue;
        }
        if (!inside) {
            words.emplace_back();
        }
        inside = true;
        words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return words;
}

constexpr std::array<std::string_view, 13> kDataRanges = {"data",
                                                          "dataloader",
                                                          "data loader",
                                                          "data loading",
                                                          "dataloading",
                                                          "data load",
                                                          "load data",
                                                          "load batch",
                                                          "next batch",
                                                          "wait for batch",
                                                          "wait for training batch",
                                                          "copy batch to gpu",
                                                          "get batch"};
constexpr std::array<std::string_view, 4> kOptimizerRanges = {"zero grad", "opt step", "optim step", "optimizers step"};

}  // namespace

std::optional<Phase> phaseOfRange(std::string_view name) {
    // Operators of libraries are named like this: "aten::threshold_backward".
    if (has(name, "::")) {
        return {};
    }
    const std::vector<std::string> words = wordsOf(name);
    if (words.empty()) {
        return {};
    }
    const auto starts_or_ends = [&words](std::string_view word, std::string_view shortened) {
        return words.front() == word || words.back() == word || words.front() == shortened || words.back() == shortened;
    };
    if (starts_or_ends("forward", "fwd")) {
        return Phase::Forward;
    }
    if (starts_or_ends("backward", "bwd")) {
        return Phase::Backward;
    }
    std::string spaced;
    for (const std::string& word : words) {
        spaced += (spaced.empty() ? "" : " ") + word;
    }
    if (words.front() == "optimizer" || std::ranges::find(kOptimizerRanges, spaced) != kOptimizerRanges.end()) {
        return Phase::Optimizer;
    }
    return std::ranges::find(kDataRanges, spaced) != kDataRanges.end() ? std::optional(Phase::Data) : std::nullopt;
}

PhaseMarks findPhaseMarks(const RankContext& work) {
    const RankTrace& rank = *work.trace;
    MarkTable table(work);
    const SliceTable none;
    const SliceTable& main = work.marks.thread.valid() ? rank.tracks[work.marks.thread.value].slices : none;
    PhaseMarks marks;
    marks.ranges.resize(rank.tracks.size());
    for (std::size_t t = 0; t < rank.tracks.size(); ++t) {
        if (rank.tracks[t].kind != TrackKind::CpuThread) {
            continue;
        }
        const SliceTable& slices = rank.tracks[t].slices;
        Flattener flattener;
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            const Mark mark = table.of(slices.name[i], slices.category[i]);
            if (mark == Mark::Communication) {
                marks.communication.push_back(slices.span(i));
            } else if (mark != Mark::None) {
                flattener.open(slices.span(i), mark);
            }
        }
        marks.ranges[t] = flattener.finish();
        joinBackward(main, marks.ranges[t]);
    }
    return marks;
}

Phase phaseAt(const std::vector<PhaseRange>& ranges, TimeNs at_ns, std::size_t& hint) {
    const auto before = [&ranges](std::size_t i) { return ranges[i].span.start_ns; };
    const bool near =
        hint < ranges.size() && before(hint) <= at_ns && (hint + 1 == ranges.size() || at_ns < before(hint + 1));
    if (!near) {
        const auto next =
            std::ranges::upper_bound(ranges, at_ns, {}, [](const PhaseRange& r) { return r.span.start_ns; });
        if (next == ranges.begin()) {
            return Phase::Other;
        }
        hint = static_cast<std::size_t>(next - ranges.begin()) - 1;
    }
    return ranges[hint].span.contains(at_ns) ? ranges[hint].phase : Phase::Other;
}

}  // namespace rankscope
