// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/model_rows.h"

namespace rankscope::tables {

const std::vector<Table>& modelTables() {
    static const std::vector<Table> kAll = {runTable(),    rankTable(), trackTable(),   sliceTable(),
                                            launchTable(), gapTable(),  gapCauseTable()};
    return kAll;
}

}  // namespace rankscope::tables
