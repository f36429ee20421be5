// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "core/analysis/collectives/collective_index.h"
#include "ui/panels/shared/open_runs.h"

namespace rankscope::ui {

class IndexStore;

/// Where the collectives of the open runs are, as far as that is built, out of a store that the timelines share.
class CollectiveIndices : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CollectiveIndices)

  public:
    /// `store` nullptr: one of its own.
    explicit CollectiveIndices(std::shared_ptr<IndexStore> store, QObject* parent = nullptr);
    ~CollectiveIndices() override;

    /// Wants the indices of these runs from the store, which builds those it does not have on a thread.
    void setRuns(const OpenRuns& runs);
    /// Of one of the runs; nullptr while it is being built.
    [[nodiscard]] std::shared_ptr<const CollectiveIndex> of(const AnalysedRun& run) const;

  Q_SIGNALS:
    /// One more of the runs has its index.
    void built();

  private:
    [[nodiscard]] std::size_t known() const;

    std::shared_ptr<IndexStore> store_;
    OpenRuns runs_;
    std::size_t told_ = 0;  // how many were known at the last check
};

}  // namespace rankscope::ui
