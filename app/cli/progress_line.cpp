// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_line.h"

#include <unistd.h>

#include <iostream>
#include <numeric>

#include "core/base/utf8.h"

namespace rankscope::cli {
namespace {

constexpr std::chrono::milliseconds kBetween{100};
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    clear();
}

void ProgressLine::show(const std::string& what, std::uint64_t done, std::uint64_t total) {
    if (!terminal_) {
        return;
    }
    const std::scoped_lock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (drawn_ && now - last_ < kBetween) {
        return;
    }
    drawn_ = true;
    last_ = now;
    std::cerr << kClearLine << printable(what);
    if (total > 0) {
        std::cerr << ": " << done * 100 / total << " %";
    }
    std::cerr << std::flush;
}

void ProgressLine::clear() {
    const std::scoped_lock lock(mutex_);
    if (drawn_) {
        std::cerr << kClearLine << std::flush;
        drawn_ = false;
    }
}

LoadProgress::LoadProgress(const RunSource& source, ProgressLine& line)
    : name_(source.name), line_(line), done_(source.files.size()) {
    for (const FileSource& file : source.files) {
        total_ += file.bytes;
    }
}

void LoadProgress::fileProgress(std::size_t file, std::uint64_t done, std::uint64_t /*total*/,
                                std::uint64_t /*json_bytes*/) {
    done_[file] = done;
    line_.show("reading " + name_, std::accumulate(done_.begin(), done_.end(), std::uint64_t{0}), total_);
}

void LoadProgress::fileFailed(std::size_t /*file*/, const Error& error) {
    failures_.push_back(error);
}

}  // namespace rankscope::cli
