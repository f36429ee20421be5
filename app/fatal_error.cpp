// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/fatal_error.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include "app/exit_code.h"

namespace rankscope {
namespace {

const char* g_program = "";  // for the handler below, which takes no arguments

/// One line, with one write: other threads may be writing too, and memory for stream buffers may have run out.
void tell(const char* program, const char* what, const char* detail) noexcept {
    std::array<char, 512> line{};
    const int length =
        std::snprintf(line.data(), line.size() - 1, "%s: %s%s%s", program, what, detail[0] == '\0' ? "" : ": ", detail);
    std::size_t end = length < 0 ? 0 : static_cast<std::size_t>(length);
    end = end < line.size() - 1 ? end : line.size() - 2;
    for (std::size_t i = 0; i < end; ++i) {
        const auto byte = static_cast<unsigned char>(line[i]);
        line[i] = byte < 0x20 || byte == 0x7f ? '?' : line[i];  // it may contain a file's name
    }
    line[end] = '\n';
    if (write(STDERR_FILENO, line.data(), end + 1) < 0) {
        return;  // standard error is closed
    }
}

[[noreturn]] void terminated() noexcept {
    if (std::current_exception()) {
        try {
            throw;
        } catch (...) {
            tellFatalError(g_program);
        }
    } else {
        tell(g_program, "internal error", "");
    }
    _exit(kInternalError);
}

}  // namespace

int tellFatalError(const char* program) noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        tell(program, "out of memory", "");
    } catch (const std::system_error& error) {
        const bool threads = error.code() == std::errc::resource_unavailable_try_again;
        tell(program, threads ? "no more threads can be started" : "the system refused a resource", error.what());
    } catch (const std::exception& error) {
        tell(program, "internal error", error.what());
    } catch (...) {
        tell(program, "internal error", "");
    }
    return kInternalError;
}

void endOnUncaughtExceptions(const char* program) noexcept {
    g_program = program;
    std::set_terminate(terminated);
}

}  // namespace rankscope
