// SPDX-License-Identifier: GPL-3.0-or-later
// accuracy: plants faults in simulated runs, and tells how many are found, with which price.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>

#include "core/base/parallel.h"
#include "tests/accuracy/run_pairs.h"
#include "tests/accuracy/tables.h"
#include "tests/tracegen/config_json.h"

namespace {

using rankscope::accuracy::Case;
using rankscope::accuracy::CaseScore;

struct Options {
    std::vector<std::string> filters;
    std::string page;
    std::string failures;
    unsigned threads = 0;
    bool list = false;
    bool describe = false;
    bool compare = false;
};

void describe(CLI::App& app, Options& o) {
    app.add_option("FILTER", o.filters, "Only runs with one of these in their name");
    app.add_option("--write", o.page, "Put the tables into this page");
    app.add_option("--failures", o.failures, "Write the tables and all that failed to this file too");
    app.add_option("--threads", o.threads, "How many runs at once; 0: one a core");
    app.add_flag("--compare", o.compare, "Instead, compare pairs of runs with and without a planted change");
    app.add_flag("--list", o.list, "Print the names of the runs, and run nothing");
    app.add_flag("--describe", o.describe, "Print the runs' configurations for tracegen --config, and run nothing");
}

std::vector<CaseScore> judgeAll(const std::vector<Case>& cases, unsigned threads) {
    std::vector<CaseScore> scores(cases.size());
    std::atomic<std::size_t> done{0};
    rankscope::forEachIndex(cases.size(), rankscope::threadCount(threads), [&](std::size_t i) {
        scores[i] = judge(cases[i]);
        constexpr std::size_t kTellEvery = 50;
        if (const std::size_t now = ++done; now % kTellEvery == 0) {
            std::cerr << now << " of " << cases.size() << " runs\n";
        }
    });
    return scores;
}

// All failures, by finding; of each at most `most`.
std::string failuresText(const std::vector<CaseScore>& scores, std::size_t most) {
    std::vector<std::string> lines;
    for (const CaseScore& score : scores) {
        const std::vector<std::string> mine = failuresOf(score);
        lines.insert(lines.end(), mine.begin(), mine.end());
    }
    std::map<std::string, std::vector<std::string>> by_finding;
    for (const std::string& line : lines) {
        by_finding[line.substr(0, line.find(' '))].push_back(line);
    }
    std::string text;
    for (const auto& [finding, all] : by_finding) {
        text += '\n' + finding + ": " + std::to_string(all.size()) + " failures\n";
        for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
            text += "  " + all[i] + '\n';
        }
        text += all.size() > most ? "  ...\n" : "";
    }
    return text;
}

int runPairs(const Options& o) {
    std::vector<rankscope::accuracy::RunPair> pairs = rankscope::accuracy::pairMatrix();
    const auto unwanted = [&o](const rankscope::accuracy::RunPair& pair) {
        return !o.filters.empty() && std::ranges::none_of(o.filters, [&pair](const std::string& filter) {
            return pair.name.find(filter) != std::string::npos;
        });
    };
    std::erase_if(pairs, unwanted);
    std::vector<rankscope::accuracy::PairScore> scores(pairs.size());
    rankscope::forEachIndex(pairs.size(), rankscope::threadCount(o.threads),
                            [&](std::size_t i) { scores[i] = judge(pairs[i]); });
    const std::vector<rankscope::accuracy::PairTally> tallies = tallyOf(scores);
    const std::string table = markdownOf(tallies);
    std::cout << table;
    for (const rankscope::accuracy::PairScore& score : scores) {
        std::cout << (score.error.empty() ? "" : score.name + ": " + score.error + '\n');
    }
    if (!o.page.empty()) {
        rankscope::accuracy::writeInto(o.page, table, true);
    }
    return holds(tallies) ? 0 : 1;
}

int run(const Options& o) {
    if (o.compare) {
        return runPairs(o);
    }
    const std::vector<Case> cases = filtered(rankscope::accuracy::matrix(), o.filters);
    if (o.list || o.describe) {
        for (const Case& one : cases) {
            std::cout << one.name << '\n';
            if (o.describe) {
                std::cout << toJson(one.config).dump(1) << '\n';
            }
        }
        return 0;
    }
    const std::vector<CaseScore> scores = judgeAll(cases, o.threads);
    const rankscope::accuracy::Tally tally = tallyOf(scores);
    const std::string tables = markdownOf(tally);
    constexpr std::size_t kShown = 12;
    std::cout << tables << failuresText(scores, kShown);
    if (!o.failures.empty()) {
        std::ofstream(o.failures) << tables << failuresText(scores, std::numeric_limits<std::size_t>::max());
    }
    if (!o.page.empty()) {
        rankscope::accuracy::writeInto(o.page, tables);
    }
    return tally.holds() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        CLI::App app{"Plants faults in simulated runs, and tells how many are found, with which ranks and which price"};
        Options options;
        describe(app, options);
        CLI11_PARSE(app, argc, argv);
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "accuracy: %s\n", error.what());
        return 2;
    }
}
