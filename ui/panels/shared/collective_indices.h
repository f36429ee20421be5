// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "core/analysis/collectives/collective_index.h"
#include "ui/panels/shared/open_runs.h"

namespace rankscope::ui {

class IndexStore;

/// The indices of the collectives of the open runs, as far as they are built, from a store that the timelines share.
class CollectiveIndices : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CollectiveIndices)

  public:
    /// `store` nullptr: its own store.
    explicit CollectiveIndices(std::shared_ptr<IndexStore> store, QObject* parent = nullptr);
    ~CollectiveIndices() override;

    /// Requests the indices of these runs from the store, which builds missing ones on a thread.
    void setRuns(const OpenRuns& runs);
    /// The index of one of the runs; nullptr while it is being built.
    [[nodiscard]] std::shared_ptr<const CollectiveIndex> of(const AnalysedRun& run) const;

  Q_SIGNALS:
    /// The index of one more run is there.
    void built();

  private:
    [[nodiscard]] std::size_t known() const;

    std::shared_ptr<IndexStore> store_;
    OpenRuns runs_;
    std::size_t told_ = 0;  // number of known indices at the last check
};

}  // namespace rankscope::ui
