// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/collective_indices.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ui/timeline/index_store.h"

namespace rankscope::ui {

CollectiveIndices::CollectiveIndices(std::shared_ptr<IndexStore> store, QObject* parent)
    : QObject(parent), store_(store ? std::move(store) : std::make_shared<IndexStore>()) {
    connect(store_.get(), &IndexStore::built, this, [this] {
        const std::size_t now = known();
        if (std::exchange(told_, now) < now) {
            Q_EMIT built();
        }
    });
}

CollectiveIndices::~CollectiveIndices() {
    store_->forget(this);
}

void CollectiveIndices::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    std::vector<RankSource> wanted;
    for (const auto& run : runs) {
        wanted.push_back({nullptr, run, nullptr});
    }
    store_->want(wanted, this);
    told_ = known();
}

std::shared_ptr<const CollectiveIndex> CollectiveIndices::of(const AnalysedRun& run) const {
    const auto index = store_->find(&run);
    return index ? std::shared_ptr<const CollectiveIndex>(index, &index->collectives) : nullptr;
}

std::size_t CollectiveIndices::known() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(runs_, [this](const auto& run) { return of(*run) != nullptr; }));
}

}  // namespace rankscope::ui
