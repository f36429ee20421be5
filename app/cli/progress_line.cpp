// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_line.h"

#include <unistd.h>

#include <iostream>

#include "app/cli/complain.h"
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

void OnStandardError::progress(const Progress& at) {
    line_.show(at.stage, at.done, at.total);
}

void OnStandardError::note(const std::string& text) {
    line_.clear();
    complain(text);
}

void OnStandardError::failure(const Error& error) {
    note(error.text());
}

}  // namespace rankscope::cli
