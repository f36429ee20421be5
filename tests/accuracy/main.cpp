// SPDX-License-Identifier: GPL-3.0-or-later
// accuracy: plants faults in simulated runs, and tells how many are found, with which price.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <optional>

#include "core/base/parallel.h"
#include "tests/accuracy/bucket_models.h"
#include "tests/accuracy/forecast_score.h"
#include "tests/accuracy/hard_score.h"
#include "tests/accuracy/machine_tables.h"
#include "tests/accuracy/reruns.h"
#include "tests/accuracy/run_pairs.h"
#include "tests/accuracy/tables.h"
#include "tests/accuracy/what_if_score.h"
#include "tests/tracegen/config_json.h"

namespace {

using rankscope::accuracy::Case;
using rankscope::accuracy::CaseScore;

struct Options {
    std::vector<std::string> filters;
    std::string page;
    std::string failures;
    std::string folder;
    unsigned threads = 0;
    std::optional<std::uint64_t> first_seed;
    bool list = false;
    bool describe = false;
    bool compare = false;
    bool real = false;
    bool buckets = false;
    bool forecasts = false;
    std::vector<std::string> pair;
    bool hard = false;
    bool what_if = false;
};

void describe(CLI::App& app, Options& o) {
    app.add_option("FILTER", o.filters, "Only runs with one of these in their name");
    app.add_option("--write", o.page, "Put the tables into this page");
    app.add_option("--failures", o.failures, "Write the tables and all that failed to this file too");
    app.add_option("--threads", o.threads, "How many runs at once; 0: one per core");
    app.add_flag("--compare", o.compare,
                 "Instead, compare runs with and without a planted change: sides of several starts, and pairs");
    app.add_flag("--real", o.real, "Instead, run the event-driven machine, which shares no assumption with the replay");
    app.add_flag("--buckets", o.buckets, "Instead, compare the step by bucket_cap_mb with that of the machine");
    app.add_flag("--forecasts", o.forecasts, "Instead, compare forecasts of remedies with runs that have them");
    app.add_option(
           "--pair", o.pair,
           "With --forecasts or --what-if: only these, each a finding or a change, and the runs before and after it")
        ->type_name("FINDING BEFORE AFTER");
    app.add_flag("--hard", o.hard, "Instead, faults that are hard to tell: two at once, small, in some steps, moving");
    app.add_flag("--what-if", o.what_if, "Instead, compare what-if forecasts with runs in which the change is made");
    app.add_option("--first-seed", o.first_seed,
                   "With --buckets, --forecasts or --what-if: draw other runs, from this seed on");
    app.add_option("--files", o.folder,
                   "With --real or --forecasts: write the runs' files under this folder, and judge nothing");
    app.add_flag("--list", o.list, "Print the names of the runs, and run nothing");
    app.add_flag("--describe", o.describe, "Print the runs' configurations for tracegen --config, and run nothing");
}

template <typename Score, typename Cases>
std::vector<Score> judgeAll(const Cases& cases, unsigned threads) {
    std::vector<Score> scores(cases.size());
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

// All failures, by what stands first in their lines; of each at most `most`.
template <typename Score>
std::string failuresText(const std::vector<Score>& scores, std::size_t most) {
    std::map<std::string, std::vector<std::string>> by_subject;
    for (const Score& score : scores) {
        for (const std::string& line : failuresOf(score)) {
            by_subject[line.substr(0, line.find(" |"))].push_back(line);
        }
    }
    std::string text;
    for (const auto& [subject, all] : by_subject) {
        text += '\n' + subject + ": " + std::to_string(all.size()) + " failures\n";
        for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
            text += "  " + all[i] + '\n';
        }
        text += all.size() > most ? "  ...\n" : "";
    }
    return text;
}

/// Prints the tables and some failures, and writes what was asked for.
template <typename Score>
void tell(const Options& o, const std::string& tables, const std::vector<Score>& scores,
          rankscope::accuracy::PagePart part) {
    constexpr std::size_t kShown = 12;
    std::cout << tables << failuresText(scores, kShown);
    if (!o.failures.empty()) {
        std::ofstream(o.failures) << tables << failuresText(scores, std::numeric_limits<std::size_t>::max());
    }
    if (!o.page.empty()) {
        rankscope::accuracy::writeInto(o.page, tables, part);
    }
}

void writeRun(const rankscope::tracegen::machine::Config& config, rankscope::tracegen::machine::FileSpec files,
              const std::filesystem::path& folder) {
    const rankscope::tracegen::machine::TrueRun run = rankscope::tracegen::machine::simulate(config);
    for (std::size_t at = 0; at < rankscope::accuracy::kResolutions; ++at) {
        files.grid = rankscope::accuracy::kGrids.at(at);
        const std::filesystem::path grid = folder / rankscope::accuracy::kGridNames.at(at);
        std::filesystem::create_directories(grid);
        for (const rankscope::tracegen::machine::TraceFile& file : writeFiles(run, files)) {
            std::ofstream(grid / file.name) << file.text;
        }
    }
}

// "few-cores/2/1/planted/250 ns/rank0.pt.trace.json", and beside it the run without the fault.
int writeRuns(const std::vector<rankscope::accuracy::MachineCase>& cases, const std::filesystem::path& folder) {
    for (const rankscope::accuracy::MachineCase& one : cases) {
        writeRun(one.planted(), one.files, folder / one.name / (one.fault != nullptr ? "planted" : "healthy"));
        if (one.fault != nullptr) {
            writeRun(one.healthy, one.files, folder / one.name / "healthy");
        }
    }
    return 0;
}

int runMachine(const Options& o) {
    using rankscope::accuracy::MachineCase;
    using rankscope::accuracy::MachineScore;
    std::vector<MachineCase> cases = rankscope::accuracy::machineMatrix();
    std::erase_if(cases, [&o](const MachineCase& one) {
        return !o.filters.empty() && std::ranges::none_of(o.filters, [&one](const std::string& filter) {
            return one.name.find(filter) != std::string::npos;
        });
    });
    if (o.list) {
        std::ranges::for_each(cases, [](const MachineCase& one) { std::cout << one.name << '\n'; });
        return 0;
    }
    if (!o.folder.empty()) {
        return writeRuns(cases, o.folder);
    }
    const auto scores = judgeAll<MachineScore>(cases, o.threads);
    const rankscope::accuracy::MachineTally tally = tallyOf(scores);
    tell(o, markdownOf(tally), scores, rankscope::accuracy::PagePart::Machine);
    return tally.holds() ? 0 : 1;
}

/// Judges those of the cases that are asked for, prints and writes their table. Whether it holds; true of none.
template <typename Score, typename Case>
bool comparesWell(const Options& o, std::vector<Case> cases, rankscope::accuracy::PagePart part) {
    std::erase_if(cases, [&o](const Case& one) {
        return !o.filters.empty() && std::ranges::none_of(o.filters, [&one](const std::string& filter) {
            return one.name.find(filter) != std::string::npos;
        });
    });
    if (cases.empty()) {
        return true;
    }
    const auto scores = judgeAll<Score>(cases, o.threads);
    const auto tallies = tallyOf(scores);
    const std::string table = markdownOf(tallies);
    std::cout << table << '\n';
    for (const Score& score : scores) {
        std::cout << (score.error.empty() ? "" : score.name + ": " + score.error + '\n');
    }
    if (!o.page.empty()) {
        rankscope::accuracy::writeInto(o.page, table, part);
    }
    return holds(tallies);
}

int runPairs(const Options& o) {
    using rankscope::accuracy::PagePart;
    const bool reruns =
        comparesWell<rankscope::accuracy::StartScore>(o, rankscope::accuracy::jobStarts(), PagePart::Reruns);
    const bool pairs =
        comparesWell<rankscope::accuracy::PairScore>(o, rankscope::accuracy::pairMatrix(), PagePart::Pairs);
    return reruns && pairs ? 0 : 1;
}

int runBuckets(const Options& o) {
    const std::vector<rankscope::accuracy::BucketModel> models =
        o.first_seed ? rankscope::accuracy::freshBucketModels(*o.first_seed) : rankscope::accuracy::freshBucketModels();
    const auto scores = judgeAll<rankscope::accuracy::BucketScore>(models, o.threads);
    const std::string table = rankscope::accuracy::markdownOf(scores);
    std::cout << table;
    std::ranges::for_each(scores, [](const auto& score) { std::cout << stepsText(score); });
    if (!o.page.empty()) {
        rankscope::accuracy::writeInto(o.page, table, rankscope::accuracy::PagePart::Buckets);
    }
    return rankscope::accuracy::holds(scores) ? 0 : 1;
}

int runHard(const Options& o) {
    std::vector<rankscope::accuracy::hard::Case> cases = rankscope::accuracy::hard::allCases();
    std::erase_if(cases, [&o](const auto& one) {
        return !o.filters.empty() && std::ranges::none_of(o.filters, [&one](const std::string& filter) {
            return one.name.find(filter) != std::string::npos;
        });
    });
    if (o.list) {
        std::ranges::for_each(cases, [](const auto& one) { std::cout << one.name << '\n'; });
        return 0;
    }
    const auto scores = judgeAll<rankscope::accuracy::hard::Score>(cases, o.threads);
    const auto rows = rowsOf(scores);
    tell(o, markdownOf(rows), scores, rankscope::accuracy::PagePart::Hard);
    return holds(rows) ? 0 : 1;
}

std::string tracesFolder() {
    const char* const elsewhere = std::getenv("RANKSCOPE_TRACES");
    return elsewhere != nullptr ? elsewhere : RANKSCOPE_TRACES;
}

std::vector<rankscope::accuracy::RecordedPair> pairsOf(const Options& o) {
    if (o.pair.empty()) {
        return rankscope::accuracy::recordedPairs(tracesFolder(), RANKSCOPE_SAMPLES);
    }
    std::vector<rankscope::accuracy::RecordedPair> pairs;
    for (std::size_t i = 0; i + 2 < o.pair.size(); i += 3) {
        pairs.push_back({o.pair[i + 1] + " to " + o.pair[i + 2], "given", o.pair[i], {o.pair[i + 1]}, {o.pair[i + 2]}});
    }
    return pairs;
}

int runForecasts(const Options& o) {
    using rankscope::accuracy::ForecastCase;
    using rankscope::accuracy::ForecastScore;
    std::vector<ForecastScore> scores;
    for (const rankscope::accuracy::RecordedPair& pair : pairsOf(o)) {
        scores.push_back(judge(pair));
    }
    std::vector<ForecastCase> cases =
        o.first_seed ? rankscope::accuracy::forecastCases(*o.first_seed) : rankscope::accuracy::forecastCases();
    std::erase_if(cases, [&o](const ForecastCase& one) {
        return !o.pair.empty() || (!o.filters.empty() && std::ranges::none_of(o.filters, [&one](const auto& filter) {
            return one.name.find(filter) != std::string::npos;
        }));
    });
    for (const ForecastCase& one : cases) {
        if (!o.folder.empty()) {
            writeRun(one.before, {}, std::filesystem::path(o.folder) / one.name / "before");
            writeRun(one.after, {}, std::filesystem::path(o.folder) / one.name / "after");
        }
    }
    if (!o.folder.empty()) {
        return 0;
    }
    std::ranges::move(judgeAll<ForecastScore>(cases, o.threads), std::back_inserter(scores));
    const std::string tables = rankscope::accuracy::markdownOf(scores);
    std::cout << tables;
    if (!o.page.empty()) {
        rankscope::accuracy::writeInto(o.page, tables, rankscope::accuracy::PagePart::Forecasts);
    }
    return rankscope::accuracy::holds(scores) ? 0 : 1;
}

std::vector<rankscope::accuracy::WhatIfPair> whatIfPairsOf(const Options& o) {
    if (o.pair.empty()) {
        return rankscope::accuracy::whatIfPairs(tracesFolder(), RANKSCOPE_SAMPLES);
    }
    std::vector<rankscope::accuracy::WhatIfPair> pairs;
    for (std::size_t i = 0; i + 2 < o.pair.size(); i += 3) {
        pairs.push_back({o.pair[i + 1] + " to " + o.pair[i + 2], {o.pair[i]}, o.pair[i + 1], o.pair[i + 2]});
    }
    return pairs;
}

int runWhatIf(const Options& o) {
    using rankscope::accuracy::WhatIfJob;
    using rankscope::accuracy::WhatIfScore;
    std::vector<WhatIfJob> jobs =
        o.first_seed ? rankscope::accuracy::whatIfJobs(*o.first_seed) : rankscope::accuracy::whatIfJobs();
    std::erase_if(jobs, [&o](const WhatIfJob& job) {
        return !o.pair.empty() ||
               (!o.filters.empty() && std::ranges::none_of(o.filters, [&job](const std::string& filter) {
                   return job.name.find(filter) != std::string::npos;
               }));
    });
    std::vector<WhatIfScore> scores;
    for (std::vector<WhatIfScore>& of_job : judgeAll<std::vector<WhatIfScore>>(jobs, o.threads)) {
        std::ranges::move(of_job, std::back_inserter(scores));
    }
    for (const rankscope::accuracy::WhatIfPair& pair : whatIfPairsOf(o)) {
        scores.push_back(judge(pair));
    }
    const std::string tables = rankscope::accuracy::markdownOf(scores);
    std::cout << tables;
    if (!o.failures.empty()) {
        std::ofstream(o.failures) << tables << rankscope::accuracy::rowsOf(scores);
    }
    if (!o.page.empty()) {
        rankscope::accuracy::writeInto(o.page, tables, rankscope::accuracy::PagePart::WhatIf);
    }
    return rankscope::accuracy::holds(scores) ? 0 : 1;
}

int run(const Options& o) {
    if (o.what_if) {
        return runWhatIf(o);
    }
    if (o.hard) {
        return runHard(o);
    }
    if (o.forecasts) {
        return runForecasts(o);
    }
    if (o.buckets) {
        return runBuckets(o);
    }
    if (o.compare) {
        return runPairs(o);
    }
    if (o.real) {
        return runMachine(o);
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
    const auto scores = judgeAll<CaseScore>(cases, o.threads);
    const rankscope::accuracy::Tally tally = tallyOf(scores);
    tell(o, markdownOf(tally), scores, rankscope::accuracy::PagePart::Matrix);
    return tally.holds() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        CLI::App app{"Plants faults in simulated runs and counts how many are found, with which ranks and price"};
        Options options;
        describe(app, options);
        CLI11_PARSE(app, argc, argv);
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "accuracy: %s\n", error.what());
        return 2;
    }
}
