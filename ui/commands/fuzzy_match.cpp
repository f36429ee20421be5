// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/fuzzy_match.h"

#include <QString>
#include <limits>

namespace rankscope::ui {
namespace {

constexpr int kNone = std::numeric_limits<int>::min() / 2;
constexpr int kLetter = 1;
constexpr int kWordStart = 8;
constexpr int kFollows = 10;
constexpr int kFirst = 2;  // the text itself starts with it

bool startsWord(QStringView text, qsizetype at) {
    return text[at].isLetterOrNumber() && (at == 0 || !text[at - 1].isLetterOrNumber());
}

/// The best score of the letters so far if the last one is at this position of the text, and the position of the one
/// before.
struct Cell {
    int score = kNone;
    qsizetype before = -1;
};

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(QStringView letters, QStringView text) {
    const QString wanted = letters.toString().remove(QLatin1Char(' ')).toCaseFolded();
    if (wanted.isEmpty()) {
        return FuzzyMatch{};
    }
    const auto width = static_cast<std::size_t>(text.size());
    std::vector<std::vector<Cell>> cells(static_cast<std::size_t>(wanted.size()), std::vector<Cell>(width));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        Cell best;  // the best cell of the letter before, anywhere to the left
        for (std::size_t j = 0; j < width; ++j) {
            const auto at = static_cast<qsizetype>(j);
            if (text[at].toCaseFolded() == wanted[static_cast<qsizetype>(i)]) {
                Cell& cell = cells[i][j];
                const int own = kLetter + (startsWord(text, at) ? kWordStart : 0) + (at == 0 ? kFirst : 0);
                cell = i == 0 ? Cell{own, -1} : Cell{best.score + own, best.before};
                if (i > 0 && j > 0 && cells[i - 1][j - 1].score + kFollows > best.score) {
                    cell = {cells[i - 1][j - 1].score + own + kFollows, at - 1};
                }
            }
            if (i > 0 && cells[i - 1][j].score > best.score) {
                best = {cells[i - 1][j].score, at};
            }
        }
    }
    FuzzyMatch match{kNone, {}};
    qsizetype last = -1;
    for (std::size_t j = 0; j < width; ++j) {
        if (cells.back()[j].score > match.score) {
            match.score = cells.back()[j].score;
            last = static_cast<qsizetype>(j);
        }
    }
    if (match.score < 0) {
        return std::nullopt;
    }
    for (std::size_t i = cells.size(); i-- > 0;) {
        match.positions.insert(match.positions.begin(), last);
        last = cells[i][static_cast<std::size_t>(last)].before;
    }
    return match;
}

}  // namespace rankscope::ui
