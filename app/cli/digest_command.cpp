// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include <fmt/format.h>

#include <iostream>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/complain.h"
#include "app/exit_code.h"
#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/ingest/files/batch_cutter.h"
#include "core/request/digests.h"

namespace rankscope::cli {
namespace {

/// Prints and counts digests as they finish, one at a time.
class DigestProgress {
  public:
    /// `shared`: other processes have tasks too.
    DigestProgress(std::size_t all, bool shared) : all_(all), shared_(shared) {}

    void tell(const DigestTask& task, const Result<MadeDigest>& made, DurationNs took_ns) {
        const std::scoped_lock lock(mutex_);
        ++done_;
        if (made.failed() && !task.source.is_named && saysNoTrace(made.error())) {
            ++no_traces_;
            line(fmt::format("[{}/{}] {}: {}", done_, all_, printable(task.label), printable(made.error().cause)));
            return;
        }
        if (!made.ok()) {
            ++failed_;
            complain(made.failed() ? made.error() : Error{task.label, {}, "was cancelled"});
            return;
        }
        (made.value().was_up_to_date ? up_to_date_ : made_) += 1;
        line(fmt::format("[{}/{}] {}: {}", done_, all_, printable(task.label), wordsFor(made.value(), took_ns)));
    }
    /// Prints the last line and returns the exit code.
    [[nodiscard]] int finish() const {
        line(fmt::format("{}: {} made, {} up to date, {} failed{}", formatCounted(all_, "file"), made_, up_to_date_,
                         failed_, no_traces_ == 0 ? "" : fmt::format(", {} no trace", no_traces_)));
        const bool nothing = failed_ + no_traces_ == all_ && (failed_ > 0 || (no_traces_ > 0 && !shared_));
        return nothing ? kNothingReadable : failed_ > 0 ? kSomeUnreadable : kDone;
    }

  private:
    static void line(const std::string& text) { std::cout << text << std::endl; }  // flushed at once, also to a file
    static std::string wordsFor(const MadeDigest& made, DurationNs took_ns) {
        if (made.was_up_to_date) {
            return "up to date";
        }
        const std::string ranks = made.ranks == 1 ? "" : fmt::format(", {} ranks", made.ranks);
        return fmt::format("made, {}{}, in {}", sizeOf(made), ranks, formatDuration(took_ns));
    }
    static std::string sizeOf(const MadeDigest& made) {
        const std::string of = formatBytes(made.json_bytes) + " unpacked";
        if (made.bytes >= made.json_bytes) {  // for a small trace, the tables alone may be larger
            return fmt::format("{} for {}", formatBytes(made.bytes), of);
        }
        const double share = static_cast<double>(made.bytes) / static_cast<double>(made.json_bytes);
        return fmt::format("{}, {} of {}", formatBytes(made.bytes), formatPercent(share), of);
    }

    std::mutex mutex_;
    std::size_t all_;
    bool shared_;
    std::size_t done_ = 0;
    std::size_t made_ = 0;
    std::size_t up_to_date_ = 0;
    std::size_t failed_ = 0;
    std::size_t no_traces_ = 0;  // files of folders
};

/// The tasks of this process.
std::vector<DigestTask> ownTasks(std::vector<DigestTask> all, const Shard& shard) {
    std::vector<DigestTask> own;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (shard.has(i)) {
            own.push_back(std::move(all[i]));
        }
    }
    return own;
}

}  // namespace

int runDigest(const DigestRequest& request) {
    Result<std::vector<DigestTask>> planned = planDigests(request.paths, request.folder);
    if (!planned.ok()) {
        complain(planned.error());
        return kWrongUsage;
    }
    if (planned.value().empty()) {
        complain("there are no traces to digest");
        return kNothingReadable;
    }
    const std::size_t all = planned.value().size();
    const std::vector<DigestTask> tasks = ownTasks(std::move(planned).value(), request.shard);
    DigestProgress progress(tasks.size(), tasks.size() < all);
    makeDigests(tasks, request.jobs, [&](const DigestTask& task, const Result<MadeDigest>& made, DurationNs took_ns) {
        progress.tell(task, made, took_ns);
    });
    return progress.finish();
}

}  // namespace rankscope::cli
