// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/index_store.h"

#include <algorithm>

namespace rankscope::ui {

std::uint32_t nameHash(std::string_view name) {
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char c : name) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return hash;
}

std::shared_ptr<const RankIndex> buildRankIndex(const RankTrace& rank, const std::atomic<bool>& stop) {
    auto index = std::make_shared<RankIndex>();
    index->names.reserve(rank.strings.size());
    for (std::uint32_t i = 0; i < rank.strings.size(); ++i) {
        const std::string_view name = rank.strings.view(StringId(i));
        index->names.push_back({nameHash(name), shadeOf(name)});
    }
    index->tracks.reserve(rank.tracks.size());
    for (const Track& track : rank.tracks) {
        if (stop) {
            return nullptr;
        }
        index->tracks.emplace_back(track);
    }
    return index;
}

IndexStore::IndexStore(QObject* parent) : QObject(parent) {}

IndexStore::~IndexStore() {
    for (auto& [rank, job] : jobs_) {
        job->stop = true;
    }
    pool_.clear();
    pool_.waitForDone();
}

void IndexStore::want(const std::vector<std::shared_ptr<const RankTrace>>& ranks) {
    std::erase_if(jobs_, [&](const auto& entry) {
        const bool unwanted = std::ranges::none_of(ranks, [&](const auto& r) { return r.get() == entry.first; });
        if (unwanted) {
            entry.second->stop = true;
        }
        return unwanted;
    });
    for (const auto& rank : ranks) {
        if (jobs_.contains(rank.get())) {
            continue;
        }
        auto job = std::make_shared<Job>();
        job->rank = rank;
        jobs_.emplace(rank.get(), job);
        pool_.start([this, job] {
            job->result = buildRankIndex(*job->rank, job->stop);
            if (!job->stop) {
                // Runs on the GUI thread; the store waits for its jobs before it dies, so `this` is alive here.
                QMetaObject::invokeMethod(
                    this, [this, job] { collect(job); }, Qt::QueuedConnection);
            }
        });
    }
}

void IndexStore::collect(const std::shared_ptr<Job>& job) {
    if (job->stop || job->index != nullptr || job->result == nullptr) {
        return;
    }
    job->index = job->result;
    Q_EMIT built();
}

std::shared_ptr<const RankIndex> IndexStore::find(const RankTrace* rank) const {
    const auto job = jobs_.find(rank);
    return job != jobs_.end() ? job->second->index : nullptr;
}

void IndexStore::finish() {
    pool_.waitForDone();
    for (const auto& [rank, job] : std::map(jobs_)) {
        collect(job);
    }
}

}  // namespace rankscope::ui
