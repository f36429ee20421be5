// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/companions/companions.h"
#include "core/report/joined_logs.h"
#include "core/report/linked_traces.h"
#include "core/tables/model_rows.h"

// What the tables of companions share. Private to core/report/companions.
namespace rankscope::report {

/// Companions, and their joins with runs, each made when it is first asked for.
class JoinedCompanions {
  public:
    explicit JoinedCompanions(JobCompanions of) : of_(std::move(of)) {
        if (of_.logs != nullptr) {
            input_.emplace(NetworkInput{of_.logs->logs, of_.logs->network, of_.logs->unreadable});
        }
    }

    /// nullptr: none.
    [[nodiscard]] const ReadLogs* logs() const { return of_.logs.get(); }
    /// nullptr: none.
    [[nodiscard]] const ReadDumps* dumps() const { return of_.dumps.get(); }
    /// A run with the logs, if there are any. Valid as long as this object.
    [[nodiscard]] RunWithLogs withLogs(const AnalysedRun& run) {
        const auto [at, is_new] = joins_.try_emplace(&run);
        if (is_new) {
            at->second = network::joinRun(of_.logs->logs, of_.logs->network, *run.run, run.facts);
        }
        return {run, *input_, at->second};
    }

    /// A run with the dumps, if there are any. The same.
    [[nodiscard]] const RunWithDumps& withDumps(const AnalysedRun& run) {
        const auto at = links_.find(&run);
        return at != links_.end() ? at->second
                                  : links_.emplace(&run, runsWithDumps({&run}, of_.dumps->dumps).front()).first->second;
    }

  private:
    JobCompanions of_;
    std::optional<NetworkInput> input_;
    std::map<const AnalysedRun*, network::RunJoin> joins_;
    std::map<const AnalysedRun*, RunWithDumps> links_;
};

/// What rows of companions refer to, beside the runs: texts, or words of another kind.
template <class Words = std::string>
struct KeptCompanions {
    std::shared_ptr<JoinedCompanions> of;
    std::deque<Words> words;  // a deque, so that their addresses do not change

    /// Keeps words for cells.
    [[nodiscard]] const Words& keep(Words one) { return words.emplace_back(std::move(one)); }
};

/// A table of companions, as tables::declaredTable(). It is empty, and `add` is not called, if `needed` of these is
/// nullptr.
template <class Row, class Words = std::string, class Needed>
[[nodiscard]] tables::Table companionTable(
    std::string name, std::string meaning, std::vector<tables::DeclaredColumn<Row>> columns,
    const std::shared_ptr<JoinedCompanions>& of, Needed (JoinedCompanions::*needed)() const,
    std::type_identity_t<void (*)(const tables::Runs&, KeptCompanions<Words>&, tables::DeclaredRows<Row>&)> add) {
    return tables::declaredTable<Row, KeptCompanions<Words>>(
        std::move(name), std::move(meaning), std::move(columns),
        [of, needed, add](const tables::Runs& runs, tables::DeclaredRows<Row>& rows, KeptCompanions<Words>& kept) {
            kept.of = of;
            if (((*of).*needed)() != nullptr) {
                add(runs, kept, rows);
            }
        });
}

/// Calls `visit` with each run, and the number of its first collective and of its first process group over all runs.
template <class Visit>
void eachNumberedRun(const tables::Runs& runs, const Visit& visit) {
    std::int64_t collectives = 0;
    std::int64_t groups = 0;
    for (const AnalysedRun* run : runs) {
        visit(*run, collectives, groups);
        collectives += static_cast<std::int64_t>(run->facts.collectives.collectives.size());
        groups += static_cast<std::int64_t>(run->facts.collectives.groups.size());
    }
}

/// The tables, each in a file of its name.
[[nodiscard]] tables::Table ncclCommunicatorTable(const std::shared_ptr<JoinedCompanions>& of);
[[nodiscard]] tables::Table ncclJoinTable(const std::shared_ptr<JoinedCompanions>& of);
[[nodiscard]] tables::Table ncclCallTable(const std::shared_ptr<JoinedCompanions>& of);
[[nodiscard]] tables::Table ncclSettingTable(const std::shared_ptr<JoinedCompanions>& of);
[[nodiscard]] tables::Table ncclFindingTable(const std::shared_ptr<JoinedCompanions>& of);
[[nodiscard]] tables::Table hangRankTable(const std::shared_ptr<JoinedCompanions>& of);
[[nodiscard]] tables::Table flightLinkTable(const std::shared_ptr<JoinedCompanions>& of);
[[nodiscard]] tables::Table flightRecordTable(const std::shared_ptr<JoinedCompanions>& of);

}  // namespace rankscope::report
