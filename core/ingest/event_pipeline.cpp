// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/event_pipeline.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "core/ingest/batch_cutter.h"
#include "core/ingest/event_parser.h"

namespace rankscope {
namespace {

/// Batches on their way from the reader to the parsers, and empty ones on their way back.
class BatchQueue {
  public:
    explicit BatchQueue(std::size_t limit) : limit_(limit) {}

    /// False where the queue is full: the caller should parse the batch itself.
    bool offer(TextBatch& batch) {
        {
            const std::scoped_lock lock(mutex_);
            if (waiting_.size() >= limit_) {
                return false;
            }
            waiting_.push_back(std::move(batch));
        }
        ready_.notify_one();
        return true;
    }

    /// The next batch; nothing when the reader has closed the queue and it is empty.
    std::optional<TextBatch> take() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
        if (waiting_.empty()) {
            return std::nullopt;
        }
        TextBatch batch = std::move(waiting_.front());
        waiting_.pop_front();
        return batch;
    }

    void giveBack(TextBatch batch) {
        const std::scoped_lock lock(mutex_);
        empty_.push_back(std::move(batch));
    }

    TextBatch emptyBatch() {
        const std::scoped_lock lock(mutex_);
        if (empty_.empty()) {
            return {};
        }
        TextBatch batch = std::move(empty_.back());
        empty_.pop_back();
        return batch;
    }

    void close() {
        {
            const std::scoped_lock lock(mutex_);
            closed_ = true;
        }
        ready_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<TextBatch> waiting_;
    std::vector<TextBatch> empty_;
    std::size_t limit_;
    bool closed_ = false;
};

void parseAll(BatchQueue& queue, PartialTrace& into) {
    EventParser parser(into);
    while (std::optional<TextBatch> batch = queue.take()) {
        parser.parse(*batch);
        queue.giveBack(std::move(*batch));
    }
}

}  // namespace

Result<ReadFile> readEvents(ByteStream& stream, const std::string& path, unsigned threads, const ReadProgress& progress,
                            const std::stop_token& stop) {
    BatchCutter cutter(stream);
    const Result<bool> header = cutter.readHeader(path);
    if (!header.ok()) {
        return header.error();
    }
    ReadFile file;
    file.parts.resize(std::max(1U, threads));
    BatchQueue queue(2 * static_cast<std::size_t>(file.parts.size() - 1));
    {
        std::vector<std::jthread> parsers;
        for (std::size_t i = 1; i < file.parts.size(); ++i) {
            parsers.emplace_back([&queue, &part = file.parts[i]] { parseAll(queue, part); });
        }
        EventParser own(file.parts.front());
        TextBatch batch = queue.emptyBatch();
        while (!stop.stop_requested() && cutter.next(batch)) {
            progress(stream.diskPosition(), cutter.position());
            if (queue.offer(batch)) {
                batch = queue.emptyBatch();
            } else {
                own.parse(batch);
            }
        }
        queue.close();
    }
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    file.metadata = cutter.metadata();
    bool saw_end = false;
    for (PartialTrace& part : file.parts) {
        saw_end = saw_end || part.saw_end;
        file.metadata.insert(file.metadata.end(), part.metadata.begin(), part.metadata.end());
    }
    file.json_bytes = cutter.position();
    file.truncated = stream.damage().has_value() || !saw_end;
    return file;
}

}  // namespace rankscope
