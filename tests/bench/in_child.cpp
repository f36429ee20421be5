// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/in_child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <exception>

namespace rankscope::bench {
namespace {

[[noreturn]] void measureAndExit(int to, unsigned limit_s, const std::function<Figures()>& measure) {
    ::alarm(limit_s);  // ends the process, whatever its threads do
    int code = 1;
    try {
        const Figures figures = measure();
        code = ::write(to, figures.data(), sizeof figures) == static_cast<ssize_t>(sizeof figures) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    std::fflush(nullptr);
    ::_exit(code);
}

}  // namespace

std::optional<Figures> inChild(unsigned limit_s, const std::function<Figures()>& measure) {
    std::array<int, 2> ends{};
    std::fflush(nullptr);
    if (::pipe(ends.data()) != 0) {
        return std::nullopt;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        measureAndExit(ends[1], limit_s, measure);
    }
    ::close(ends[1]);
    Figures figures{};
    const bool whole =
        child > 0 && ::read(ends[0], figures.data(), sizeof figures) == static_cast<ssize_t>(sizeof figures);
    ::close(ends[0]);
    int status = 0;
    if (child > 0) {
        ::waitpid(child, &status, 0);
    }
    return whole ? std::optional(figures) : std::nullopt;
}

double processorSeconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace rankscope::bench
