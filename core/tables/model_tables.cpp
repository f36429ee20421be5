// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/model_rows.h"

namespace rankscope::tables {

const std::vector<Table>& modelTables() {
    static const std::vector<Table> all = {
        runTable(),      rankTable(),         trackTable(),      sliceTable(),
        argTable(),      launchTable(),       stepTable(),       gapTable(),
        gapCauseTable(), processGroupTable(), collectiveTable(), collectiveMemberTable(),
        counterTable(),  memoryEventTable(),  findingTable(),    findingEvidenceTable()};
    return all;
}

std::int64_t onRunClock(const AnalysedRun& run, RankPosition rank, TimeNs file_ns) {
    return run.clock.ranks[rank].toRun(FileTime(file_ns)) - run.clock.base_ns;
}

Value rankValue(const AnalysedRun& run, RankPosition rank) {
    const auto& number = run.run->ranks[rank]->rank;
    return number ? Value(std::int64_t{number->value}) : Value();
}

}  // namespace rankscope::tables
