// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/diagnosis/fitted_links.h"
#include "core/report/model/data_table.h"
#include "ui/efficiency/overlap_chart.h"

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

/// What is said above the pictures: in short, and what stands behind it.
struct CommunicationHead {
    QString title;
    QString about;
};
/// Of a fit, by its index; the quicker of ring and tree is told for `times` as many ranks as it was fitted on.
[[nodiscard]] CommunicationHead fitHead(const CommunicationPage& page, std::size_t fit, std::size_t times);
/// Of all communication that is hidden or not.
[[nodiscard]] CommunicationHead overlapHead(const CommunicationPage& page);
/// Of DDP's buckets.
[[nodiscard]] CommunicationHead bucketsHead(const CommunicationPage& page);

}  // namespace rankscope::ui
