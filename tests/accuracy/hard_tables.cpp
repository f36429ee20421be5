// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string_view>

#include "tests/accuracy/hard_score.h"

namespace rankscope::accuracy::hard {
namespace {

void addFaultTo(const FaultScore& fault, Row& row) {
    if (!fault.demanded) {
        return;
    }
    ++row.demanded;
    row.dearest += fault.dearest ? 1U : 0U;
    for (std::size_t at = 0; at < kResolutions; ++at) {
        const FaultAt& judged = fault.at.at(at);
        row.at.at(at).found += judged.found ? 1U : 0U;
        row.at.at(at).ranks_right += judged.ranks_right ? 1U : 0U;
        row.at.at(at).price_right += judged.price_right ? 1U : 0U;
        row.at.at(at).first += fault.dearest && judged.first ? 1U : 0U;
    }
}

/// The three resolutions, or one figure where they agree.
std::string figures(const Row& row, std::size_t RowAt::*member) {
    std::string text;
    bool same = true;
    for (const RowAt& at : row.at) {
        same = same && at.*member == row.at.front().*member;
        text += (text.empty() ? "" : " / ") + std::to_string(at.*member);
    }
    return same ? std::to_string(row.at.front().*member) : text;
}

std::string alarmsOf(const Row& row) {
    std::string text;
    for (const auto& [id, count] : row.alarms) {
        text += (text.empty() ? "`" : ", `") + id + "` " + std::to_string(count);
    }
    return text.empty() ? "-" : text;
}

}  // namespace

std::vector<Row> rowsOf(const std::vector<Score>& scores) {
    std::vector<Row> rows;
    for (const Score& score : scores) {
        auto row = std::ranges::find(rows, score.row, &Row::name);
        if (row == rows.end()) {
            rows.push_back({score.row, 0, 0, 0, {}, {}});
            row = rows.end() - 1;
        }
        ++row->runs;
        for (const FaultScore& fault : score.faults) {
            addFaultTo(fault, *row);
        }
        for (std::size_t at = 0; at < kResolutions; ++at) {
            row->at.at(at).alarms += score.alarms.at(at).empty() ? 0U : 1U;
            for (const std::string& id : score.alarms.at(at)) {
                ++row->alarms[id];
            }
        }
    }
    return rows;
}

std::string markdownOf(const std::vector<Row>& rows) {
    std::string text =
        "Three figures in a cell are for 1 ns, 250 ns and 1 us; one if they agree.\n\n"
        "| simulator, planted | runs | faults worth 3 % | found | right ranks | right price | first place | "
        "of these runs | runs with a false alarm | false alarms |\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (const Row& row : rows) {
        text += "| " + row.name + " | " + std::to_string(row.runs) + " | " + std::to_string(row.demanded) + " | " +
                figures(row, &RowAt::found) + " | " + figures(row, &RowAt::ranks_right) + " | " +
                figures(row, &RowAt::price_right) + " | " + figures(row, &RowAt::first) + " | " +
                std::to_string(row.dearest) + " | " + figures(row, &RowAt::alarms) + " | " + alarmsOf(row) + " |\n";
    }
    return text;
}

}  // namespace rankscope::accuracy::hard
