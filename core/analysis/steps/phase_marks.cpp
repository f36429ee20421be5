// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/phase_marks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string>
#include <utility>

#include "core/analysis/steps/shard_hooks.h"
#include "core/trace/rounded_times.h"

namespace rankscope {
namespace {

/// The mark in a name.
enum class Mark : std::uint8_t {
    Unread,
    None,
    Forward,
    Module,
    Backward,
    Optimizer,
    Data,
    Communication,
    RootForward,  ///< hooks of FSDP2, as the two below
    PreForward,
    PostForward
};

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// "AddmmBackward0", "torch::autograd::AccumulateGrad", and the engine's ranges around them.
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

Mark markOf(ShardHook hook) {
    switch (hook) {
        case ShardHook::RootForward: return Mark::RootForward;
        case ShardHook::PreForward: return Mark::PreForward;
        case ShardHook::PostForward: return Mark::PostForward;
        case ShardHook::Backward: return Mark::Backward;
    }
    return Mark::None;
}

/// The hook of divided modules in a forward for a mark; nothing for other marks.
std::optional<ShardHook> hookOfForward(Mark mark) {
    switch (mark) {
        case Mark::RootForward: return ShardHook::RootForward;
        case Mark::PreForward: return ShardHook::PreForward;
        case Mark::PostForward: return ShardHook::PostForward;
        default: return std::nullopt;
    }
}

/// The mark of an operator or a named range.
Mark markOfRange(const HostNames& names, StringId id, std::string_view name, Category category) {
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
    if (category == Category::UserAnnotation) {
        if (const auto hook = shardHookOf(name)) {
            return markOf(*hook);
        }
        if (const auto phase = phaseOfSchedule(name)) {
            return markOf(*phase);
        }
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

/// Whether slices of a category are operators, ranges or Python functions, whose names may show a phase.
bool mayMarkPhases(Category category) {
    return category == Category::CpuOp || category == Category::UserAnnotation || category == Category::PythonFunction;
}

/// The marks of the names of a rank. Each name is read on first use: most are never used as a possible mark.
class MarkTable {
  public:
    explicit MarkTable(const RankContext& work)
        : work_(work),
          operator_(work.trace->strings.size(), Mark::Unread),
          range_(work.trace->strings.size(), Mark::Unread),
          python_(work.trace->strings.size(), Mark::Unread) {}

    [[nodiscard]] Mark of(StringId name, Category category) {
        const bool python = category == Category::PythonFunction;
        if (!mayMarkPhases(category) || !name.valid()) {
            return Mark::None;
        }
        Mark& mark = (python ? python_ : category == Category::CpuOp ? operator_ : range_)[name.value];
        if (mark == Mark::Unread) {
            const std::string_view text = work_.trace->strings.view(name);
            mark = python ? markOfPython(work_.names, name, text) : markOfRange(work_.names, name, text, category);
        }
        return mark;
    }

  private:
    const RankContext& work_;
    std::vector<Mark> operator_;  // by name, as the others
    std::vector<Mark> range_;     // marks of named ranges
    std::vector<Mark> python_;    // marks of Python functions
};

Phase phaseOf(Mark mark) {
    switch (mark) {
        case Mark::Forward:
        case Mark::RootForward:
        case Mark::PreForward:
        case Mark::PostForward:
        case Mark::Module: return Phase::Forward;
        case Mark::Backward: return Phase::Backward;
        case Mark::Optimizer: return Phase::Optimizer;
        case Mark::Data: return Phase::Data;
        default: return Phase::Other;
    }
}

/// Flattens the nested marks of one thread, parents first, into consecutive ranges.
class Flattener {
  public:
    /// `slack_ns`: see rounded_times.h.
    explicit Flattener(DurationNs slack_ns) : slack_ns_(slack_ns) {}

    void open(const TimeSpan& span, Mark mark) {
        closeBefore(span);
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

    void closeBefore(const TimeSpan& span) {
        closeUntil(span.start_ns);
        const TimeNs followed_ns = endBefore(span, slack_ns_);
        while (!open_.empty() && open_.back().end_ns <= followed_ns) {
            emit(span.start_ns);
            open_.pop_back();
        }
    }

    /// The last open mark applies until `until_ns`.
    void emit(TimeNs until_ns) {
        if (until_ns > at_ns_) {
            ranges_.push_back({{at_ns_, until_ns}, open_.back().phase});
            at_ns_ = until_ns;
        }
    }

    DurationNs slack_ns_ = 0;
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

constexpr std::array<std::string_view, 15> kDataRanges = {"data",
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
                                                          "get batch",
                                                          "batch generator",
                                                          "batch input"};
constexpr std::array<std::string_view, 6> kOptimizerRanges = {
    "zero grad", "opt step", "optim step", "optimizers step", "step microstep", "deepspeedengine step"};
/// Part of the forward, since its gradient is the backward's first.
constexpr std::array<std::string_view, 9> kLossRanges = {"loss",          "loss fn",        "loss func",
                                                         "loss function", "compute loss",   "loss compute",
                                                         "calc loss",     "calculate loss", "criterion"};
/// Words that may follow in the middle of a name: "train_forward_step".
constexpr std::array<std::string_view, 5> kParts = {"step", "compute", "pass", "microstep", "chunk"};
/// Sends, receives and reductions around a phase: Megatron's "forward-recv", "backward-params-all-reduce".
constexpr std::array<std::string_view, 5> kExchanges = {"send", "recv", "isend", "irecv", "allreduce"};

template <class Words>
bool among(const Words& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

bool exchanges(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (among(kExchanges, words[i]) || (words[i] == "reduce" && i > 0 && words[i - 1] == "all")) {
            return true;
        }
    }
    return false;
}

/// Whether a name contains one of two words: first, last, or before a word for a part of a step.
bool says(const std::vector<std::string>& words, std::string_view word, std::string_view shortened) {
    const auto is_it = [&](const std::string& said) { return said == word || said == shortened; };
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (is_it(words[i]) && (i == 0 || among(kParts, words[i + 1]))) {
            return true;
        }
    }
    return is_it(words.back());
}

bool isOptimizerStep(const std::vector<std::string>& words) {
    return words.size() > 1 && words.back() == "step" && words[words.size() - 2].ends_with("optimizer");
}

/// The phase of a letter of pipeline schedules. I and W are the two halves of a backward: of the input, of the weights.
std::optional<Phase> phaseOfLetter(char letter) {
    switch (letter) {
        case 'F': return Phase::Forward;
        case 'B':
        case 'I':
        case 'W': return Phase::Backward;
        default: return std::nullopt;
    }
}

/// "0F12": stage, letter, micro-batch.
std::optional<Phase> phaseOfAction(std::string_view name) {
    constexpr std::string_view kDigits = "0123456789";
    const std::size_t letter = name.find_first_not_of(kDigits);
    const bool framed = letter != std::string_view::npos && letter > 0 && letter + 1 < name.size() &&
                        name.find_first_not_of(kDigits, letter + 1) == std::string_view::npos;
    return framed ? phaseOfLetter(name[letter]) : std::nullopt;
}

}  // namespace

std::optional<Phase> phaseOfSchedule(std::string_view name) {
    constexpr std::string_view kPipeline = "PP:";
    if (const auto phase = phaseOfAction(name.starts_with(kPipeline) ? name.substr(kPipeline.size()) : name)) {
        return phase;
    }
    if (has(name, "::")) {
        return {};
    }
    std::optional<Phase> found;
    for (std::size_t at = name.find('('); at != std::string_view::npos; at = name.find('(', at + 1)) {
        const bool one_letter = at + 2 < name.size() && name[at + 2] == ')' && name[at + 1] != 'I';
        const auto phase = one_letter ? phaseOfLetter(name[at + 1]) : std::nullopt;
        if (phase && found && *found != *phase) {
            return {};  // a forward of one micro-batch together with a backward of another
        }
        found = phase ? phase : found;
    }
    return found;
}

std::optional<Phase> phaseOfRange(std::string_view name) {
    // Operators of libraries are named like this: "aten::threshold_backward".
    if (has(name, "::")) {
        return {};
    }
    const std::vector<std::string> words = wordsOf(name);
    if (words.empty() || exchanges(words)) {
        return {};
    }
    if (says(words, "forward", "fwd")) {
        return Phase::Forward;
    }
    if (says(words, "backward", "bwd") || says(words, "wgrad", "dgrad")) {
        return Phase::Backward;
    }
    std::string spaced;
    for (const std::string& word : words) {
        spaced += (spaced.empty() ? "" : " ") + word;
    }
    if (spaced.starts_with("weight grad") || spaced.starts_with("weight gradient")) {
        return Phase::Backward;
    }
    if (among(kLossRanges, spaced)) {
        return Phase::Forward;
    }
    if (words.front() == "optimizer" || isOptimizerStep(words) || among(kOptimizerRanges, spaced)) {
        return Phase::Optimizer;
    }
    return among(kDataRanges, spaced) ? std::optional(Phase::Data) : std::nullopt;
}

/// The forwards of divided modules on one thread.
std::vector<HookedForward> hookedForwards(MarkTable& table, const SliceTable& slices) {
    HookedForwards forwards;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        const Mark mark = table.of(slices.name[i], slices.category[i]);
        if (const auto hook = hookOfForward(mark)) {
            forwards.add(*hook, i, slices.name[i], slices.span(i));
        } else if (mark == Mark::Backward || mark == Mark::Optimizer || mark == Mark::Data) {
            forwards.close();
        }
    }
    return forwards.finish();
}

bool hasHooks(const RankTrace& rank) {
    for (std::size_t i = 0; i < rank.strings.size(); ++i) {
        if (shardHookOf(rank.strings.view(StringId(static_cast<std::uint32_t>(i))))) {
            return true;
        }
    }
    return false;
}

PhaseMarks findPhaseMarks(const RankContext& work) {
    const RankTrace& rank = *work.trace;
    MarkTable table(work);
    const SliceTable none;
    const SliceTable& main = work.marks.thread.valid() ? rank.tracks[work.marks.thread.value].slices : none;
    PhaseMarks marks;
    marks.ranges.resize(rank.tracks.size());
    const bool hooked = hasHooks(rank);
    for (std::size_t t = 0; t < rank.tracks.size(); ++t) {
        if (rank.tracks[t].kind != TrackKind::CpuThread) {
            continue;
        }
        const SliceTable& slices = rank.tracks[t].slices;
        Flattener flattener(rank.health.time_slack_ns);
        const std::vector<HookedForward> forwards =
            hooked ? hookedForwards(table, slices) : std::vector<HookedForward>();
        auto forward = forwards.begin();
        for (SliceIndex i = 0; i < slices.size(); ++i) {
            if (forward != forwards.end() && forward->first == i) {
                flattener.open(forward->span, Mark::Forward);
                ++forward;
            }
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

bool recordsOperators(const RankTrace& rank) {
    return std::ranges::any_of(rank.tracks, [&rank](const Track& track) {
        if (track.kind != TrackKind::CpuThread) {
            return false;
        }
        for (SliceIndex i = 0; i < track.slices.size(); ++i) {
            if (mayMarkPhases(track.slices.category[i]) && track.slices.name[i].valid() &&
                !rank.strings.view(track.slices.name[i]).starts_with("nccl")) {
                return true;
            }
        }
        return false;
    });
}

bool recordsOperators(const Run& run) {
    return std::ranges::any_of(run.ranks, [](const auto& rank) { return recordsOperators(*rank); });
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
