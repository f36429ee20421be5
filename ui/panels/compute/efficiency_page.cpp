// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/efficiency_page.h"

#include <utility>

#include "core/report/tables/run_tables.h"

namespace rankscope::ui {

const EfficiencyPlace& EfficiencyPage::placeOf(Counted what, std::size_t row) const {
    const ProductTables& facts = of->facts.efficiency.tablesOf(rank);
    return what == Counted::Operators ? facts.products[row].longest : facts.kernels[row].longest;
}

std::shared_ptr<const EfficiencyPage> makeEfficiencyPage(const std::shared_ptr<const AnalysedRun>& run,
                                                         std::optional<RankPosition> rank) {
    auto page = std::make_shared<EfficiencyPage>();
    const EfficiencyFacts& facts = run->facts.efficiency;
    page->of = run;
    page->rank = rank;
    page->head = efficiencyHead(*run, rank);
    const report::MissingShare share = report::missingShare(*run, rank);
    const bool rated =
        facts.any() && (rank && *rank < facts.ranks.size() ? facts.ranks[*rank].rated : facts.peaks_known);
    page->way = missingRows(share);
    for (const MissingRow& row : page->way) {
        page->targets << leadsTo(*run, row);
    }
    page->missing = std::make_shared<const report::DataTable>(missingTable(share, rated));
    page->operators = std::make_shared<const report::DataTable>(
        report::productsOf(*run, rank)
            .only({"name", "shapes", "type", "calls", "time_ns", "tflop_per_s", "of_peak", "flops_per_byte", "bound",
                   "tensor_cores", "recomputed"}));
    page->kernels = std::make_shared<const report::DataTable>(
        report::productKernelsOf(*run, rank)
            .only({"name", "type", "calls", "time_ns", "tflop_per_s", "flops_per_byte", "tensor_cores"}));
    return page;
}

}  // namespace rankscope::ui
