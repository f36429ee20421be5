// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "app/cli/answer_printer.h"
#include "app/cli/mcp/picture.h"
#include "core/base/suggestion.h"
#include "core/base/utf8.h"
#include "core/compare/compare_runs.h"
#include "core/ingest/load.h"
#include "core/query/database.h"
#include "core/report/reports.h"
#include "core/report/what_if.h"
#include "core/tables/slice_places.h"

namespace rankscope::cli {
namespace mcp_tools {

using nlohmann::json;

constexpr std::size_t kPage = 4'000;       // bytes of an answer
constexpr std::size_t kEventText = 1'500;  // bytes of an event as recorded
constexpr std::int64_t kDefaultRows = 30;
constexpr std::int64_t kMostRows = 1'000;
constexpr std::chrono::seconds kLongestAnswer(30);  // time limit of a question
constexpr std::uint64_t kMemory = 1'000'000'000;

/// Why a call cannot be answered.
struct Refusal {
    std::string why;
};

struct Argument {
    const char* name;
    const char* type;
    const char* meaning;
    bool needed = false;
};

std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        out += c == '\'' ? std::string("''") : std::string(1, c);
    }
    return out + "'";
}

/// The page of `text`, counted from 1 and cut at the end of a line, with how to get the next one.
std::string pageOf(const std::string& text, std::int64_t page) {
    std::vector<std::string> pages(1);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!pages.back().empty() && pages.back().size() + line.size() > kPage) {
            pages.emplace_back();
        }
        pages.back() += line.substr(0, kPage) + "\n";
    }
    const auto count = static_cast<std::int64_t>(pages.size());
    if (page < 1 || page > count) {
        throw Refusal{fmt::format("there is no page {}; the pages are 1 to {}", page, count)};
    }
    std::string out = pages[static_cast<std::size_t>(page - 1)];
    if (page < count) {
        out += fmt::format("(page {} of {}; call again with page={})\n", page, count, page + 1);
    }
    return out;
}

/// The arguments of a call.
class Given {
  public:
    explicit Given(const json& arguments) : arguments_(arguments) {}

    [[nodiscard]] std::optional<std::int64_t> wholeIf(const char* name) const {
        return given<std::int64_t>(name, &json::is_number_integer, "a whole number");
    }
    [[nodiscard]] std::optional<std::string> textIf(const char* name) const {
        return given<std::string>(name, &json::is_string, "a text");
    }
    [[nodiscard]] std::int64_t whole(const char* name) const { return needed(wholeIf(name), name); }
    [[nodiscard]] std::string text(const char* name) const { return needed(textIf(name), name); }

  private:
    /// Nothing if the argument is missing; `is` checks its type.
    template <class T, class Is>
    [[nodiscard]] std::optional<T> given(const char* name, const Is& is, const char* what) const {
        const auto at = arguments_.find(name);
        if (at == arguments_.end() || at->is_null()) {
            return std::nullopt;
        }
        return std::invoke(is, *at) ? at->template get<T>() : throw Refusal{fmt::format("{} must be {}", name, what)};
    }
    template <class T>
    static T needed(std::optional<T> value, const char* name) {
        return value ? *std::move(value) : throw Refusal{fmt::format("{} is missing", name)};
    }

    const json& arguments_;
};

/// Ends an answer after a number of rows.
class FirstRows : public query::RowSink {
  public:
    FirstRows(AnswerPrinter& printer, std::int64_t most) : printer_(printer), left_(most) {}
    void begin(const std::vector<std::string>& columns) override { printer_.begin(columns); }
    bool row(std::span<const tables::Value> cells) override {
        if (left_ == 0) {
            more = true;
            return false;
        }
        --left_;
        return printer_.row(cells);
    }
    bool more = false;

  private:
    AnswerPrinter& printer_;
    std::int64_t left_;
};

/// Prints a row as lines "column: value", without null values.
class AsLines : public query::RowSink {
  public:
    void begin(const std::vector<std::string>& columns) override { columns_ = columns; }
    bool row(std::span<const tables::Value> cells) override {
        ++rows;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            using Kind = tables::Value::Kind;
            const tables::Value& cell = cells[i];
            if (cell.kind != Kind::Null) {
                text += columns_[i] + ": " +
                        (cell.kind == Kind::Text      ? printable(cell.text)
                         : cell.kind == Kind::Integer ? std::to_string(cell.integer)
                                                      : fmt::format("{:.6g}", cell.real)) +
                        "\n";
            }
        }
        return true;
    }
    std::string text;
    int rows = 0;

  private:
    std::vector<std::string> columns_;
};

}  // namespace mcp_tools

using namespace mcp_tools;

class Toolbox::Asked {
  public:
    explicit Asked(const ReadRuns& read)
        : input_(read.reportInput()), runs_(input_.runs), places_(runs_), database_(runs_, read.companions) {}

    struct Tool {
        const char* name;
        const char* about;
        std::vector<Argument> arguments;
        std::string (*answer)(Asked& asked, const Given& given);
    };
    static const std::vector<Tool>& tools() {
        static const Argument run = {"run", "string", "name of the run; the first one if left out"};
        static const std::vector<Tool> all = {
            {"overview",
             "What limits the step, the findings by what they save, and what the traces cannot show. Start here.",
             {},
             [](Asked& asked, const Given& /*given*/) -> std::string { return asked.overview(); }},
            {"finding",
             "One finding in full: its price, why, the evidence with ids, and what to change.",
             {{"number", "integer", "1 is the most expensive one", true}, run},
             [](Asked& asked, const Given& given) -> std::string {
                 return asked.finding(given.whole("number"), asked.runOf(given.textIf("run")));
             }},
            {"check",
             "The health check: where to look, and what is unknown.",
             {},
             [](Asked& asked, const Given& /*given*/) -> std::string { return checkScreen(asked.input_, {}); }},
            {"tables",
             "The tables for `query`, with their columns, and the functions.",
             {{"pattern", "string", "only tables and functions with this in their name; columns are listed too"}},
             [](Asked& asked, const Given& given) -> std::string { return asked.tables(given.textIf("pattern")); }},
            {"query",
             "One SELECT of SQLite over the tables of all runs, read only. Times are nanoseconds.",
             {{"sql", "string", "the SELECT", true},
              {"limit", "integer", "rows to return, at most 1000; 30 if left out"}},
             [](Asked& asked, const Given& given) -> std::string {
                 const std::int64_t rows = given.wholeIf("limit").value_or(kDefaultRows);
                 return asked.rowsOf(given.text("sql"), std::clamp<std::int64_t>(rows, 1, kMostRows));
             }},
            {"slice",
             "One recorded event: its times, what surrounds it, its launch or GPU work, and its arguments as recorded.",
             {{"id", "integer", "slice.id", true}},
             [](Asked& asked, const Given& given) -> std::string { return asked.slice(given.whole("id")); }},
            {"step",
             "Where the time of one step of one rank went, and its longest kernels.",
             {{"rank", "integer", "number of the rank", true}, {"step", "integer", "number of the step", true}, run},
             [](Asked& asked, const Given& given) -> std::string {
                 return asked.step(given.whole("rank"), given.whole("step"), asked.runOf(given.textIf("run")));
             }},
            {"rank",
             "What is known of one rank.",
             {{"rank", "integer", "number of the rank", true}, run},
             [](Asked& asked, const Given& given) -> std::string {
                 return asked.rank(given.whole("rank"), asked.runOf(given.textIf("run")));
             }},
            {"picture",
             "A picture of the timeline, as the window shows it, from one instant of a run to another.",
             {{"from_ns", "integer", "from the run's first instant", true}, {"to_ns", "integer", "its end", true}, run},
             [](Asked& asked, const Given& given) -> std::string {
                 return asked.picture({given.whole("from_ns"), given.whole("to_ns")}, asked.runOf(given.textIf("run")));
             }},
            {"compare",
             "What changed from run `a` to run `b`. Both were named when the server was started.",
             {{"a", "string", "name of the baseline", true}, {"b", "string", "name of the other run", true}},
             [](Asked& asked, const Given& given) -> std::string {
                 return compare(asked.runOf(given.text("a")), asked.runOf(given.text("b")));
             }},
            {"what_if",
             "A forecast of the step with changes, such as \"loader:workers=4; link:x2\": its time with a range, its "
             "parts, what it assumes. Without changes, what each change alone would save.",
             {{"changes", "string", "changes, divided by semicolons", false}, run},
             [](Asked& asked, const Given& given) -> std::string {
                 return asked.whatIf(given.textIf("changes").value_or(""), asked.runOf(given.textIf("run")));
             }}};
        return all;
    }

    ToolAnswer answer(const Tool& tool, const Given& given, const std::stop_token& stop) {
        stop_ = stop;
        png_.clear();
        std::string text = pageOf(tool.answer(*this, given), given.wholeIf("page").value_or(1));
        return {std::move(text), false, std::exchange(png_, {})};
    }

  private:
    [[nodiscard]] const AnalysedRun& runOf(const std::optional<std::string>& name) const {
        if (!name) {
            return *runs_.front();
        }
        std::vector<std::string> names;
        for (const AnalysedRun* run : runs_) {
            if (run->run->name == *name) {
                return *run;
            }
            names.push_back(run->run->name);
        }
        std::string all;
        for (const std::string& each : names) {
            all += (all.empty() ? "" : ", ") + each;
        }
        throw Refusal{fmt::format(
            "there is no run \"{}\" here; the runs are {}. Only what was named at the start is read", *name, all)};
    }

    [[nodiscard]] std::string overview() const {
        std::string out = analysisScreen(input_, {});
        for (const AnalysedRun* run : runs_) {
            out += fmt::format("run \"{}\": {} findings; finding(number) explains one, query(sql) answers the rest\n",
                               run->run->name, run->diagnosis.findings.size());
        }
        return out;
    }

    [[nodiscard]] std::string finding(std::int64_t number, const AnalysedRun& run) const {
        const auto count = static_cast<std::int64_t>(run.diagnosis.findings.size());
        if (number < 1 || number > count) {
            throw Refusal{count == 0 ? std::string("this run has no finding")
                                     : fmt::format("there is no finding {}; they are 1 to {}", number, count)};
        }
        const auto place = static_cast<std::size_t>(number - 1);
        const std::string out = textFinding(run, place);
        const std::vector<Evidence>& evidence = run.diagnosis.findings[place].evidence;
        std::string ids;
        constexpr std::ptrdiff_t kMostIds = 20;
        for (const Evidence& each : evidence) {
            const tables::Value id = places_.idOf(run, each.rank, each.slice);
            if (id.kind == tables::Value::Kind::Integer && std::ranges::count(ids, ',') < kMostIds) {
                ids += (ids.empty() ? "" : ", ") + std::to_string(id.integer);
            }
        }
        return out + (ids.empty() ? std::string() : "evidence, slice ids: " + ids + "\n");
    }

    [[nodiscard]] std::string tables(const std::optional<std::string>& pattern) const {
        std::string out;
        for (const tables::Table& table : database_.tables()) {
            if (pattern && table.name.find(*pattern) == std::string::npos) {
                continue;
            }
            out += table.name + ": " + table.meaning + "\n";
            for (const tables::Column& column : pattern ? table.columns : std::vector<tables::Column>()) {
                out += "  " + column.name + ": " + column.meaning + "\n";
            }
        }
        for (const query::FunctionWords& function : query::Database::functions()) {
            if (!pattern || function.name().find(*pattern) != std::string::npos) {
                out += "function " + function.call + ": " + function.meaning + "\n";
            }
        }
        return out.empty() ? throw Refusal{"no table has \"" + *pattern + "\" in its name"} : out;
    }

    void ask(const std::string& sql, query::RowSink& sink) {
        const Result<std::uint64_t> asked = database_.ask(sql, sink, {kLongestAnswer, kMemory}, stop_);
        if (!asked.ok()) {
            throw Refusal{asked.failed() ? asked.error().text() : "was cancelled"};
        }
    }

    std::string rowsOf(const std::string& sql, std::int64_t most) {
        std::ostringstream out;
        const auto printer = makeAnswerPrinter(QueryFormat::Table, out);
        FirstRows rows(*printer, most);
        ask(sql, rows);
        printer->finish();
        return out.str() + (rows.more ? fmt::format("(the first {} rows; there are more)\n", most) : "");
    }

    std::string linesOf(const std::string& sql, const std::string& none) {
        AsLines lines;
        ask(sql, lines);
        return lines.rows == 0 ? throw Refusal{none} : lines.text;
    }

    std::string slice(std::int64_t id) {
        const std::string number = std::to_string(id);
        std::string out = linesOf("SELECT * FROM slice WHERE id = " + number,
                                  fmt::format("there is no slice {}; ids go from 0 to {}", id,
                                              static_cast<std::int64_t>(places_.slices()) - 1));
        out += "\naround it, innermost first:\n" +
               rowsOf("SELECT id, name, dur_ns FROM ancestors(" + number + ")", kDefaultRows);
        out +=
            "\nlaunches:\n" +
            rowsOf(
                "SELECT l.latency_ns, h.id AS call, h.name AS call_name, d.id AS work, d.name AS work_name, d.dur_ns "
                "FROM launch l JOIN slice h ON h.id = l.host JOIN slice d ON d.id = l.device WHERE l.host = " +
                    number + " OR l.device = " + number,
                kDefaultRows);
        const auto place = static_cast<std::uint64_t>(id);
        const tables::SlicePlaces::OfTrack& track = places_.tracks()[places_.trackOf(place)];
        const SliceRef ref{track.track, static_cast<SliceIndex>(place - track.first)};
        const Result<std::string> text = readEventText(track.trace(), ref);
        if (text.ok()) {
            const std::string shown = printable(text.value());
            out += "\nas recorded:\n" + shown.substr(0, kEventText) + (shown.size() > kEventText ? "..." : "") + "\n";
        }
        return out;
    }

    std::string step(std::int64_t rank, std::int64_t number, const AnalysedRun& run) {
        const std::string where =
            fmt::format(" WHERE run = {} AND rank = {} AND step = {}", quoted(run.run->name), rank, number);
        std::string out = linesOf("SELECT * FROM steps" + where,
                                  fmt::format("rank {} has no step {}; SELECT DISTINCT step FROM steps", rank, number));
        out += "\nidle by cause:\n" + rowsOf("SELECT cause, count(*) AS parts, sum(dur_ns) AS ns FROM gap_cause" +
                                                 where + " GROUP BY cause ORDER BY ns DESC",
                                             kDefaultRows);
        out += "\nlongest GPU work:\n" +
               rowsOf("SELECT name, class, count(*) AS calls, sum(dur_ns) AS ns, min(id) AS first_id FROM slice" +
                          where + " AND class IS NOT NULL GROUP BY name, class ORDER BY ns DESC",
                      10);
        return out;
    }

    std::string rank(std::int64_t number, const AnalysedRun& run) {
        return linesOf(fmt::format("SELECT * FROM ranks WHERE run = {} AND rank = {}", quoted(run.run->name), number),
                       fmt::format("there is no rank {}; SELECT rank FROM rank", number));
    }

    std::string picture(const TimeSpan& span, const AnalysedRun& run) {
        if (span.end_ns <= span.start_ns) {
            throw Refusal{"to_ns must be above from_ns"};
        }
        const auto is_cut = [](const auto& rank) { return rank->earlier.number.has_value(); };
        if (run.run->chosen_steps || std::ranges::any_of(run.run->ranks, is_cut)) {
            throw Refusal{"a picture needs a server that reads all steps: without --steps, and with enough --memory"};
        }
        Result<std::string> png = pictureOf(*run.run, span, stop_);
        if (!png.ok()) {
            throw Refusal{png.failed() ? png.error().text() : "was cancelled"};
        }
        png_ = std::move(png).value();
        return fmt::format("{} from {} ns to {} ns\n", run.run->name, span.start_ns, span.end_ns);
    }

    [[nodiscard]] std::string whatIf(const std::string& text, const AnalysedRun& run) {
        const auto refuse = [](const auto& failed) -> Refusal {
            return {failed.failed() ? failed.error().text() : "was cancelled"};
        };
        const Result<std::vector<WhatIfChange>> changes = parseChanges(text);
        if (!changes.ok()) {
            throw refuse(changes);
        }
        std::shared_ptr<const WhatIfRun>& prepared = what_if_[&run];
        if (prepared == nullptr) {
            Result<std::shared_ptr<const WhatIfRun>> made = WhatIfRun::prepare(run, {}, stop_);
            if (!made.ok()) {
                throw refuse(made);
            }
            prepared = std::move(made).value();
        }
        if (changes.value().empty()) {
            return singlesScreen(*prepared, trySingles(*prepared, stop_), {}, true);
        }
        const Result<Forecast> forecast = prepared->forecast(changes.value(), stop_);
        if (!forecast.ok()) {
            throw refuse(forecast);
        }
        return whatIfScreen(*prepared, forecast.value(), {});
    }

    static std::string compare(const AnalysedRun& a, const AnalysedRun& b) {
        const RunComparison comparison = compareRuns(a, b, readEventText);
        ReportInput two;
        two.runs = {&a, &b};
        two.comparisons = {{0, 1, &comparison}};
        return comparisonScreen(two, {});
    }

    ReportInput input_;
    tables::Runs runs_;
    tables::SlicePlaces places_;
    query::Database database_;
    std::stop_token stop_;
    std::string png_;  // of the call that is answered
    std::map<const AnalysedRun*, std::shared_ptr<const WhatIfRun>> what_if_;
};

Toolbox::Toolbox(const ReadRuns& read) : asked_(std::make_unique<Asked>(read)) {}
Toolbox::~Toolbox() = default;

json Toolbox::list() {
    json all = json::array();
    for (const Asked::Tool& tool : Asked::tools()) {
        json properties = {{"page", {{"type", "integer"}, {"description", "of a long answer; 1 if left out"}}}};
        json needed = json::array();
        for (const Argument& argument : tool.arguments) {
            properties[argument.name] = {{"type", argument.type}, {"description", argument.meaning}};
            if (argument.needed) {
                needed.push_back(argument.name);
            }
        }
        all.push_back({{"name", tool.name},
                       {"description", tool.about},
                       {"inputSchema", {{"type", "object"}, {"properties", properties}, {"required", needed}}},
                       {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}});
    }
    return all;
}

ToolAnswer Toolbox::call(std::string_view name, const json& arguments, const std::stop_token& stop) {
    const std::vector<Asked::Tool>& tools = Asked::tools();
    const auto tool = std::ranges::find(tools, name, &Asked::Tool::name);
    if (tool == tools.end()) {
        std::vector<std::string> names;
        std::ranges::transform(tools, std::back_inserter(names), &Asked::Tool::name);
        return {fmt::format("there is no tool {}{}", printable(name), suggestion(name, names)), true};
    }
    try {
        return asked_->answer(*tool, Given(arguments), stop);
    } catch (const Refusal& refusal) {
        return {refusal.why, true};
    }
}

}  // namespace rankscope::cli
