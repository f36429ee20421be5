// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/event_args.h"

#include <algorithm>
#include <cctype>

namespace rankscope::ui {
namespace {

/// Walks over JSON text without changing it. It looks for the ends of values only, so that text which a strict parser
/// refuses (NaN, N/A) is still shown.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    [[nodiscard]] bool done() const { return at_ >= text_.size(); }
    [[nodiscard]] char here() const { return done() ? '\0' : text_[at_]; }
    void skip() { ++at_; }

    void skipBlanks() {
        while (!done() && std::isspace(static_cast<unsigned char>(here())) != 0) {
            ++at_;
        }
    }

    /// A string with its quotes, from the quote that stands here.
    std::string_view quoted() {
        const std::size_t start = at_;
        for (skip(); !done() && here() != '"'; skip()) {
            if (here() == '\\') {
                skip();
            }
        }
        skip();
        return from(start);
    }

    /// A value of any kind, up to the comma or bracket that ends it.
    std::string_view value() {
        const std::size_t start = at_;
        int depth = 0;
        while (!done()) {
            const char c = here();
            if (c == '"') {
                (void)quoted();
                continue;
            }
            if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
                break;
            }
            depth += c == '{' || c == '[' ? 1 : 0;
            depth -= c == '}' || c == ']' ? 1 : 0;
            skip();
        }
        std::string_view found = from(start);
        while (!found.empty() && std::isspace(static_cast<unsigned char>(found.back())) != 0) {
            found.remove_suffix(1);
        }
        return found;
    }

  private:
    [[nodiscard]] std::string_view from(std::size_t start) const {
        const std::size_t end = std::min(at_, text_.size());
        return text_.substr(start, end - start);
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

std::string unquoted(std::string_view quoted) {
    std::string out;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        const bool simple_escape =
            quoted[i] == '\\' && (quoted[i + 1] == '"' || quoted[i + 1] == '\\' || quoted[i + 1] == '/');
        i += simple_escape ? 1 : 0;
        out += quoted[i];
    }
    return out;
}

}  // namespace

std::vector<RawMember> rawMembers(std::string_view object) {
    std::vector<RawMember> members;
    Scanner scan(object);
    scan.skipBlanks();
    if (scan.here() != '{') {
        return members;
    }
    scan.skip();
    while (true) {
        scan.skipBlanks();
        if (scan.here() == ',') {
            scan.skip();
            continue;
        }
        if (scan.here() != '"') {
            return members;
        }
        const std::string_view key = scan.quoted();
        scan.skipBlanks();
        if (scan.here() != ':') {
            return members;
        }
        scan.skip();
        scan.skipBlanks();
        members.push_back({unquoted(key), std::string(scan.value())});
    }
}

std::vector<RawMember> rawArgs(std::string_view event) {
    for (const RawMember& member : rawMembers(event)) {
        if (member.key == "args") {
            return rawMembers(member.value);
        }
    }
    return {};
}

}  // namespace rankscope::ui
