// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/ssh_words.h"

#include <algorithm>
#include <array>

#include "core/remote/child_process.h"

namespace rankscope {
namespace {

constexpr int kOfSshItself = 255;  // ssh(1), exit status
constexpr int kNoSuchProgram = 127;

enum class Trouble { KeyChanged, KeyUnknown, Refused, NoSuchHost, NotListening, Unreachable, BrokenOff };

struct Sign {
    std::string_view text;  ///< as OpenSSH 6 to 9 print it, in any locale
    Trouble trouble;
};

// In this order: a changed key is also reported as one that cannot be verified.
constexpr std::array<Sign, 13> kSigns = {{
    {"HOST IDENTIFICATION HAS CHANGED", Trouble::KeyChanged},
    {"Host key verification failed", Trouble::KeyUnknown},
    {"Permission denied", Trouble::Refused},
    {"Too many authentication failures", Trouble::Refused},
    {"Could not resolve hostname", Trouble::NoSuchHost},
    {"Connection refused", Trouble::NotListening},
    {"timed out", Trouble::Unreachable},
    {"No route to host", Trouble::Unreachable},
    {"Network is unreachable", Trouble::Unreachable},
    {"closed by remote host", Trouble::BrokenOff},
    {"Connection closed", Trouble::BrokenOff},
    {"Connection reset", Trouble::BrokenOff},
    {"Broken pipe", Trouble::BrokenOff},
}};

/// The port in ssh's own line, " on port 2222" for "connect to host gpu1 port 2222: Connection refused": it may come
/// from ~/.ssh/config. Empty if there is none.
std::string onPort(std::string_view printed) {
    constexpr std::string_view kWord = " port ";
    const std::size_t line = printed.find("connect to host ");
    const std::size_t at = line == std::string_view::npos ? line : printed.find(kWord, line);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view rest = printed.substr(at + kWord.size());
    const std::string_view number = rest.substr(0, rest.find_first_not_of("0123456789"));
    return number.empty() ? std::string() : " on port " + std::string(number);
}

/// The host's name in known_hosts, as a word of a shell: as in ssh's "Host key for [gpu1]:2222 has changed", since the
/// user may have typed an alias from ~/.ssh/config.
std::string knownHost(const RemotePath& remote, std::string_view printed) {
    constexpr std::string_view kBefore = "Host key for ";
    const std::size_t at = printed.find(kBefore);
    const std::size_t end = at == std::string_view::npos ? at : printed.find(" has changed", at);
    if (end != std::string_view::npos) {
        return shellWord(printed.substr(at + kBefore.size(), end - at - kBefore.size()));
    }
    return shellWord(remote.port ? "[" + remote.host + "]:" + std::to_string(*remote.port) : remote.host);
}

std::string wordsFor(Trouble trouble, const RemotePath& remote, std::string_view printed) {
    const std::string& host = remote.host;
    const std::string by_hand =
        "ssh " + (remote.port ? "-p " + std::to_string(*remote.port) + " " : std::string()) + remote.destination();
    switch (trouble) {
        case Trouble::KeyChanged:
            return "the key of " + host +
                   " differs from the one known here. If its administrator confirms the change, remove the old one "
                   "with `ssh-keygen -R " +
                   knownHost(remote, printed) + "` and run `" + by_hand + "` once";
        case Trouble::KeyUnknown:
            return "the key of " + host + " is not known here. Run `" + by_hand +
                   "` once, compare the fingerprint with the host's, and accept it";
        case Trouble::Refused:
            return host +
                   " accepts none of your keys and asks for a password, but Rankscope cannot enter one. Put a key "
                   "there with `ssh-copy-id`, load a key with `ssh-add`, or keep a connection open with `" +
                   by_hand + "` and ControlMaster in ~/.ssh/config";
        case Trouble::NoSuchHost: return "there is no host " + host + ", nor is it in ~/.ssh/config";
        case Trouble::NotListening: return host + " responds, but no ssh server listens" + onPort(printed);
        case Trouble::Unreachable: return host + " cannot be reached from here";
        case Trouble::BrokenOff: return "the connection to " + host + " broke off";
    }
    return {};
}

std::optional<Trouble> troubleOf(std::string_view printed) {
    const auto* const sign =
        std::ranges::find_if(kSigns, [&](const Sign& one) { return printed.find(one.text) != std::string_view::npos; });
    return sign == kSigns.end() ? std::nullopt : std::optional(sign->trouble);
}

}  // namespace

bool brokeOff(int code, std::string_view printed) {
    return code == kOfSshItself && troubleOf(printed) == Trouble::BrokenOff;
}

std::string_view lastLine(std::string_view printed) {
    const std::size_t end = printed.find_last_not_of(" \r\n");
    if (end == std::string_view::npos) {
        return {};
    }
    printed = printed.substr(0, end + 1);
    return printed.substr(printed.rfind('\n') + 1);  // npos + 1 is 0
}

std::optional<std::string> firstComplaintIn(std::string_view printed) {
    constexpr std::string_view kComplaint = "rankscope-cli: ";
    std::string_view first;
    std::size_t more = 0;
    for (std::size_t at = 0; at < printed.size();) {
        const std::size_t end = std::min(printed.find('\n', at), printed.size());
        const std::string_view line = printed.substr(at, end - at);
        if (line.starts_with(kComplaint)) {
            more += first.empty() ? 0U : 1U;
            first = first.empty() ? line.substr(kComplaint.size()) : first;
        }
        at = end + 1;
    }
    if (first.empty()) {
        return std::nullopt;
    }
    return std::string(first) + (more > 0 ? " (and " + std::to_string(more) + " more)" : "");
}

std::string complaintIn(std::string_view printed) {
    return firstComplaintIn(printed).value_or(std::string(lastLine(printed)));
}

std::optional<std::string> whySshFailed(const RemotePath& remote, int code, std::string_view printed) {
    if (code == kNoSuchProgram && printed.find("No such file") != std::string_view::npos) {
        return "there is no ssh on this machine: install an OpenSSH client (" + std::string(lastLine(printed)) + ")";
    }
    if (code != kOfSshItself) {
        return std::nullopt;
    }
    if (const std::optional<Trouble> trouble = troubleOf(printed)) {
        return wordsFor(*trouble, remote, printed);
    }
    const std::string_view said = lastLine(printed);
    return "ssh did not reach " + remote.host + (said.empty() ? "" : ": " + std::string(said));
}

}  // namespace rankscope
