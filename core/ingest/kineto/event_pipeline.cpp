// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/event_pipeline.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/ingest/files/batch_cutter.h"
#include "core/ingest/kineto/event_parser.h"

namespace rankscope {
namespace {

/// Full batches from the reader to the parsers, and empty ones back.
class BatchQueue {
  public:
    /// The number of batches that may wait; none before this call.
    void setLimit(std::size_t limit) {
        const std::scoped_lock lock(mutex_);
        limit_ = limit;
    }

    /// False if the queue is full: the caller should parse the batch itself.
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
    std::size_t limit_ = 0;
    bool closed_ = false;
};

/// The parsing threads. `finish` rethrows what one of them throws.
class Parsers {
  public:
    /// Starts a thread for each part after the first; fewer if the system gives no more, none at worst.
    Parsers(std::vector<PartialTrace>& parts, BatchQueue& queue, bool all_args, std::stop_token stop)
        : queue_(queue), all_args_(all_args), stop_(std::move(stop)) {
        threads_.reserve(parts.size());
        try {
            for (std::size_t i = 1; i < parts.size(); ++i) {
                threads_.emplace_back([this, &part = parts[i]] { parseAll(part); });
            }
        } catch (const std::system_error&) {  // the existing threads, and the reader, do the work
        } catch (...) {
            queue_.close();  // otherwise the running ones would wait forever
            throw;
        }
        queue_.setLimit(2 * threads_.size());
    }
    ~Parsers() { queue_.close(); }
    Parsers(const Parsers&) = delete;
    Parsers& operator=(const Parsers&) = delete;
    Parsers(Parsers&&) = delete;
    Parsers& operator=(Parsers&&) = delete;

    [[nodiscard]] bool failed() const { return failed_; }

    /// Waits until everything offered is parsed.
    void finish() {
        queue_.close();
        threads_.clear();
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
    }

  private:
    void parseAll(PartialTrace& into) {
        try {
            EventParser parser(into, all_args_);
            while (std::optional<TextBatch> batch = queue_.take()) {
                if (!stop_.stop_requested()) {
                    parser.parse(*batch, stop_);
                }
                queue_.giveBack(std::move(*batch));
            }
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            thrown_ = std::current_exception();
            failed_ = true;
        }
    }

    BatchQueue& queue_;
    bool all_args_;
    std::stop_token stop_;
    std::mutex mutex_;
    std::exception_ptr thrown_;
    std::atomic<bool> failed_ = false;
    std::vector<std::jthread> threads_;  // joined before the other members are destroyed
};

/// Whether the first events of `text` have their ranks in their args, as TraceFuse writes them.
bool namesRanks(std::string_view text) {
    constexpr std::size_t kLookedAt = std::size_t{64} * 1024;
    text = text.substr(0, kLookedAt);
    return text.find("\"rank\"") != std::string_view::npos && text.find("\"args\"") != std::string_view::npos;
}

/// Cuts the text into batches and has them parsed, also by this thread if the others fall behind.
void parseBatches(BatchCutter& cutter, const ByteStream& stream, std::vector<PartialTrace>& parts,
                  const ReadProgress& progress, const std::stop_token& stop) {
    TextBatch batch;
    bool more = !stop.stop_requested() && cutter.next(batch);
    const bool all_args = more && namesRanks(batch.text());
    BatchQueue queue;
    Parsers parsers(parts, queue, all_args, stop);
    EventParser own(parts.front(), all_args);
    while (more && !stop.stop_requested() && !parsers.failed()) {
        progress(stream.diskPosition(), cutter.position());
        if (queue.offer(batch)) {
            batch = queue.emptyBatch();
        } else {
            own.parse(batch, stop);
        }
        more = !stop.stop_requested() && !parsers.failed() && cutter.next(batch);
    }
    parsers.finish();
}

}  // namespace

Result<ReadFile> readEvents(ByteStream& stream, const std::string& path, unsigned threads, const ReadProgress& progress,
                            const std::stop_token& stop) {
    BatchCutter cutter(stream);
    const Result<bool> header = cutter.readHeader(path, stop);
    if (header.cancelled() || stop.stop_requested()) {  // this ends the stream early
        return Cancelled{};
    }
    if (!header.ok()) {
        return header.error();
    }
    ReadFile file;
    file.parts.resize(std::max(1U, threads));
    parseBatches(cutter, stream, file.parts, progress, stop);
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
    file.damage = stream.damage();
    file.truncated = file.damage || !saw_end;
    return file;
}

}  // namespace rankscope
