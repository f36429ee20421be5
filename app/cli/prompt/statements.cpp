// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/prompt/statements.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace rankscope::cli {
namespace {

/// What contains text in which a semicolon ends nothing.
struct Enclosed {
    std::string_view begin;
    std::string_view end;
    bool is_comment = false;
};
constexpr std::array<Enclosed, 6> kEnclosed = {
    {{"'", "'"}, {"\"", "\""}, {"`", "`"}, {"[", "]"}, {"--", "\n", true}, {"/*", "*/", true}}};

/// How a text begins: how long its first statement is, without the semicolon, whether there is one, and whether it
/// says anything.
struct Cut {
    std::size_t end = 0;
    bool is_complete = false;
    bool says_something = false;
};

Cut cutOf(std::string_view text) {
    Cut cut;
    while (cut.end < text.size() && !cut.is_complete) {
        const std::string_view rest = text.substr(cut.end);
        const auto* const inside =
            std::ranges::find_if(kEnclosed, [&](const Enclosed& each) { return rest.starts_with(each.begin); });
        if (inside != kEnclosed.end()) {
            cut.says_something = cut.says_something || !inside->is_comment;
            const std::size_t end = rest.find(inside->end, inside->begin.size());
            cut.end = end == std::string_view::npos ? text.size() : cut.end + end + inside->end.size();
        } else if (rest.front() == ';') {
            cut.is_complete = true;
        } else {
            cut.says_something = cut.says_something || std::isspace(static_cast<unsigned char>(rest.front())) == 0;
            ++cut.end;
        }
    }
    return cut;
}

}  // namespace

void Statements::add(std::string_view line) {
    text_ += line;
    text_ += '\n';
}

std::optional<std::string> Statements::next() {
    for (;;) {
        const Cut cut = cutOf(text_);
        if (!cut.is_complete) {
            return std::nullopt;
        }
        std::string statement = text_.substr(0, cut.end);
        text_.erase(0, text_.find_first_not_of(" \t\r\n", cut.end + 1));
        if (cut.says_something) {
            return statement;
        }
    }
}

std::optional<std::string> Statements::rest() {
    const bool has_begun = hasBegun();
    std::string text = std::exchange(text_, {});
    return has_begun ? std::optional(std::move(text)) : std::nullopt;
}

bool Statements::hasBegun() const {
    return cutOf(text_).says_something;
}

}  // namespace rankscope::cli
