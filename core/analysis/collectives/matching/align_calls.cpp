// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/matching/align_calls.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace rankscope {
namespace {

/// Two clocks drift apart by some tens of parts per million; a thousandth is far beyond any crystal.
constexpr double kMostDrift = 1e-3;
/// Ends of one collective spread by up to some tens of microseconds (design 4.6).
constexpr DurationNs kEndSpreadNs = 50'000;

/// Recorded on both sides and different.
bool differ(std::int64_t a, std::int64_t b) {
    return a >= 0 && b >= 0 && a != b;
}

/// The parts of an all-to-all, a gather and a scatter may be of different size on each rank.
bool isEven(CollectiveKind kind) {
    return kind != CollectiveKind::AllToAll && kind != CollectiveKind::Gather && kind != CollectiveKind::Scatter;
}

bool sameCall(const CallProof& a, const CallProof& b) {
    if (a.kind != b.kind || (!a.dtype.empty() && !b.dtype.empty() && a.dtype != b.dtype)) {
        return false;
    }
    if (isEven(a.kind) && (differ(a.in_elements, b.in_elements) || differ(a.out_elements, b.out_elements))) {
        return false;
    }
    return a.kind != CollectiveKind::Unknown || a.name == b.name;
}

/// What two calls of both sequences have in common if they may be the same, as one number per call. A field is included
/// if all calls of its kind recorded it.
class Signatures {
  public:
    Signatures(const std::vector<CallProof>& a, const std::vector<CallProof>& b) {
        for (const auto* calls : {&a, &b}) {
            for (const CallProof& call : *calls) {
                Fields& fields = fields_[call.kind];
                fields.dtype = fields.dtype && !call.dtype.empty();
                fields.in_elements = fields.in_elements && call.in_elements >= 0;
                fields.out_elements = fields.out_elements && call.out_elements >= 0;
            }
        }
        of_a = numbers(a);
        of_b = numbers(b);
        for (const auto* calls : {&a, &b}) {
            for (const CallProof& call : *calls) {
                const Fields& fields = fields_[call.kind];
                complete = complete && (fields.dtype || call.dtype.empty()) &&
                           (!isEven(call.kind) || ((fields.in_elements || call.in_elements < 0) &&
                                                   (fields.out_elements || call.out_elements < 0)));
            }
        }
    }

    std::vector<std::uint32_t> of_a;
    std::vector<std::uint32_t> of_b;
    bool complete = true;  ///< equal numbers mean the same call: no field is left out that some calls recorded

  private:
    struct Fields {
        bool dtype = true;
        bool in_elements = true;
        bool out_elements = true;
    };
    using Signature = std::tuple<CollectiveKind, std::string_view, std::int64_t, std::int64_t, std::string_view>;

    [[nodiscard]] std::vector<std::uint32_t> numbers(const std::vector<CallProof>& calls) {
        std::vector<std::uint32_t> result;
        result.reserve(calls.size());
        for (const CallProof& call : calls) {
            const Fields& fields = fields_[call.kind];
            const bool even = isEven(call.kind);
            const Signature signature{call.kind, fields.dtype ? call.dtype : std::string_view(),
                                      even && fields.in_elements ? call.in_elements : -1,
                                      even && fields.out_elements ? call.out_elements : -1,
                                      call.kind == CollectiveKind::Unknown ? call.name : std::string_view()};
            result.push_back(known_.try_emplace(signature, static_cast<std::uint32_t>(known_.size())).first->second);
        }
        return result;
    }

    std::map<CollectiveKind, Fields> fields_;
    std::map<Signature, std::uint32_t> known_;
};

/// For each position in `text`: how many numbers from there on match the start of `pattern` (the Z-algorithm). Linear
/// in both.
std::vector<std::size_t> matchLengths(const std::vector<std::uint32_t>& pattern,
                                      const std::vector<std::uint32_t>& text) {
    std::vector<std::uint32_t> both = pattern;
    both.push_back(std::numeric_limits<std::uint32_t>::max());  // is in neither
    both.insert(both.end(), text.begin(), text.end());
    std::vector<std::size_t> length(both.size());
    std::size_t left = 0;
    std::size_t right = 0;
    for (std::size_t i = 1; i < both.size(); ++i) {
        std::size_t same = i < right ? std::min(right - i, length[i - left]) : 0;
        while (i + same < both.size() && both[same] == both[i + same]) {
            ++same;
        }
        if (i + same > right) {
            left = i;
            right = i + same;
        }
        length[i] = same;
    }
    length.erase(length.begin(), length.begin() + static_cast<std::ptrdiff_t>(pattern.size() + 1));
    return length;
}

/// One alignment of two sequences: a[i] with b[i + shift].
struct Shift {
    std::ptrdiff_t shift = 0;
    std::size_t pairs = 0;
    DurationNs scatter_ns = 0;  ///< median distance of the difference of ends from its median
};

/// More pairs are better, then less scatter of ends.
bool isWorse(const Shift& x, const Shift& y) {
    return std::pair(x.pairs, -x.scatter_ns) < std::pair(y.pairs, -y.scatter_ns);
}

/// A shift is judged by some of its pairs, and by all of them only if it may be the best. Pairs are examined from
/// coarse to fine: if a shift is wrong by k calls, about one pair in k shows it.
class Aligner {
  public:
    Aligner(const std::vector<CallProof>& a, const std::vector<CallProof>& b) : a_(a), b_(b) {
        for (const auto& [calls, spans] : {std::pair(&a_, &spans_a_), std::pair(&b_, &spans_b_)}) {
            spans->reserve(calls->size());
            for (const CallProof& call : *calls) {
                spans->push_back(call.span);
            }
        }
    }

    [[nodiscard]] std::optional<Shift> best() {
        std::vector<Shift> fitting;
        std::size_t most = 0;
        for (const std::ptrdiff_t shift : candidates()) {
            if (2 * pairsOf(shift) < most) {
                break;
            }
            if (const std::optional<Shift> one = judge(shift, kJudgedPairs)) {
                if (most == 0 && fitsAll(*one)) {
                    most = one->pairs;
                }
                if (most > 0) {
                    fitting.push_back(*one);
                }
            }
        }
        return choose(std::move(fitting), most);
    }

    /// The first index of `a` that has a partner, and one past the last.
    [[nodiscard]] std::pair<std::ptrdiff_t, std::ptrdiff_t> range(std::ptrdiff_t shift) const {
        return {std::max<std::ptrdiff_t>(0, -shift),
                std::min(static_cast<std::ptrdiff_t>(a_.size()), static_cast<std::ptrdiff_t>(b_.size()) - shift)};
    }

  private:
    [[nodiscard]] std::size_t pairsOf(std::ptrdiff_t shift) const {
        const auto [first, last] = range(shift);
        return static_cast<std::size_t>(last - first);
    }

    /// The shifts that pair only calls of equal signatures, those with most pairs first.
    [[nodiscard]] std::vector<std::ptrdiff_t> candidates() {
        const Signatures signatures(a_, b_);
        signatures_tell_all_ = signatures.complete;
        const std::vector<std::size_t> later = matchLengths(signatures.of_a, signatures.of_b);
        const std::vector<std::size_t> sooner = matchLengths(signatures.of_b, signatures.of_a);
        const auto n = static_cast<std::ptrdiff_t>(a_.size());
        const auto m = static_cast<std::ptrdiff_t>(b_.size());
        std::vector<std::ptrdiff_t> shifts;
        for (std::ptrdiff_t shift = 1 - n; shift < m; ++shift) {
            const std::size_t same =
                shift < 0 ? sooner[static_cast<std::size_t>(-shift)] : later[static_cast<std::size_t>(shift)];
            if (same >= pairsOf(shift)) {
                shifts.push_back(shift);
            }
        }
        std::ranges::stable_sort(shifts, std::greater<>(), [&](std::ptrdiff_t shift) { return pairsOf(shift); });
        return shifts;
    }

    /// A run repeats itself, so a shift by a whole step fits equally well except for the ends: between right pairs they
    /// scatter by microseconds, between wrong ones as much as steps differ. Shifts with few pairs may fit by chance:
    /// these do not count.
    [[nodiscard]] std::optional<Shift> choose(std::vector<Shift> fitting, std::size_t most) {
        std::erase_if(fitting,
                      [&](const Shift& s) { return 2 * s.pairs < most || s.pairs < std::min(most, kFewPairs); });
        std::ranges::stable_sort(fitting, {}, &Shift::scatter_ns);
        const auto least = std::ranges::find_if(fitting, [&](const Shift& s) { return fitsAll(s); });
        if (least == fitting.end()) {
            return std::nullopt;
        }
        fitting.erase(fitting.begin(), least);
        const DurationNs limit_ns = 2 * fitting.front().scatter_ns + kEndSpreadNs;
        std::erase_if(fitting, [&](const Shift& s) { return s.scatter_ns > limit_ns; });
        std::ranges::stable_sort(fitting, [](const Shift& x, const Shift& y) { return isWorse(y, x); });
        const auto best = std::ranges::find_if(fitting, [&](const Shift& s) { return fitsAll(s); });
        if (best == fitting.end()) {
            return std::nullopt;
        }
        const bool another =
            std::any_of(best + 1, fitting.end(), [&](const Shift& s) { return !isWorse(s, *best) && fitsAll(s); });
        return another ? std::nullopt : std::optional(*best);
    }

    [[nodiscard]] bool fitsAll(const Shift& shift) {
        return shift.pairs <= kJudgedPairs || judge(shift.shift, shift.pairs).has_value();
    }

    /// Examines up to `most` pairs. Nothing if one of them does not fit.
    [[nodiscard]] std::optional<Shift> judge(std::ptrdiff_t shift, std::size_t most) {
        const auto [first, last] = range(shift);
        const auto pairs = static_cast<std::size_t>(last - first);
        const auto length = static_cast<double>(a_[static_cast<std::size_t>(last - 1)].span.end_ns -
                                                a_[static_cast<std::size_t>(first)].span.start_ns);
        const DurationNs slack_ns = kEndSpreadNs + static_cast<DurationNs>(length * kMostDrift);
        differences_.clear();
        Room room;
        std::size_t looked = 0;
        const auto look = [&](std::size_t pair) {
            const auto i = static_cast<std::size_t>(first) + pair;
            ++looked;
            const auto j = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + shift);
            if (!signatures_tell_all_ && !sameCall(a_[i], b_[j])) {
                return false;
            }
            if (a_[i].ends_near) {
                differences_.push_back(spans_a_[i].end_ns - spans_b_[j].end_ns);
            }
            return !finishesTogether(a_[i].kind) || fits(spans_a_[i], spans_b_[j], slack_ns, room);
        };
        bool fit = look(0);
        for (std::size_t stride = std::bit_floor(pairs); stride > 0 && fit; stride /= 2) {
            for (std::size_t pair = stride; pair < pairs && looked < most && fit; pair += 2 * stride) {
                fit = look(pair);
            }
        }
        return fit ? std::optional(Shift{.shift = shift, .pairs = pairs, .scatter_ns = scatter()}) : std::nullopt;
    }

    /// The clock differences that let all examined pairs overlap.
    struct Room {
        DurationNs least = std::numeric_limits<DurationNs>::min() / 2;
        DurationNs most = std::numeric_limits<DurationNs>::max() / 2;
    };

    [[nodiscard]] bool fits(const TimeSpan& one, const TimeSpan& other, DurationNs slack_ns, Room& room) {
        room.least = std::max(room.least, one.start_ns - other.end_ns);
        room.most = std::min(room.most, one.end_ns - other.start_ns);
        differences_.push_back(one.end_ns - other.end_ns);
        return room.least <= room.most + slack_ns;
    }

    [[nodiscard]] DurationNs scatter() {
        if (differences_.empty()) {
            return 0;
        }
        const auto middle = differences_.begin() + static_cast<std::ptrdiff_t>(differences_.size() / 2);
        std::ranges::nth_element(differences_, middle);
        const DurationNs median = *middle;
        for (DurationNs& difference : differences_) {
            difference = std::abs(difference - median);
        }
        std::ranges::nth_element(differences_, middle);
        return *middle;
    }

    static constexpr std::size_t kFewPairs = 3;
    static constexpr std::size_t kJudgedPairs = 128;
    const std::vector<CallProof>& a_;
    const std::vector<CallProof>& b_;
    bool signatures_tell_all_ = false;
    std::vector<TimeSpan> spans_a_;
    std::vector<TimeSpan> spans_b_;
    std::vector<DurationNs> differences_;
};

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> alignCalls(const std::vector<CallProof>& a,
                                                            const std::vector<CallProof>& b) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    if (a.empty() || b.empty()) {
        return pairs;
    }
    Aligner aligner(a, b);
    const std::optional<Shift> best = aligner.best();
    if (!best) {
        return pairs;
    }
    const auto [first, last] = aligner.range(best->shift);
    for (std::ptrdiff_t i = first; i < last; ++i) {
        pairs.emplace_back(static_cast<std::size_t>(i), static_cast<std::size_t>(i + best->shift));
    }
    return pairs;
}

}  // namespace rankscope
