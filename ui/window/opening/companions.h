// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/companions/companions.h"
#include "core/companions/find_companions.h"
#include "core/ingest/load.h"
#include "ui/panels/memory/open_snapshots.h"

namespace rankscope::ui {

/// What belongs to a job without being its trace, opened beside runs or alone.
struct Companions : JobCompanions {
    OpenSnapshots snapshots;

    /// Whether nothing is open.
    [[nodiscard]] bool empty() const { return snapshots.empty() && JobCompanions::empty(); }
    /// What is open, for the title of a window without runs: "first.pickle", "8 NCCL logs".
    [[nodiscard]] QStringList names() const;
    /// Their files, of each kind together, in the order of opening.
    [[nodiscard]] std::vector<QStringList> files() const;
    friend bool operator==(const Companions&, const Companions&) = default;
};

/// The kind that all of a few files are of, by their first bytes; nothing for several kinds, for many paths, which
/// would take too long, and for folders. Takes up to a millisecond a file.
[[nodiscard]] std::optional<CompanionKind> kindOfFewFiles(const QStringList& paths);

/// What is found under paths that are opened together.
struct FoundToOpen {
    Discovery runs;
    CompanionFiles companions;
};
/// Looks into files, folders and archives, whatever the names; hidden files and links in folders are skipped. Reads the
/// beginning of each file. With `one_run`, all traces are one run. What contains only companions is not an error.
[[nodiscard]] FoundToOpen findToOpen(std::vector<std::string> paths, bool one_run);
/// Files as they are among the files of a load.
[[nodiscard]] RunSource sourceOf(const std::vector<std::string>& files);

}  // namespace rankscope::ui
