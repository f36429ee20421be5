// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_shell.h"

#include <csignal>
#include <sstream>

#include "core/remote/ssh_words.h"

namespace rankscope {

ChildResult RemoteShell::run(const std::string& script, const Streams& streams) const {
    if (options_.stop.stop_requested()) {
        return {128 + SIGTERM, {}, {}};
    }
    ChildRequest request;
    request.stop = options_.stop;
    request.arguments = options_.ssh;
    for (const char* const option : {"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o",
                                     "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4"}) {
        request.arguments.emplace_back(option);
    }
    if (remote_.port) {
        request.arguments.insert(request.arguments.end(), {"-p", std::to_string(*remote_.port)});
    }
    // The user's login shell may be of any kind; all of them start sh with quoted words in the same way.
    request.arguments.insert(request.arguments.end(), {"--", remote_.destination(), "exec sh -c " + shellWord(script)});
    request.input_file = streams.input_file;
    request.output_file = streams.output_file;
    request.on_error_line = streams.on_error_line;
    request.on_tick = streams.on_tick;
    return runChild(request);
}

Result<std::vector<std::string>> RemoteShell::ask(const std::string& script) const {
    const ChildResult result = run("echo " + std::string(kBegin) + "; " + script, {});
    if (const auto why = whySshFailed(remote_, result.code, result.err)) {
        return error(*why);
    }
    auto lines = linesBehindBegin(result.out);
    if (!lines) {
        const std::string_view said = lastLine(result.err);
        return error("there is no POSIX shell at the other end" + (said.empty() ? "" : ": " + std::string(said)));
    }
    return *std::move(lines);
}

std::optional<std::vector<std::string>> RemoteShell::linesBehindBegin(const std::string& printed) {
    std::istringstream stream(printed);
    std::optional<std::vector<std::string>> lines;
    for (std::string line; std::getline(stream, line);) {
        if (lines) {
            lines->push_back(line);
        } else if (line == kBegin) {
            lines.emplace();
        }
    }
    return lines;
}

std::string pathWord(const RemotePath& remote) {
    if (remote.path == "~") {
        return "\"$HOME\"";
    }
    return remote.path.starts_with("~/") ? "\"$HOME\"/" + shellWord(remote.path.substr(2)) : shellWord(remote.path);
}

}  // namespace rankscope
