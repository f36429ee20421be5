// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/report/tables/data_table.h"
#include "ui/panels/network/network_graph.h"
#include "ui/panels/shared/table_choice.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// A finding in words, with the lines that show it.
struct NetworkFindingText {
    network::Level level = network::Level::Low;
    QString title;
    QString text;
    QString why;
    QString remedy;
    QStringList places;                       ///< by line: "job.out.gz:793"
    QStringList lines;                        ///< as written
    std::optional<std::size_t> communicator;  ///< index in Job::communicators
};

/// What is shown of a job in NCCL's logs. Independent of the theme.
struct NetworkPage {
    JobOfLogs of;
    QString title;  ///< "8 ranks on 1 host, 1 communicator, NCCL 2.28.9+cuda13.0, driver 13.2"
    std::vector<NetworkFindingText> findings;
    QStringList open;   ///< without findings: what could not be judged, and what to record
    QStringList notes;  ///< what the logs do not show
    std::shared_ptr<const report::DataTable> communicators;  ///< a row each, as Job::communicators
    std::vector<TitledTable> tables;                         ///< calls, start-up, processes, settings, paths, warnings
};

/// The page of a job. O(lines kept).
[[nodiscard]] NetworkPage networkPage(const JobOfLogs& of);
/// Its findings and notes for RichText. A link of "communicator:3" leads to that communicator.
[[nodiscard]] QString networkHtml(const NetworkPage& page, const Theme& theme);
inline constexpr const char* kCommunicatorLink = "communicator:";

}  // namespace rankscope::ui
