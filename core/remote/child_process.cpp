// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace rankscope {
namespace {

constexpr int kNotStarted = 127;  // like shells

/// One end of a pipe, or a file.
class Descriptor {
  public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] bool isOpen() const { return fd_ >= 0; }
    void close() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
        fd_ = -1;
    }
    void reset(int fd) {
        close();
        fd_ = fd;
    }

  private:
    int fd_;
};

struct Pipe {
    Descriptor read;
    Descriptor write;

    [[nodiscard]] bool open() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            return false;
        }
        read.reset(ends[0]);
        write.reset(ends[1]);
        return true;
    }
};

/// The program's streams: its input, and pipes for its output.
struct Streams {
    Descriptor in;
    Descriptor out_file;
    Pipe out;
    Pipe err;

    /// Opens the streams; returns why that failed, or an empty text.
    [[nodiscard]] std::string open(const ChildRequest& request) {
        const std::string& input = request.input_file.empty() ? "/dev/null" : request.input_file;
        in.reset(::open(input.c_str(), O_RDONLY | O_CLOEXEC));
        if (!in.isOpen()) {
            return input + ": " + std::generic_category().message(errno);
        }
        if (!request.output_file.empty()) {
            out_file.reset(::open(request.output_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
            if (!out_file.isOpen()) {
                return request.output_file + ": " + std::generic_category().message(errno);
            }
        } else if (!out.open()) {
            return std::generic_category().message(errno);
        }
        return err.open() ? std::string() : std::generic_category().message(errno);
    }
};

/// Starts the program; returns its id, or nothing and sets errno.
pid_t start(const std::vector<std::string>& arguments, const Streams& streams) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, streams.in.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(
        &files, streams.out_file.isOpen() ? streams.out_file.get() : streams.out.write.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, streams.err.write.get(), STDERR_FILENO);
    std::vector<std::string> copies = arguments;
    std::vector<char*> argv;
    for (std::string& argument : copies) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    pid_t child = -1;
    const int failed = posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    errno = failed;
    return failed == 0 ? child : -1;
}

/// Reads once from a pipe into `out`; closes it at its end.
void readSome(Descriptor& from, std::string& out) {
    std::array<char, 65'536> buffer{};
    const ssize_t count = ::read(from.get(), buffer.data(), buffer.size());
    if (count > 0) {
        out.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
        from.close();
    }
}

/// Reports the complete lines of `err` from `told` on; returns where the next begins.
std::size_t tellLines(const std::string& err, std::size_t told, const std::function<void(std::string_view)>& to) {
    for (std::size_t end = 0; (end = err.find('\n', told)) != std::string::npos; told = end + 1) {
        if (to) {
            to(std::string_view(err).substr(told, end - told));
        }
    }
    return told;
}

void readToTheEnd(Streams& streams, const ChildRequest& request, ChildResult& result) {
    constexpr int kLookMs = 100;  // between two checks of the stop, and between two ticks
    std::size_t told = 0;
    while ((streams.out.read.isOpen() || streams.err.read.isOpen()) && !request.stop.stop_requested()) {
        std::array<pollfd, 2> waits{{{streams.out.read.get(), POLLIN, 0}, {streams.err.read.get(), POLLIN, 0}}};
        const bool looks_up = request.stop.stop_possible() || request.on_tick;
        if (::poll(waits.data(), waits.size(), looks_up ? kLookMs : -1) < 0 && errno != EINTR) {
            return;
        }
        if (request.on_tick) {
            request.on_tick();
        }
        if (waits[0].revents != 0) {
            readSome(streams.out.read, result.out);
            result.out.resize(std::min(result.out.size(), ChildResult::kMostOutput));
        }
        if (waits[1].revents != 0) {
            readSome(streams.err.read, result.err);
            told = tellLines(result.err, told, request.on_error_line);
            const std::size_t excess = result.err.size() - std::min(result.err.size(), ChildResult::kMostOutput);
            result.err.erase(0, excess);
            told -= std::min(told, excess);
        }
    }
}

int codeOf(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return kNotStarted;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ChildResult runChild(const ChildRequest& request) {
    Streams streams;
    if (std::string why = streams.open(request); !why.empty()) {
        return {kNotStarted, {}, std::move(why)};
    }
    const pid_t child = start(request.arguments, streams);
    if (child < 0) {
        return {kNotStarted, {}, request.arguments.front() + ": " + std::generic_category().message(errno)};
    }
    streams.out.write.close();
    streams.err.write.close();
    ChildResult result;
    readToTheEnd(streams, request, result);
    if (request.stop.stop_requested()) {
        ::kill(child, SIGTERM);
    }
    result.code = codeOf(child);
    return result;
}

std::string shellWord(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return out + "'";
}

}  // namespace rankscope
