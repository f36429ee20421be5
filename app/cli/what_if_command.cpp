// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/what_if_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/cli/complain.h"
#include "app/cli/output_files.h"
#include "app/cli/progress_line.h"
#include "app/exit_code.h"
#include "core/base/parse_quantity.h"
#include "core/condense/make_digest.h"
#include "core/digest/digest_file.h"
#include "core/report/version.h"
#include "core/report/what_if.h"
#include "core/request/read_runs.h"
#include "core/whatif/predicted_run.h"
#include "core/whatif/singles.h"

namespace rankscope::cli {
namespace {

constexpr const char* kWhatIfFooter =
    "Without --set it lists what each change alone would save.\n"
    "rankscope-cli what-if traces/ --set loader:workers=4 --set link:x2\n"
    "rankscope-cli what-if traces/ --search 40ms\n"
    "Exit code: 0 done; 2 wrong usage, or this run cannot tell a change; 3 nothing could be read;\n"
    "4 done, but some files could not be read.";

/// Writes the run with these changes as a digest. False if that failed, as standard error explains.
bool writePredicted(const WhatIfRun& run, const WhatIfRequest& request, const std::vector<WhatIfChange>& changes) {
    if (request.digest.empty()) {
        return true;
    }
    const Result<std::shared_ptr<const Run>> predicted = predictedRun(run, changes);
    if (!predicted.ok()) {
        complain(predicted.failed() ? predicted.error() : Error{request.digest, {}, "was cancelled"});
        return false;
    }
    const DigestMaker maker{.tool = std::string(toolVersion()), .definitions = kDefinitions};
    if (const std::optional<Error> error = writeDigest(*predicted.value(), request.digest, maker)) {
        complain(*error);
        return false;
    }
    return true;
}

/// Writes the answer: the JSON to its file, the screen unless JSON has standard output.
bool answerWith(const Request& request, const std::string& json, const std::string& screen) {
    return (request.json.empty() || writeOutput(request.json, json)) &&
           (request.json == "-" || writeOutput("-", screen));
}

int answerSingles(const WhatIfRun& run, const WhatIfRequest& request) {
    const SingleChanges singles = trySingles(run);
    return answerWith(request.runs, jsonSingles(run, singles),
                      singlesScreen(run, singles, request.runs.printed.style, request.runs.printed.is_full))
               ? kDone
               : kWrongUsage;
}

int answerForecast(const WhatIfRun& run, const WhatIfRequest& request) {
    const Result<Forecast> forecast =
        request.goal_ns ? searchChanges(run, *request.goal_ns) : run.forecast(request.changes);
    if (!forecast.ok()) {
        complain(forecast.failed() ? forecast.error() : Error{"what-if", {}, "was cancelled"});
        return kWrongUsage;
    }
    const bool written = writePredicted(run, request, forecast.value().changes) &&
                         answerWith(request.runs, jsonForecast(run, forecast.value()),
                                    whatIfScreen(run, forecast.value(), request.runs.printed.style));
    return written ? kDone : kWrongUsage;
}

}  // namespace

void addWhatIf(CLI::App& command, WhatIfTexts& texts) {
    command.remove_option(command.get_option("--run"));  // it names several runs, and a forecast is of one
    command
        .add_option("--set", texts.changes, "A change, such as link:x2 or loader:workers=4; may be given repeatedly")
        ->type_name("CHANGE")
        ->allow_extra_args(false);
    command
        .add_option("--search", texts.search, "Find the fewest changes with which a step takes this long: \"40 ms\"")
        ->type_name("TIME");
    command
        .add_option("--run", texts.digest, "Write the predicted run into this digest, to be opened like a recording")
        ->type_name("OUT.digest");
    command.add_flag("--list", texts.list, "List the kinds of changes");
    command.footer(kWhatIfFooter);
}

WhatIfRequest readWhatIfRequest(const WhatIfTexts& texts, Request request) {
    WhatIfRequest what_if;
    what_if.list = texts.list;
    for (const std::string& text : texts.changes) {
        Result<WhatIfChange> change = parseWhatIf(text);
        if (change.failed()) {
            refuseOption("--set", change.error().cause);
        }
        what_if.changes.push_back(std::move(change).value());
    }
    if (const std::optional<Error> error = excludeOneAnother(what_if.changes)) {
        refuseOption("--set", error->cause);
    }
    if (!texts.search.empty()) {
        what_if.goal_ns = parseDuration(texts.search);
        if (!what_if.goal_ns || *what_if.goal_ns <= 0) {
            refuseOption("--search", "a time above 0 is needed, such as 40ms, not \"" + texts.search + "\"");
        }
        if (!what_if.changes.empty()) {
            refuseOption("--search", "cannot be combined with --set");
        }
    }
    if (!texts.digest.empty()) {
        if (what_if.changes.empty() && !what_if.goal_ns) {
            refuseOption("--run", "needs --set or --search");
        }
        if (!texts.digest.ends_with(kDigestEnding)) {
            refuseOption("--run", "the name of a digest ends with .digest");
        }
        if (std::ranges::any_of(request.paths,
                                [&](const std::string& path) { return isSameFile(path, texts.digest); })) {
            refuseOption("--run", texts.digest + " is an input");
        }
    }
    what_if.digest = texts.digest;
    what_if.runs = std::move(request);
    return what_if;
}

int runWhatIf(WhatIfRequest request) {
    if (request.list) {
        return writeOutput("-", kindsScreen(request.runs.printed.style)) ? kDone : kWrongUsage;
    }
    OnStandardError shown;
    if (!fetchRemotePaths(request.runs, shown)) {
        return kNothingReadable;
    }
    request.runs.bucket_sizes = false;
    request.runs.keep_replay = true;
    const std::vector<Discovery> found = discover(request.runs);
    if (const std::optional<Error> error = outputThatIsAnInput(request.runs, found, {}, {})) {
        complain(*error);
        return kWrongUsage;
    }
    const ReadRuns read = readRuns(request.runs, found, shown);
    shown.clear();
    if (read.runs.empty()) {
        return kNothingReadable;
    }
    if (read.runs.size() > 1) {
        complain("what-if is about one run, and the paths contain " + std::to_string(read.runs.size()) +
                 "; name one of them");
        return kWrongUsage;
    }
    const Result<std::shared_ptr<const WhatIfRun>> run = WhatIfRun::prepare(read.runs.front());
    if (!run.ok()) {
        complain(run.failed() ? run.error() : Error{"what-if", {}, "was cancelled"});
        return kNothingReadable;
    }
    const bool alone = request.changes.empty() && !request.goal_ns;
    const int code = alone ? answerSingles(*run.value(), request) : answerForecast(*run.value(), request);
    return code == kDone && !read.complete() ? kSomeUnreadable : code;
}

}  // namespace rankscope::cli
