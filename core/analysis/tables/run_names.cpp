// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/run_names.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/parallel.h"

namespace rankscope {
namespace {

/// Texts, each once, by the number of their first occurrence.
class Numbered {
  public:
    std::uint32_t operator()(std::string_view text) {
        const auto [at, first] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
        if (first) {
            texts_.push_back(text);
        }
        return at->second;
    }
    [[nodiscard]] const std::vector<std::string_view>& texts() const { return texts_; }
    [[nodiscard]] std::vector<std::string_view> take() { return std::move(texts_); }

  private:
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
    std::vector<std::string_view> texts_;
};

/// The ranks from `first` on for one thread.
struct Part {
    std::size_t first = 0;
    std::size_t last = 0;
    Numbered numbered;
};

std::vector<Part> partsOf(std::size_t ranks, std::size_t threads) {
    const std::size_t count = std::max<std::size_t>(1, std::min(threads, ranks));
    std::vector<Part> parts(count);
    for (std::size_t p = 0; p < count; ++p) {
        parts[p].first = ranks * p / count;
        parts[p].last = ranks * (p + 1) / count;
    }
    return parts;
}

}  // namespace

Result<std::shared_ptr<const RunNames>> RunNames::of(const Run& run, unsigned threads, const std::stop_token& stop) {
    auto names = std::make_shared<RunNames>();
    names->ranks_ = run.ranks;
    names->of_rank_.resize(run.ranks.size());
    std::vector<Part> parts = partsOf(run.ranks.size(), threadCount(threads));
    forEachIndex(parts.size(), parts.size(), [&](std::size_t p) {
        Part& part = parts[p];
        for (std::size_t rank = part.first; rank < part.last && !stop.stop_requested(); ++rank) {
            const StringPool& strings = run.ranks[rank]->strings;
            std::vector<std::uint32_t>& of_rank = names->of_rank_[rank];
            of_rank.resize(strings.size());
            for (std::uint32_t id = 0; id < of_rank.size(); ++id) {
                of_rank[id] = part.numbered(strings.view(StringId(id)));
            }
        }
    });
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    Numbered all = std::move(parts.front().numbered);
    for (std::size_t p = 1; p < parts.size(); ++p) {
        std::vector<std::uint32_t> now(parts[p].numbered.texts().size());
        std::ranges::transform(parts[p].numbered.texts(), now.begin(), std::ref(all));
        for (std::size_t rank = parts[p].first; rank < parts[p].last; ++rank) {
            for (std::uint32_t& text : names->of_rank_[rank]) {
                text = now[text];
            }
        }
    }
    names->texts_ = all.take();
    return std::shared_ptr<const RunNames>(std::move(names));
}

}  // namespace rankscope
