// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/house/rules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace rankscope::test {
namespace {

bool isWithin(std::string_view path, std::string_view folder) {
    return path == folder || (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
}

std::string at(const SourceFile& file, std::size_t index, std::string_view what) {
    return file.path + ":" + std::to_string(index + 1) + ": " + std::string(what);
}

std::string_view folderOf(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

struct Include {
    std::size_t line;
    std::string path;
    bool quoted;
};

std::vector<Include> includesOf(const SourceFile& file) {
    static const std::regex pattern(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
    std::vector<Include> found;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        std::smatch match;
        if (std::regex_search(file.lines[i], match, pattern)) {
            found.push_back({i, match[2].str(), match[1].str() == "\""});
        }
    }
    return found;
}

const Arrow* arrowFor(std::string_view path, const std::vector<Arrow>& arrows) {
    const Arrow* best = nullptr;
    for (const Arrow& arrow : arrows) {
        if (isWithin(path, arrow.folder) && (best == nullptr || arrow.folder.size() > best->folder.size())) {
            best = &arrow;
        }
    }
    return best;
}

bool endsWithAnyOf(std::string_view path, const std::vector<std::string_view>& endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view end) { return path.ends_with(end); });
}

bool isCpp(std::string_view path) {
    return endsWithAnyOf(path, {".h", ".cpp"});
}

bool isCode(std::string_view path) {
    return isCpp(path) || endsWithAnyOf(path, {".cmake", "CMakeLists.txt", ".py", ".sh", "/run"}) || path == "dev";
}

/// Generated headers: the texts of resources/, for whoever embeds them.
constexpr std::string_view kGenerated = "resources";
/// Folders whose headers are named from the root of the source.
constexpr std::array<std::string_view, 6> kRoots = {"core", "ui", "app", "python", "tests", kGenerated};

bool isOfTheProject(std::string_view include) {
    return std::any_of(kRoots.begin(), kRoots.end(), [&](std::string_view root) { return isWithin(include, root); });
}

}  // namespace

std::vector<Arrow> readArrows(const std::vector<std::string>& lines) {
    std::vector<Arrow> arrows;
    for (const std::string& line : lines) {
        const std::size_t colon = line.find(':');
        if (line.empty() || line.front() == '#' || colon == std::string::npos) {
            continue;
        }
        Arrow arrow{line.substr(0, colon), {}};
        std::istringstream words(line.substr(colon + 1));
        for (std::string to; words >> to;) {
            arrow.may_include.insert(to);
            const auto lower =
                std::find_if(arrows.begin(), arrows.end(), [&](const Arrow& a) { return a.folder == to; });
            if (lower == arrows.end()) {
                throw std::invalid_argument(arrow.folder + " stands on " + to + ", which is not said before it");
            }
            arrow.may_include.insert(lower->may_include.begin(), lower->may_include.end());
        }
        arrows.push_back(std::move(arrow));
    }
    return arrows;
}

Violations includesAgainstTheArrows(const SourceFile& file, const std::vector<Arrow>& arrows) {
    Violations wrong;
    if (!isCpp(file.path)) {
        return wrong;
    }
    const Arrow* arrow = arrowFor(file.path, arrows);
    const auto is_in = [&file](std::string_view folder) { return isWithin(file.path, folder); };
    const bool needs_arrow = is_in("core") || is_in("ui") || is_in("app") || is_in("python");
    if (arrow == nullptr && needs_arrow) {
        wrong.push_back(at(file, 0, "no arrow says what this folder may include"));
    }
    for (const Include& include : includesOf(file)) {
        if (!isOfTheProject(include.path)) {
            if (include.quoted && !include.path.ends_with(".moc")) {
                wrong.push_back(
                    at(file, include.line, "name this header from the root of the source: " + include.path));
            }
            continue;
        }
        if (arrow == nullptr || isWithin(include.path, arrow->folder) || isWithin(include.path, kGenerated) ||
            folderOf(include.path) == folderOf(file.path)) {
            continue;
        }
        const auto& allowed = arrow->may_include;
        if (std::none_of(allowed.begin(), allowed.end(), [&](auto to) { return isWithin(include.path, to); })) {
            wrong.push_back(at(file, include.line, arrow->folder + " may not include " + include.path));
        }
    }
    return wrong;
}

Violations qtWhereNoneMayBe(const SourceFile& file) {
    static const std::regex qt(R"(^(Q\w*(/.*)?|q\w+\.h)$)");
    Violations wrong;
    const bool without_qt = isWithin(file.path, "core") || isWithin(file.path, "app/cli") ||
                            isWithin(file.path, "python") || file.path == "app/rankscope_cli.cpp";
    if (!without_qt) {
        return wrong;
    }
    for (const Include& include : includesOf(file)) {
        if (std::regex_search(include.path, qt) || isWithin(include.path, "ui")) {
            wrong.push_back(at(file, include.line, "must build without Qt, but includes " + include.path));
        }
    }
    return wrong;
}

Violations missingLicence(const SourceFile& file) {
    if (!isCode(file.path)) {
        return {};
    }
    const bool script = !file.lines.empty() && file.lines.front().starts_with("#!");
    const std::size_t index = script ? 1 : 0;
    // Written in two parts, so that a tool that looks for licences does not take this line for one.
    std::string wanted = "SPDX-License";
    wanted.append("-Identifier: GPL-3.0-or-later");
    const bool has =
        file.lines.size() > index && (file.lines[index] == "// " + wanted || file.lines[index] == "# " + wanted);
    return has ? Violations{} : Violations{at(file, index, "this line must be: " + wanted)};
}

Violations missingPragmaOnce(const SourceFile& file) {
    if (!file.path.ends_with(".h") ||
        std::find(file.lines.begin(), file.lines.end(), "#pragma once") != file.lines.end()) {
        return {};
    }
    return {at(file, 0, "a header needs #pragma once")};
}

Violations machinePaths(const SourceFile& file) {
    // No path may stand in this file either, hence the brackets.
    static const std::regex path(R"((^|[^\w.])/(home|work|root)[/]\w)");
    Violations wrong;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        if (std::regex_search(file.lines[i], path)) {
            wrong.push_back(at(file, i, "a path of one machine: " + file.lines[i]));
        }
    }
    return wrong;
}

Violations richTextByAccident(const SourceFile& file) {
    // The timeline draws its texts itself, and its one tooltip holds numbers; the words of commands are ours.
    const bool speaks = isCpp(file.path) && isWithin(file.path, "ui") && !isWithin(file.path, "ui/timeline") &&
                        !isWithin(file.path, "ui/commands") && file.path != "ui/theme/plain_text.h" &&
                        file.path != "ui/theme/plain_text.cpp";
    if (!speaks) {
        return {};
    }
    static const std::regex label(R"(\bnew QLabel\b|\bQMessageBox::(warning|critical|information|question|about)\()");
    static const std::regex tip(R"(\bsetToolTip\(|QToolTip::showText\(|Qt::ToolTipRole\b)");
    static const std::regex plain(R"re(plainTip\(|setToolTip\(tr\("[^"%]*"\)\);)re");
    Violations wrong;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        const std::string& line = file.lines[i];
        if (std::regex_search(line, label)) {
            wrong.push_back(at(file, i, "takes a text for HTML; use plainLabel() or warnPlainly(): " + line));
        }
        const std::string statement = line + (i + 1 < file.lines.size() ? file.lines[i + 1] : "");
        if (std::regex_search(line, tip) && !std::regex_search(statement, plain)) {
            wrong.push_back(at(file, i, "takes a text for HTML; use plainTip(): " + line));
        }
    }
    return wrong;
}

Violations tooLong(const SourceFile& file, std::size_t limit) {
    if (!isCode(file.path) || file.lines.size() <= limit) {
        return {};
    }
    return {file.path + ": " + std::to_string(file.lines.size()) + " lines, over " + std::to_string(limit)};
}

}  // namespace rankscope::test
