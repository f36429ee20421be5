// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/format_factor.h"
#include "core/base/suggestion.h"
#include "core/whatif/change.h"

namespace rankscope {
namespace {

constexpr std::array<std::string_view, 7> kPlaceholders = {"REGEX", "NAME", "GB", "F", "R", "W", "N"};

/// A piece of a form: literal text, or a placeholder.
struct FormPiece {
    std::string_view text;
    bool value = false;
};

std::vector<FormPiece> piecesOf(std::string_view form) {
    std::vector<FormPiece> pieces;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < form.size();) {
        const auto found = std::ranges::find_if(
            kPlaceholders, [&](std::string_view word) { return form.substr(at).starts_with(word); });
        if (found == kPlaceholders.end()) {
            ++at;
            continue;
        }
        if (at > begin) {
            pieces.push_back({form.substr(begin, at - begin)});
        }
        pieces.push_back({*found, true});
        at += found->size();
        begin = at;
    }
    if (begin < form.size()) {
        pieces.push_back({form.substr(begin)});
    }
    return pieces;
}

/// The texts of the placeholders if `text` has the form; a name reaches to the last place that fits.
std::optional<std::vector<std::pair<std::string_view, std::string_view>>> matchForm(std::string_view form,
                                                                                    std::string_view text) {
    std::vector<std::pair<std::string_view, std::string_view>> values;
    const std::vector<FormPiece> pieces = piecesOf(form);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (!pieces[i].value) {
            if (!text.starts_with(pieces[i].text)) {
                return std::nullopt;
            }
            text.remove_prefix(pieces[i].text.size());
            continue;
        }
        const std::size_t end = i + 1 < pieces.size() ? text.rfind(pieces[i + 1].text) : text.size();
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        values.emplace_back(pieces[i].text, text.substr(0, end));
        text.remove_prefix(end);
    }
    return text.empty() ? std::optional(values) : std::nullopt;
}

Error complaint(std::string_view text, const std::string& cause) {
    return {.path = {}, .byte_offset = {}, .cause = "\"" + std::string(text) + "\": " + cause};
}

std::optional<double> readNumber(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(number) ? std::optional(number)
                                                                                             : std::nullopt;
}

/// Sets one value; returns what is wrong with it.
std::optional<std::string> setValue(std::string_view placeholder, std::string_view text, WhatIfValues& values) {
    constexpr double kMostTimes = 1000;
    constexpr double kMostBandwidth = 1e6;
    constexpr std::int64_t kMostCount = 1'000'000;
    if (placeholder == "REGEX" || placeholder == "NAME") {
        values.name = text;
        return text.empty() ? std::optional<std::string>("the name is missing.") : std::nullopt;
    }
    const std::string shown = text.empty() ? "nothing" : "\"" + std::string(text) + "\"";
    const std::optional<double> number = readNumber(text);
    if (placeholder == "F") {
        values.factor = number.value_or(0);
        return values.factor > 0 && values.factor <= kMostTimes && 1 / values.factor <= kMostTimes
                   ? std::nullopt
                   : std::optional("a factor is a number from 0.001 to 1,000, not " + shown + ".");
    }
    if (placeholder == "GB") {
        values.number = number.value_or(0);
        return values.number > 0 && values.number <= kMostBandwidth
                   ? std::nullopt
                   : std::optional("a bandwidth is a number of GB/s above 0, not " + shown + ".");
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), values.count);
    const std::int64_t least = placeholder == "R" ? 0 : 1;
    const bool good =
        error == std::errc() && end == text.data() + text.size() && values.count >= least && values.count <= kMostCount;
    return good ? std::nullopt
                : std::optional("a whole number from " + std::to_string(least) + " to 1,000,000 is needed, not " +
                                shown + ".");
}

std::string_view withoutSpaces(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\n");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

/// The forms that begin like the text, or one that is nearly the same.
std::string hintFor(std::string_view text) {
    const std::string_view head = text.substr(0, text.find_first_of(":="));
    std::vector<std::string> heads;
    std::string forms;
    for (const WhatIfKind& kind : whatIfKinds()) {
        const std::string_view own = kind.form.substr(0, kind.form.find_first_of(":="));
        heads.emplace_back(own);
        if (own == head) {
            forms += (forms.empty() ? "" : ", ") + std::string(kind.form);
        }
    }
    if (!forms.empty()) {
        return "no such change; it is written " + forms + ".";
    }
    const std::string near = nearest(head, heads);
    if (near.empty()) {
        return "no such change; \"what-if --list\" names all.";
    }
    const auto meant =
        std::ranges::find_if(whatIfKinds(), [&near](const WhatIfKind& kind) { return kind.form.starts_with(near); });
    return "no such change; did you mean " + std::string(meant->form) + "?";
}

}  // namespace

std::string meaningOf(const WhatIfChange& change) {
    const auto value_of = [&change](std::string_view word) -> std::string {
        if (word == "F") {
            return formatFactor(change.values.factor, 3);
        }
        if (word == "GB") {
            return formatFactor(change.values.number, 1) + " GB/s";
        }
        return word == "REGEX" || word == "NAME" ? change.values.name : std::to_string(change.values.count);
    };
    const std::string_view form = change.kind->form;
    std::string out;
    std::string_view rest = change.kind->meaning;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of(" :.,"), rest.size());
        const std::string_view word = rest.substr(0, end);
        const bool is_value = std::ranges::find(kPlaceholders, word) != kPlaceholders.end() &&
                              std::ranges::any_of(piecesOf(form), [word](const FormPiece& piece) {
                                  return piece.value && piece.text == word;
                              });
        out += is_value ? value_of(word) : std::string(word);
        out += rest.substr(end, 1);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
}

Result<WhatIfChange> parseWhatIf(std::string_view text) {
    constexpr std::size_t kLongest = 1000;
    if (text.size() > kLongest) {
        return complaint(text.substr(0, 40), "a change has at most 1,000 letters.");
    }
    for (const WhatIfKind& kind : whatIfKinds()) {
        const auto found = matchForm(kind.form, text);
        if (!found) {
            continue;
        }
        WhatIfChange change{.text = std::string(text), .kind = &kind, .values = {}};
        for (const auto& [placeholder, value] : *found) {
            if (const std::optional<std::string> wrong = setValue(placeholder, value, change.values)) {
                return complaint(text, *wrong);
            }
        }
        return change;
    }
    return complaint(text, hintFor(text));
}

Result<std::vector<WhatIfChange>> parseChanges(std::string_view text) {
    std::vector<WhatIfChange> changes;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        const std::string_view one = withoutSpaces(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (one.empty()) {
            continue;
        }
        Result<WhatIfChange> change = parseWhatIf(one);
        if (change.failed()) {
            return change.error();
        }
        changes.push_back(std::move(change).value());
    }
    return changes;
}

namespace {

/// Two changes of one subject exclude each other, unless they are of two ranks or of two kinds of links.
bool exclude(const WhatIfChange& a, const WhatIfChange& b) {
    if (a.kind->subject != b.kind->subject || a.kind->subject == WhatIfSubject::Work) {
        return false;
    }
    const auto is = [](const WhatIfChange& change, std::string_view begin) {
        return change.kind->form.starts_with(begin);
    };
    const bool two_ranks = is(a, "rank=") && is(b, "rank=") && a.values.count != b.values.count;
    const bool two_links = a.kind != b.kind && !is(a, "link:x") && !is(b, "link:x") && is(a, "link:") && is(b, "link:");
    return !two_ranks && !two_links;
}

}  // namespace

std::optional<Error> excludeOneAnother(std::span<const WhatIfChange> changes) {
    for (std::size_t i = 0; i < changes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (exclude(changes[j], changes[i])) {
                return Error{
                    .path = {},
                    .byte_offset = {},
                    .cause = "\"" + changes[j].text + "\" and \"" + changes[i].text + "\" exclude each other."};
            }
        }
    }
    return std::nullopt;
}

}  // namespace rankscope
