// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/network/parts.h"

namespace rankscope::network {
namespace {

/// A table of calls on one rank: those of the same kind, size and type, whatever their root.
using Rows = std::map<std::tuple<std::string, std::uint64_t, std::int32_t>, std::uint64_t>;

Rows rowsOf(const NcclLogs& logs, const NcclMember& member) {
    Rows rows;
    for (const auto& [index, calls] : member.shapes) {
        const NcclShape& shape = logs.shapes[index];
        rows[{shape.kind, shape.count, shape.type}] += calls;
    }
    return rows;
}

std::optional<std::uint64_t> bytesOf(std::uint64_t count, std::int32_t type) {
    std::uint64_t bytes = 0;
    const auto size = ncclTypeBytes(type);
    return size && !__builtin_mul_overflow(*size, count, &bytes) ? std::optional(bytes) : std::nullopt;
}

/// Bytes of all calls of a row; only to sort.
double allBytes(const CallSum& sum) {
    return static_cast<double>(sum.bytes.value_or(0)) * static_cast<double>(sum.most);
}

/// Whether all calls of a rank are known, in order.
bool isWhole(const NcclLogs& logs, const NcclMember& member) {
    const NcclLogFile& file = logs.files[member.last_call.file];
    return member.order_is_whole && !member.is_repeated && file.cut == 0 && file.damage.empty();
}

/// Whether a rank makes a collective, so far as is known.
bool makesCollectives(const NcclMember& member) {
    return !member.order.empty() || !member.order_is_whole;
}

/// The first collective in which ranks differ, up to where the shortest list ends.
std::size_t firstDifference(const NcclLogs& logs, const std::vector<std::size_t>& members) {
    const std::vector<std::uint32_t>& first = logs.members[members.front()].order;
    std::size_t same = first.size();
    for (const std::size_t member : members) {
        const std::vector<std::uint32_t>& order = logs.members[member].order;
        const auto [at, other] = std::ranges::mismatch(first, order);
        same = std::min(same, static_cast<std::size_t>(std::distance(first.begin(), at)));
    }
    return same;
}

/// Compares the collectives of a communicator's ranks.
class Comparer {
  public:
    /// `places` are those of the job.
    Comparer(const NcclLogs& logs, const std::map<std::size_t, std::size_t>& places, Job& job, std::size_t communicator)
        : logs_(logs),
          places_(places),
          job_(job),
          communicator_(communicator),
          members_(job.communicators[communicator].members) {
        const auto erased =
            std::erase_if(members_, [&logs](std::size_t member) { return logs.members[member].kinds.empty(); });
        // Whether COLL is missing in the log of such a rank, or its calls, the log does not say.
        lacks_calls_ = erased > 0 && std::ranges::any_of(members_, [&logs](std::size_t member) {
                           return makesCollectives(logs.members[member]);
                       });
    }

    /// Nothing if there is nothing to compare.
    std::optional<Judgement> compare() {
        if (members_.size() < 2 && !lacks_calls_) {
            return std::nullopt;
        }
        const std::size_t at = firstDifference(logs_, members_);
        const bool differs = std::ranges::any_of(
            members_, [this, at](std::size_t member) { return logs_.members[member].order.size() != at; });
        const bool is_whole =
            std::ranges::all_of(members_, [this](std::size_t member) { return isWhole(logs_, logs_.members[member]); });
        if (differs && is_whole) {
            addDifference(at);
            return Judgement::Look;
        }
        return differs || lacks_calls_ ? Judgement::CannotTell : Judgement::Fine;
    }

  private:
    void addDifference(std::size_t at) {
        Finding finding;
        finding.topic = Topic::CallsDiffer;
        finding.communicator = communicator_;
        finding.part = at;
        std::map<std::optional<std::uint32_t>, std::vector<std::size_t>> by_shape;
        for (const std::size_t index : members_) {
            const NcclMember& member = logs_.members[index];
            finding.whole = std::max<std::uint64_t>(finding.whole, member.order.size());
            const auto shape = at < member.order.size() ? std::optional(member.order[at]) : std::nullopt;
            by_shape[shape].push_back(places_.at(member.process));
        }
        // Ranks that only stop early may go on behind the end of the log.
        const bool only_behind = by_shape.size() == 2 && by_shape.contains(std::nullopt);
        finding.level = only_behind ? Level::Medium : Level::High;
        for (auto& [shape, processes] : by_shape) {
            finding.variants.push_back(
                {"", shape ? std::optional(logs_.shapes[*shape]) : std::nullopt, std::move(processes)});
        }
        std::ranges::stable_sort(finding.variants, std::greater(),
                                 [](const Variant& variant) { return variant.processes.size(); });
        for (const Variant& variant : finding.variants) {
            addLastCall(variant, finding);
        }
        addFinding(job_, std::move(finding));
    }

    /// The last call of the first rank of a variant.
    void addLastCall(const Variant& variant, Finding& finding) const {
        for (const std::size_t index : members_) {
            if (places_.at(logs_.members[index].process) == variant.processes.front()) {
                addEvidence(finding, logs_.members[index].last_call);
                return;
            }
        }
    }

    const NcclLogs& logs_;
    const std::map<std::size_t, std::size_t>& places_;
    Job& job_;
    std::size_t communicator_;
    std::vector<std::size_t> members_;  ///< those with calls
    bool lacks_calls_ = false;          ///< a member has none, though others make collectives
};

}  // namespace

void addCalls(const NcclLogs& logs, Job& job) {
    for (std::size_t i = 0; i < job.communicators.size(); ++i) {
        std::map<Rows::key_type, CallSum> sums;
        std::map<Rows::key_type, std::size_t> ranks;
        for (const std::size_t member : job.communicators[i].members) {
            for (const auto& [key, calls] : rowsOf(logs, logs.members[member])) {
                const auto& [kind, count, type] = key;
                CallSum& sum = sums.try_emplace(key, CallSum{i, kind, count, type, bytesOf(count, type), calls, calls})
                                   .first->second;
                sum.fewest = std::min(sum.fewest, calls);
                sum.most = std::max(sum.most, calls);
                ++ranks[key];
            }
        }
        for (auto& [key, sum] : sums) {
            const bool is_on_all = ranks[key] == job.communicators[i].members.size();
            sum.fewest = is_on_all ? sum.fewest : 0;
            job.calls.push_back(std::move(sum));
        }
    }
    std::ranges::stable_sort(job.calls, std::greater(), allBytes);
}

void judgeCalls(const NcclLogs& logs, Job& job) {
    const std::map<std::size_t, std::size_t> places = placesOf(job);
    bool is_judged = false;
    bool is_open = false;
    for (std::size_t i = 0; i < job.communicators.size(); ++i) {
        const std::optional<Judgement> compared = Comparer(logs, places, job, i).compare();
        is_judged = is_judged || compared;
        is_open = is_open || compared == Judgement::CannotTell;
    }
    setJudgement(job, Topic::CallsDiffer, is_judged && !is_open ? Judgement::Fine : Judgement::CannotTell);
}

}  // namespace rankscope::network
