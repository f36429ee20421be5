// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/companions/nccl_rows.h"
#include "core/report/network.h"

namespace rankscope::report {
namespace {

using tables::Access;
using tables::Type;
using tables::Value;

/// What cells need of each shape and rank, worked out once.
struct ShapeWords {
    std::string kind;
    std::string type;
    std::optional<NcclChoice> choice;
    Value bytes;
};

struct LoggedCallRow {
    const NcclMember* member = nullptr;
    const NcclShape* shape = nullptr;
    const ShapeWords* words = nullptr;
    std::int64_t communicator = 0;
    std::int64_t seq = 0;
    Value rank;
    const AnalysedRun* run = nullptr;  // nullptr: it is no collective of a run
    std::int64_t collective = 0;
};

/// The words of each shape; they are kept with the rows.
std::vector<const ShapeWords*> shapeWords(const NcclLogs& logs, KeptCompanions<ShapeWords>& kept) {
    std::vector<const ShapeWords*> out;
    for (const NcclShape& shape : logs.shapes) {
        const auto size = ncclTypeBytes(shape.type);
        std::int64_t bytes = 0;
        const bool has_bytes = size && !__builtin_mul_overflow(shape.count, *size, &bytes);
        out.push_back(&kept.keep({ncclKindWords(shape.kind), ncclTypeName(shape.type), network::choiceOf(logs, shape),
                                  has_bytes ? Value(bytes) : Value()}));
    }
    return out;
}

/// The collectives that calls of the log are, by member and place in its order.
class ProvenCalls {
  public:
    ProvenCalls(const tables::Runs& runs, JoinedCompanions& of) {
        eachNumberedRun(runs, [&](const AnalysedRun& run, std::int64_t collectives, std::int64_t /*groups*/) {
            joins_.push_back({&run, collectives, &of.withLogs(run).join.places});
        });
    }

    /// Calls of a member are asked for in order.
    void name(std::size_t member, std::size_t call, LoggedCallRow& row) const {
        for (const OfRun& of : joins_) {
            const auto at = std::ranges::lower_bound(
                *of.places, std::pair(member, call), {},
                [](const network::CallPlace& place) { return std::pair(place.member, place.call); });
            if (at != of.places->end() && at->member == member && at->call == call) {
                row.run = of.run;
                row.collective = of.first + static_cast<std::int64_t>(std::uint32_t{at->collective});
                return;
            }
        }
    }

  private:
    struct OfRun {
        const AnalysedRun* run;
        std::int64_t first;
        const std::vector<network::CallPlace>* places;
    };
    std::vector<OfRun> joins_;
};

void addLoggedCalls(const tables::Runs& runs, KeptCompanions<ShapeWords>& kept,
                    tables::DeclaredRows<LoggedCallRow>& rows) {
    const ReadLogs& logs = *kept.of->logs();
    const std::vector<const ShapeWords*> words = shapeWords(logs.logs, kept);
    const std::vector<Value> ranks = ranksOfProcesses(logs);
    const ProvenCalls proven(runs, *kept.of);
    eachCommunicator(logs, [&](const NumberedCommunicator& one) {
        for (const std::size_t index : one.communicator->members) {
            const NcclMember& member = logs.logs.members[index];
            for (std::size_t call = 0; call < member.order.size(); ++call) {
                const std::uint32_t shape = member.order[call];
                LoggedCallRow row{&member, &logs.logs.shapes[shape],        words[shape],
                                  one.id,  static_cast<std::int64_t>(call), ranks[member.process]};
                proven.name(index, call, row);
                rows.add(row);
            }
        }
    });
}

std::vector<tables::DeclaredColumn<LoggedCallRow>> callColumns() {
    using Row = LoggedCallRow;
    return {{{"communicator", Type::Integer, "nccl_communicator.id", Access::Seek},
             [](const Row& row) { return Value(row.communicator); }},
            {{"rank", Type::Integer, "number of the rank in its job; null where unknown", Access::Seek},
             [](const Row& row) { return row.rank; }},
            {{"member", Type::Integer, "number of the rank in the communicator"},
             [](const Row& row) { return Value(std::int64_t{row.member->rank}); }},
            {{"seq", Type::Integer, "its place among the logged collectives of the communicator on this rank, from 0",
              Access::Seek},
             [](const Row& row) { return Value(row.seq); }},
            {{"kind", Type::Text, "what it does: all-reduce, all-gather"},
             [](const Row& row) { return Value(std::string_view(row.words->kind)); }},
            {{"elements", Type::Integer, "as passed to the call"},
             [](const Row& row) { return Value(static_cast<std::int64_t>(row.shape->count)); }},
            {{"dtype", Type::Text, "type of its elements, as NCCL names it; the number of an unknown one"},
             [](const Row& row) { return Value(std::string_view(row.words->type)); }},
            {{"bytes", Type::Integer, "elements times their size; null for an unknown type"},
             [](const Row& row) { return row.words->bytes; }},
            {{"root", Type::Integer, "as passed to the call; 0 for kinds without one"},
             [](const Row& row) { return Value(std::int64_t{row.shape->root}); }},
            {{"algorithm", Type::Text, "how NCCL runs this kind and size: RING; null unless logged, and only one"},
             [](const Row& row) { return row.words->choice ? Value::ofText(row.words->choice->algorithm) : Value(); }},
            {{"protocol", Type::Text, "the same: SIMPLE"},
             [](const Row& row) { return row.words->choice ? Value::ofText(row.words->choice->protocol) : Value(); }},
            {{"run", Type::Text, "name of the run that has it; null unless proven"},
             [](const Row& row) { return row.run == nullptr ? Value() : Value(std::string_view(row.run->run->name)); }},
            {{"collective", Type::Integer, "collective.id: what it is in the trace; null unless proven", Access::Seek},
             [](const Row& row) { return row.run == nullptr ? Value() : Value(row.collective); }}};
}

}  // namespace

tables::Table ncclCallTable(const std::shared_ptr<JoinedCompanions>& of) {
    return companionTable<LoggedCallRow, ShapeWords>("nccl_call",
                                                     "One collective that a rank calls, in the logs of NCCL.",
                                                     callColumns(), of, &JoinedCompanions::logs, addLoggedCalls);
}

}  // namespace rankscope::report
