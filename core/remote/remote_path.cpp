// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/remote_path.h"

#include <algorithm>
#include <charconv>

namespace rankscope {
namespace {

constexpr std::string_view kScheme = "ssh://";
constexpr int kLastPort = 65'535;

std::optional<int> numberOf(std::string_view text, int base) {
    int value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, base);
    return error == std::errc() && stop == end && value >= 0 ? std::optional(value) : std::nullopt;
}

/// Replaces "%2f" and the like by their bytes. A "%" without two hexadecimal digits is kept.
std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view digits = text.substr(i + 1, 2);
        const std::optional<int> byte = text[i] == '%' && digits.size() == 2 ? numberOf(digits, 16) : std::nullopt;
        out.push_back(byte ? static_cast<char>(*byte) : text[i]);
        i += byte ? 2U : 0U;
    }
    return out;
}

bool hasControlCharacters(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// Whether ssh takes it for a name, not for an option or a command of its configuration.
bool isName(std::string_view text) {
    constexpr std::string_view kRefused = " '\"\\`$;&|<>(){}*?!#";
    return !text.empty() && text.front() != '-' && text.find_first_of(kRefused) == std::string_view::npos &&
           !hasControlCharacters(text);
}

/// The position of the port in "host:port" or "[address]:port": at the colon, or after the end.
std::size_t colonOf(std::string_view host_and_port) {
    const std::size_t bracket = host_and_port.starts_with('[') ? host_and_port.find(']') : 0;
    return std::min(host_and_port.find(':', bracket), host_and_port.size());
}

std::string withoutBrackets(std::string_view host) {
    const bool has = host.starts_with('[') && host.ends_with(']');
    return std::string(has ? host.substr(1, host.size() - 2) : host);
}

}  // namespace

std::string RemotePath::destination() const {
    return user.empty() ? host : user + "@" + host;
}

std::string RemotePath::text() const {
    const bool is_address = host.find(':') != std::string::npos;
    std::string out(kScheme);
    out += user.empty() ? "" : user + "@";
    out += is_address ? "[" + host + "]" : host;
    out += port ? ":" + std::to_string(*port) : "";
    return out + (path.starts_with('/') ? "" : "/") + path;
}

bool isRemotePath(std::string_view text) {
    return text.starts_with(kScheme);
}

Result<RemotePath> parseRemotePath(std::string_view text) {
    const auto wrong = [text](const char* why) { return Error{std::string(text), {}, why}; };
    if (!isRemotePath(text)) {
        return wrong("is not of the form ssh://host/path");
    }
    const std::string_view rest = text.substr(kScheme.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    std::string_view authority = rest.substr(0, slash);
    RemotePath out;
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
        out.user = unescaped(authority.substr(0, at));
        authority.remove_prefix(at + 1);
        if (!isName(out.user)) {
            return wrong("has no valid user name");
        }
    }
    const std::size_t colon = colonOf(authority);
    out.host = withoutBrackets(authority.substr(0, colon));
    if (!isName(out.host)) {
        return wrong("has no valid host name");
    }
    if (colon < authority.size()) {
        out.port = numberOf(authority.substr(colon + 1), 10);
        if (!out.port || *out.port < 1 || *out.port > kLastPort) {
            return wrong("has no port from 1 to 65535 after the colon");
        }
    }
    out.path = unescaped(rest.substr(slash));
    if (out.path.starts_with("/~/") || out.path == "/~") {
        out.path.erase(0, 1);
    }
    if (out.path.empty() || out.path == "/" || hasControlCharacters(out.path)) {
        return wrong("names no file or folder on the host; write ssh://host/path");
    }
    return out;
}

}  // namespace rankscope
