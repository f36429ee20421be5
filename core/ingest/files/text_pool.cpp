// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/text_pool.h"

#include <algorithm>
#include <utility>

namespace rankscope {

/// A stream of the pool while it is being read.
class TextPool::Lent final : public ByteStream {
  public:
    Lent(std::shared_ptr<TextPool> pool, Idle lent) : pool_(std::move(pool)), lent_(std::move(lent)) {}
    ~Lent() override {
        if (!lent_.stream->damage()) {
            pool_->giveBack(std::move(lent_));
        }
    }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    Lent(Lent&&) = delete;
    Lent& operator=(Lent&&) = delete;

    std::size_t read(std::span<char> to) override {
        lent_.stream->stopWhen(stop_);
        const std::size_t got = lent_.stream->read(to);
        lent_.position += got;
        damage_ = lent_.stream->damage();
        return got;
    }
    [[nodiscard]] std::uint64_t diskPosition() const override { return lent_.stream->diskPosition(); }
    [[nodiscard]] SeekIndex seekIndex() const override { return {}; }

  private:
    std::shared_ptr<TextPool> pool_;
    Idle lent_;
};

TextPool::TextPool(std::string path, std::shared_ptr<const SeekIndex> index)
    : path_(std::move(path)), index_(std::move(index)) {}

TextPool::Idle TextPool::take(std::uint64_t offset) {
    const std::scoped_lock lock(mutex_);
    std::size_t best = idle_.size();
    for (std::size_t i = 0; i < idle_.size(); ++i) {
        const bool is_before = idle_[i].position <= offset;
        if (is_before && (best == idle_.size() || idle_[i].position > idle_[best].position)) {
            best = i;
        }
    }
    // A stream that is far behind is more useful for a member there, if a checkpoint is nearer.
    if (best == idle_.size() || index_->nearestStart(offset) > idle_[best].position) {
        return {};
    }
    Idle taken = std::move(idle_[best]);
    idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(best));
    return taken;
}

void TextPool::giveBack(Idle idle) {
    constexpr std::size_t kMostIdle = 64;
    const std::scoped_lock lock(mutex_);
    if (idle_.size() >= kMostIdle) {
        idle_.erase(std::ranges::min_element(idle_, {}, &Idle::position));
    }
    idle_.push_back(std::move(idle));
}

Result<std::unique_ptr<ByteStream>> TextPool::openAt(std::uint64_t offset) {
    Idle from = take(offset);
    if (from.stream) {
        skipText(*from.stream, offset - from.position);
    } else {
        Result<std::unique_ptr<ByteStream>> opened = index_->openAt(path_, offset);
        if (!opened.ok()) {
            return opened;
        }
        from.stream = std::move(opened).value();
    }
    from.position = offset;
    std::unique_ptr<ByteStream> lent = std::make_unique<Lent>(shared_from_this(), std::move(from));
    return lent;
}

}  // namespace rankscope
