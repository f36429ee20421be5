// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/house/pages.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string_view>

namespace rankscope::test {
namespace {

std::string withPlace(const SourceFile& page, std::size_t index, const std::string& what) {
    return page.path + ":" + std::to_string(index + 1) + ": " + what;
}

std::string folderOfPage(const SourceFile& page) {
    return std::filesystem::path(page.path).parent_path().generic_string();
}

/// Calls `visit(index, line)` for the lines of a page that are no code.
template <class Visit>
void forEachLineOfText(const SourceFile& page, const Visit& visit) {
    bool in_code = false;
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
        if (page.lines[i].starts_with("```")) {
            in_code = !in_code;
        } else if (!in_code) {
            visit(i, page.lines[i]);
        }
    }
}

/// Calls `visit(index, text)` for each match of the first group of `pattern` in the text of a page.
template <class Visit>
void forEachMatch(const SourceFile& page, const std::regex& pattern, const Visit& visit) {
    forEachLineOfText(page, [&](std::size_t index, const std::string& line) {
        for (std::sregex_iterator at(line.begin(), line.end(), pattern), end; at != end; ++at) {
            visit(index, (*at)[1].str());
        }
    });
}

std::string anchorOf(std::string_view heading) {
    std::string anchor;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == ' ') {
            anchor += '-';
        } else if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '_') {
            anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
        }
    }
    return anchor;
}

const std::regex& quotedNames() {
    static const std::regex pattern(R"(`([a-z0-9]+(?:_[a-z0-9]+)+)`)");
    return pattern;
}

bool isPageBeside(const SourceFile& page, const SourceFile& index) {
    return page.path != index.path && page.path.ends_with(".md") && folderOfPage(page) == folderOfPage(index);
}

}  // namespace

std::vector<std::string> anchorsOf(const SourceFile& page) {
    static const std::regex heading("^#{1,6} (.*)$");
    std::vector<std::string> anchors;
    std::map<std::string, int> seen;
    forEachMatch(page, heading, [&](std::size_t /*index*/, const std::string& text) {
        const std::string anchor = anchorOf(text);
        const int before = seen[anchor]++;
        anchors.push_back(before == 0 ? anchor : anchor + "-" + std::to_string(before));
    });
    return anchors;
}

Violations brokenLinks(const SourceFile& page, const std::vector<SourceFile>& pages, const IsThere& is_there) {
    static const std::regex link(R"(\]\(([^)\s]+)\))");
    Violations wrong;
    forEachMatch(page, link, [&](std::size_t index, const std::string& target) {
        if (target.find(':') != std::string::npos) {
            return;
        }
        const std::size_t hash = target.find('#');
        const std::string path = target.substr(0, hash);
        const std::string to =
            path.empty() ? page.path
                         : (std::filesystem::path(folderOfPage(page)) / path).lexically_normal().generic_string();
        if (!is_there(to)) {
            wrong.push_back(withPlace(page, index, "leads to no file: " + target));
            return;
        }
        const auto found = std::ranges::find(pages, to, &SourceFile::path);
        if (hash == std::string::npos || found == pages.end()) {
            return;
        }
        const std::vector<std::string> anchors = anchorsOf(*found);
        if (std::ranges::find(anchors, target.substr(hash + 1)) == anchors.end()) {
            wrong.push_back(withPlace(page, index, "leads to no heading: " + target));
        }
    });
    return wrong;
}

Violations missingPaths(const SourceFile& page, const IsThere& is_there) {
    static const std::regex quoted(R"(`([\w.][\w.\-]*/[\w./\-]*)`)");
    Violations wrong;
    forEachMatch(page, quoted, [&](std::size_t index, const std::string& path) {
        if (!is_there(path)) {
            wrong.push_back(withPlace(page, index, "is not there: " + path));
        }
    });
    return wrong;
}

Violations unknownCommands(const SourceFile& page, const SourceFile& dev) {
    static const std::regex call(R"(\./dev ([a-z]+)((?: --[a-z-]+)*))");
    static const std::regex command("^  ([a-z]+)\\b");
    static const std::regex option("(--[a-z-]+)");
    std::set<std::string> known;
    for (const std::string& line : dev.lines) {
        if (line == "END") {
            break;
        }
        std::smatch name;
        if (std::regex_search(line, name, command)) {
            known.insert(name[1].str());
        }
        known.insert(std::sregex_token_iterator(line.begin(), line.end(), option), std::sregex_token_iterator());
    }
    Violations wrong;
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
        const std::string& line = page.lines[i];
        for (std::sregex_iterator at(line.begin(), line.end(), call), end; at != end; ++at) {
            const std::string options = (*at)[2].str();
            std::vector<std::string> words(std::sregex_token_iterator(options.begin(), options.end(), option),
                                           std::sregex_token_iterator());
            words.insert(words.begin(), (*at)[1].str());
            if (!std::ranges::all_of(words, [&](const std::string& word) { return known.contains(word); })) {
                wrong.push_back(withPlace(page, i, "is no command: " + (*at)[0].str()));
            }
        }
    }
    return wrong;
}

Violations pagesNotIn(const SourceFile& index, const std::vector<SourceFile>& pages) {
    Violations wrong;
    for (const SourceFile& page : pages) {
        const std::string link = "](" + std::filesystem::path(page.path).filename().string() + ")";
        const bool has = std::ranges::any_of(
            index.lines, [&](const std::string& line) { return line.find(link) != std::string::npos; });
        if (isPageBeside(page, index) && !has) {
            wrong.push_back(index.path + ": has no link to " + page.path);
        }
    }
    return wrong;
}

Violations fieldsNotIn(const SourceFile& index, const std::vector<SourceFile>& pages, const SourceFile& schema) {
    static const std::regex field("\"([a-z0-9_]+)\": *\\{");
    std::set<std::string> fields;
    forEachMatch(schema, field, [&](std::size_t /*index*/, const std::string& name) { fields.insert(name); });
    std::set<std::string> listed;
    forEachMatch(index, quotedNames(), [&](std::size_t /*index*/, const std::string& name) { listed.insert(name); });
    Violations wrong;
    for (const SourceFile& page : pages) {
        if (!isPageBeside(page, index)) {
            continue;
        }
        forEachMatch(page, quotedNames(), [&](std::size_t line, const std::string& name) {
            if (fields.contains(name) && listed.insert(name).second) {
                wrong.push_back(withPlace(page, line, index.path + " does not list " + name));
            }
        });
    }
    return wrong;
}

}  // namespace rankscope::test
