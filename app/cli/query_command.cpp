// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/query_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <utility>

#include "app/cli/answer_printer.h"
#include "app/cli/complain.h"
#include "app/cli/options/number_options.h"
#include "app/cli/progress_line.h"
#include "app/cli/prompt/query_prompt.h"
#include "app/exit_code.h"
#include "core/query/database.h"
#include "core/remote/remote_path.h"
#include "core/request/companions_of_runs.h"

namespace rankscope::cli {
namespace {

constexpr const char* kExample = "SELECT name, count(*), sum(dur_ns) FROM slice GROUP BY name ORDER BY 3 DESC LIMIT 10";

std::string textOfFile(const std::string& path) {
    std::ostringstream text;
    if (path == "-") {
        text << std::cin.rdbuf();
        return text.str();
    }
    const std::ifstream file(path);
    if (!file || std::filesystem::is_directory(path) || !(text << file.rdbuf())) {
        refuseOption("-f", path + ": cannot be read");
    }
    return text.str();
}

/// Prints each table with its columns, and the functions.
void listTables(const std::vector<tables::Table>& all) {
    std::ranges::for_each(all, &printColumns);
    std::cout << "functions, beside those of SQLite:\n";
    for (const query::FunctionWords& function : query::Database::functions()) {
        printMeaning("  " + function.call, function.meaning);
    }
}

QueryFormat formatOf(const std::string& name) {
    return name == "csv"      ? QueryFormat::Csv
           : name == "json"   ? QueryFormat::Json
           : name == "ndjson" ? QueryFormat::JsonLines
                              : QueryFormat::Table;
}

/// Answers a statement on standard output, or says why not.
bool answerOf(query::Database& database, const std::string& sql, const QueryRequest& request,
              const std::stop_token& stop) {
    query::Limits limits;
    if (request.seconds > 0) {
        limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(request.seconds * 1'000));
    }
    limits.memory_bytes = request.runs.load.memory_bytes.value_or(0);
    const auto printer = makeAnswerPrinter(request.format, std::cout);
    const Result<std::uint64_t> rows = database.ask(sql, *printer, limits, stop);
    if (!rows.ok()) {
        complain(rows.failed() ? rows.error() : Error{"query", {}, "was cancelled"});
        return false;
    }
    printer->finish();
    std::cout.flush();
    return true;
}

/// Whether there is anything to answer: standard input is a terminal, or has something in it.
bool hasQuestions() {
    return isatty(STDIN_FILENO) != 0 || std::cin.peek() != std::istream::traits_type::eof();
}

}  // namespace

void addQuery(CLI::App& command, QueryTexts& texts) {
    command.add_option("--format", texts.format, "How to print the rows: table, csv, json or ndjson")
        ->type_name("FORMAT")
        ->check(CLI::IsMember({"table", "csv", "json", "ndjson"}));
    command.add_option("-f,--file", texts.file, "Read the question from this file")->type_name("F");
    command.add_flag("--tables", texts.list_tables, "List the tables and their columns");
    command.add_option("--seconds", texts.seconds, "Give up after this time")->type_name("S")->check(zeroOrMore());
}

QueryRequest readQueryRequest(const QueryTexts& texts, Request request) {
    QueryRequest query;
    query.format = formatOf(texts.format);
    query.list_tables = texts.list_tables;
    query.seconds = texts.seconds;
    if (!texts.file.empty()) {
        query.sql = textOfFile(texts.file);
    } else if (!texts.list_tables) {
        std::error_code error;
        if (!request.paths.empty() && !isRemotePath(request.paths.back()) &&
            !std::filesystem::exists(request.paths.back(), error)) {
            query.sql = std::move(request.paths.back());
            request.paths.pop_back();
        }
    }
    if (!texts.list_tables && request.paths.empty() && request.named_runs.empty()) {
        refuseOption("PATH", "name a trace file, a folder or an archive before the question");
    }
    query.runs = std::move(request);
    return query;
}

int runQuery(QueryRequest request) {
    if (request.list_tables) {
        const query::Database none({});
        listTables(none.tables());
        return kDone;
    }
    if (request.sql.empty() && !hasQuestions()) {
        complain(std::string("ask something behind the paths, like \"") + kExample + "\"");
        return kWrongUsage;
    }
    OnStandardError shown;
    if (!fetchRemotePaths(request.runs, shown)) {
        return kNothingReadable;
    }
    const ReadRuns read = readJob(request.runs, shown);
    shown.clear();
    if (read.runs.empty() && read.companions.empty()) {
        return kNothingReadable;
    }
    tables::Runs runs;
    std::ranges::transform(read.runs, std::back_inserter(runs), [](const AnalysedRun& run) { return &run; });
    query::Database database(std::move(runs), read.companions);
    const auto answer = [&](const std::string& sql, const std::stop_token& stop) {
        return answerOf(database, sql, request, stop);
    };
    if (!request.sql.empty()) {
        return !answer(request.sql, {}) ? kWrongUsage : read.complete() ? kDone : kSomeUnreadable;
    }
    if (isatty(STDIN_FILENO) != 0) {
        askInTerminal(database, answer);
        return kDone;
    }
    const Conversation asked = askFromInput(database, answer);
    return asked.failed > 0 ? kWrongUsage : read.complete() ? kDone : kSomeUnreadable;
}

}  // namespace rankscope::cli
