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

/// The content of the communication page for a run; the overlap is of one of its ranks, or of all.
struct CommunicationPage {
    std::shared_ptr<const AnalysedRun> of;
    std::optional<RankPosition> rank;
    std::vector<FittedLink> links;  ///< parallel to CollectiveFacts::fits
    std::vector<OverlapBar> bars;
    std::shared_ptr<const report::DataTable> fits;     ///< as `links`
    std::shared_ptr<const report::DataTable> overlap;  ///< as `bars`
    std::shared_ptr<const report::DataTable> caps;     ///< the step by bucket_cap_mb
    std::shared_ptr<const report::DataTable> buckets;  ///< the current buckets, in their order
};

/// Computes the page. O(fits + steps + buckets).
[[nodiscard]] std::shared_ptr<const CommunicationPage> makeCommunicationPage(
    const std::shared_ptr<const AnalysedRun>& run, std::optional<RankPosition> rank);

/// The head above the charts: the result in brief, and its details.
struct CommunicationHead {
    QString title;
    QString about;
};
/// The head of a fit, by its index; says whether ring or tree is faster on `times` as many ranks as it was fitted on.
[[nodiscard]] CommunicationHead fitHead(const CommunicationPage& page, std::size_t fit, std::size_t times);
/// The head of the overlap page: hidden and exposed communication.
[[nodiscard]] CommunicationHead overlapHead(const CommunicationPage& page);
/// The head of the page of DDP's buckets.
[[nodiscard]] CommunicationHead bucketsHead(const CommunicationPage& page);

}  // namespace rankscope::ui
