// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/many_digests.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/condense/make_digest.h"
#include "core/condense/plan.h"
#include "core/digest/column.h"
#include "core/digest/columns.h"
#include "core/digest/database.h"
#include "core/digest/digest_file.h"
#include "core/digest/merge_digests.h"
#include "core/digest/pack_trace.h"
#include "core/digest/tables.h"
#include "tests/tracegen/machine/job_faults.h"
#include "tests/tracegen/machine/trace_files.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;
namespace machine = tracegen::machine;

constexpr int kRanksAHost = 8;
/// The device of the rank that is late is slower by this factor.
constexpr double kSlower = 1.15;
constexpr std::size_t kLateRank = 5;

machine::JobSpec jobOf(int data) {
    machine::JobSpec job = *machine::jobConfig("scale", 1).job;
    job.data = data;
    job.pipeline = ManyDigests::kPipeline;
    job.tensor = ManyDigests::kTensor;
    job.layers = job.pipeline;
    job.micro_batches = 2;
    return job;
}

template <class T>
T orThrow(Result<T> result) {
    if (!result.ok()) {
        throw std::runtime_error(result.error().path + ": " + result.error().cause);
    }
    return std::move(result).value();
}

/// Where the ranks of a job stand, and what their groups are called, by description of the group.
class JobPlaces {
  public:
    explicit JobPlaces(int data) : job_(jobOf(data)), groups_(machine::groupsOf(job_)), of_rank_(groupsOfRanks()) {}

    [[nodiscard]] const machine::JobSpec& job() const { return job_; }
    [[nodiscard]] machine::GridPlace placeOf(int rank) const { return machine::placeOf(job_, rank); }
    [[nodiscard]] int rankAt(const machine::GridPlace& place) const { return machine::rankAt(job_, place); }
    /// The group of that kind that a rank is a member of.
    [[nodiscard]] const tracegen::ProcessGroup& groupOf(int rank, const std::string& description) const {
        return groups_[of_rank_[static_cast<std::size_t>(rank)].at(description)];
    }

  private:
    [[nodiscard]] std::vector<std::map<std::string, std::size_t>> groupsOfRanks() const {
        std::vector<std::map<std::string, std::size_t>> of_rank(static_cast<std::size_t>(job_.ranks()));
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            for (const int rank : groups_[g].ranks) {
                of_rank[static_cast<std::size_t>(rank)].emplace(groups_[g].description, g);
            }
        }
        return of_rank;
    }

    machine::JobSpec job_;
    std::vector<tracegen::ProcessGroup> groups_;
    std::vector<std::map<std::string, std::size_t>> of_rank_;
};

/// As Kineto writes it: cut after 30 ranks.
std::string shownRanks(const std::vector<int>& ranks) {
    constexpr std::size_t kShown = 30;
    const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, ranks.size()));
    return fmt::format("[{}{}]", fmt::join(ranks.begin(), end, ", "), ranks.size() > kShown ? ", ..." : "");
}

/// Makes the trace of a simulated rank that of a rank of the job.
class Renumber {
  public:
    Renumber(const JobPlaces& simulated, const JobPlaces& job) : simulated_(simulated), job_(job) {}

    [[nodiscard]] int simulatedOf(int rank) const {
        machine::GridPlace place = job_.placeOf(rank);
        place.data %= ManyDigests::kSimulated;
        return simulated_.rankAt(place);
    }
    void operator()(int rank, RankTrace& trace) const {
        trace.rank = RankNumber(rank);
        trace.world_size = job_.job().ranks();
        trace.host = fmt::format("node{}", rank / kRanksAHost);
        trace.files.front().path = pathOf(rank);
        for (ProcessGroup& group : trace.groups) {
            const tracegen::ProcessGroup& now = job_.groupOf(rank, group.description);
            group.name = now.name;
            group.size = static_cast<std::int32_t>(now.ranks.size());
            group.ranks.assign(now.ranks.size(), RankNumber(0));
            std::ranges::transform(now.ranks, group.ranks.begin(), [](int member) { return RankNumber(member); });
        }
        for (Track& track : trace.tracks) {
            for (CollectiveArgs& args : track.collectives.value) {
                renumber(rank, args, trace.strings);
            }
        }
    }
    [[nodiscard]] static std::string pathOf(int rank) { return fmt::format("/job/rank{}.pt.trace.json.gz", rank); }

  private:
    void renumber(int rank, CollectiveArgs& args, StringPool& strings) const {
        const std::string kind(strings.view(args.group_description));
        if (kind.empty()) {
            return;
        }
        const tracegen::ProcessGroup& group = job_.groupOf(rank, kind);
        args.group_name = strings.intern(group.name);
        args.group_ranks = strings.intern(shownRanks(group.ranks));
        if (args.comms_id.valid()) {
            args.comms_id = strings.intern(fmt::format("{}{:05}", strings.view(args.comms_id), group.ranks.front()));
        }
        args.group_size = static_cast<std::int32_t>(group.ranks.size());
        const bool is_message = args.peer_src >= 0 || args.peer_dst >= 0;
        if (args.rank >= 0 && !is_message) {
            args.rank = group.placeOf(rank);
        }
        if (args.global_start >= 0) {
            args.global_start = group.ranks.front();
        }
        if (args.global_stride >= 0 && group.ranks.size() > 1) {
            args.global_stride = group.ranks[1] - group.ranks[0];
        }
        for (std::int32_t* peer : {&args.peer_src, &args.peer_dst}) {
            *peer = *peer < 0 ? *peer : besides(rank, *peer);
        }
    }
    /// The rank of the same replica as `rank` that stands where `peer` did.
    [[nodiscard]] int besides(int rank, int peer) const {
        machine::GridPlace place = simulated_.placeOf(peer);
        place.data = job_.placeOf(rank).data;
        return job_.rankAt(place);
    }

    const JobPlaces& simulated_;
    const JobPlaces& job_;
};

/// A simulated rank as the template digest has it.
struct SimulatedRank {
    std::int64_t id = 0;
    std::int64_t slices = 0;
    std::string columns;
    RankTrace trace;
};

std::map<int, SimulatedRank> simulatedRanks(const fs::path& file) {
    std::map<int, SimulatedRank> ranks;
    for (RankTrace& trace : orThrow(readDigest(file.string()))) {
        const int rank = trace.rank.value().value;
        ranks[rank].trace = std::move(trace);
    }
    const Database digest = openDigest(file.string());
    Statement rows =
        digest.statement("SELECT number, id, slices, columns FROM rank JOIN trace ON trace.rank = rank.id");
    while (rows.next()) {
        SimulatedRank& rank = ranks[static_cast<int>(rows.number(0))];
        rank.id = rows.number(1);
        rank.slices = rows.number(2);
        rank.columns = rows.blob(3);
    }
    return ranks;
}

/// A trace whose args and identity are its own, and whose slices the template's. Copied without the slices but for
/// their count, which is all that the columns of args need.
RankTrace withoutTimes(const RankTrace& from) {
    RankTrace trace;
    for (std::uint32_t i = 0; i < from.strings.size(); ++i) {
        (void)trace.strings.intern(from.strings.view(StringId(i)));
    }
    trace.rank_origin = from.rank_origin;
    trace.backend = from.backend;
    trace.files = from.files;
    trace.devices = from.devices;
    trace.groups = from.groups;
    trace.metadata = from.metadata;
    trace.window = from.window;
    trace.health = from.health;
    for (const Track& track : from.tracks) {
        trace.tracks.emplace_back().collectives = track.collectives;
    }
    return trace;
}

/// The template's columns with those of this rank in place of them: of texts, identity and collectives.
std::string spliced(const std::string& columns, const RankTrace& trace) {
    ColumnsOut own;
    ColumnWriter& texts = own["strings"];
    texts.put(trace.strings.size());
    for (std::uint32_t i = 0; i < trace.strings.size(); ++i) {
        texts.putText(trace.strings.view(StringId(i)));
    }
    packIdentity(trace, own);
    packArgs(trace, own);
    ColumnWriter all;
    for (ColumnReader reader("list", columns); !reader.atEnd();) {
        const std::string name(reader.getText());
        const std::uint64_t size = reader.get();
        const std::string_view packed = reader.getText();
        const bool is_own = name == "strings" || name == "identity" || name.starts_with("collective.");
        all.putText(name);
        if (is_own) {
            all.put(own[name].bytes().size());
            all.putText(packBytes(own[name].bytes()));
        } else {
            all.put(size);
            all.putText(packed);
        }
    }
    return all.bytes();
}

/// Copies what these tables say of a simulated rank, but for its trace.
void copyFacts(const Database& to, std::int64_t from_rank, std::int64_t rank,
               std::span<const std::string_view> tables) {
    for (const std::string_view table : tables) {
        if (table == "trace") {
            continue;
        }
        std::string columns;
        Statement names = to.statement("SELECT name FROM pragma_table_info(?) WHERE cid > 0 ORDER BY cid");
        names.bind(table);
        while (names.next()) {
            columns += fmt::format(", {}", names.text(0));
        }
        to.statement(fmt::format("INSERT INTO main.{0} SELECT ?{1} FROM simulated.{0} WHERE rank = ?", table, columns))
            .bind(rank)
            .bind(from_rank)
            .run();
    }
}

void addRanks(const Database& digest, const ManyDigests& job, const fs::path& template_digest) {
    const std::map<int, SimulatedRank> simulated = simulatedRanks(template_digest);
    const JobPlaces from(ManyDigests::kSimulated);
    const JobPlaces to(job.data);
    const Renumber renumber(from, to);
    const auto renumbered = [&](int r) {
        RankTrace trace = withoutTimes(simulated.at(renumber.simulatedOf(r)).trace);
        renumber(r, trace);
        return trace;
    };
    const auto tables = tablesOfRanks();
    for (int r = 0; r < job.ranks(); ++r) {
        const SimulatedRank& like = simulated.at(renumber.simulatedOf(r));
        const RankTrace trace = renumbered(r);
        const std::int64_t source = addSource(digest, {Renumber::pathOf(r), "", 1, 0, 0, "bench", 0});
        const std::int64_t rank = r + 1;
        digest.statement("INSERT INTO rank VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)")
            .bind(rank)
            .bind(source)
            .bind(std::int64_t{r})
            .bind(std::int64_t{job.ranks()})
            .bind(trace.host)
            .bind(like.slices)
            .bind(trace.window.start_ns)
            .bind(trace.window.end_ns)
            .run();
        copyFacts(digest, like.id, rank, tables.first(kTablesOfMap));
    }
    for (int r = 0; r < job.ranks(); ++r) {  // in the order of a merged digest
        const SimulatedRank& like = simulated.at(renumber.simulatedOf(r));
        digest.statement("INSERT INTO trace VALUES (?, ?)")
            .bind(std::int64_t{r + 1})
            .bindBlob(spliced(like.columns, renumbered(r)))
            .run();
        copyFacts(digest, like.id, r + 1, tables.subspan(kTablesOfMap));
    }
}

}  // namespace

void writeSimulatedDigests(int steps, const fs::path& template_digest) {
    machine::Config config = machine::jobConfig("scale", 1);
    config.job = jobOf(ManyDigests::kSimulated);
    machine::resizeJob(config, config.job->ranks());
    config.steps = steps;
    config.ranks.at(kLateRank).device.slowdown = kSlower;
    const fs::path folder = template_digest.string() + ".traces";
    const fs::path parts = template_digest.string() + ".parts";
    fs::create_directories(folder);
    machine::writeFiles(machine::simulate(config), {}, folder, false);
    std::vector<std::string> digests;
    for (const DigestTask& task : orThrow(planDigests({folder.string()}, parts.string()))) {
        (void)orThrow(makeDigest(task, {.tool = "bench"}, {}));
        digests.push_back(task.digest);
    }
    (void)orThrow(mergeDigests(digests, template_digest.string()));
    fs::remove_all(folder);
    fs::remove_all(parts);
}

std::uint64_t writeManyDigests(const ManyDigests& job, const fs::path& template_digest, const fs::path& to) {
    {
        const Database digest = Database::create(to.string());
        makeTables(digest);
        digest.statement("ATTACH ? AS simulated").bind(uriOfDigest(template_digest.string())).run();
        digest.run("BEGIN");
        addRanks(digest, job, template_digest);
        digest.run("COMMIT");
    }
    return fs::file_size(to);
}

}  // namespace rankscope::bench
