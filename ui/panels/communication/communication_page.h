// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/diagnosis/prices/fitted_links.h"
#include "core/report/tables/data_table.h"
#include "ui/panels/communication/overlap_chart.h"

namespace rankscope::ui {

/// All that the page of communication shows of a run; its overlap of one of its ranks, or of all.
struct CommunicationPage {
    std::shared_ptr<const AnalysedRun> of;
    std::optional<RankPosition> rank;
    std::vector<FittedLink> links;  ///< as CollectiveFacts::fits
    std::vector<OverlapBar> bars;
    std::shared_ptr<const report::DataTable> fits;     ///< as `links`
    std::shared_ptr<const report::DataTable> overlap;  ///< as `bars`
    std::shared_ptr<const report::DataTable> caps;     ///< the step by bucket_cap_mb
    std::shared_ptr<const report::DataTable> buckets;  ///< today's, in their order
};

/// Works the page out. O(fits + steps + buckets).
[[nodiscard]] std::shared_ptr<const CommunicationPage> makeCommunicationPage(
    const std::shared_ptr<const AnalysedRun>& run, std::optional<RankPosition> rank);

/// The head above the charts: the result in short, and its details.
struct CommunicationHead {
    QString title;
    QString about;
};
/// Of a fit, by its index; says whether ring or tree is faster on `times` as many ranks as it was fitted on.
[[nodiscard]] CommunicationHead fitHead(const CommunicationPage& page, std::size_t fit, std::size_t times);
/// Of all communication that is hidden or not.
[[nodiscard]] CommunicationHead overlapHead(const CommunicationPage& page);
/// Of DDP's buckets.
[[nodiscard]] CommunicationHead bucketsHead(const CommunicationPage& page);

}  // namespace rankscope::ui
