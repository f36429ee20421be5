// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/native/loaded_run.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/base/suggestion.h"
#include "core/ingest/load.h"
#include "core/query/filled_answer.h"
#include "core/tables/slice_places.h"
#include "python/native/failure.h"
#include "python/native/on_thread.h"

namespace rankscope::python {
namespace {

namespace py = pybind11;

/// The tables that runs have; they do not depend on the run.
const std::vector<tables::Table>& registry() {
    static const query::Database none({});
    return none.tables();
}

const tables::Table& tableOf(const std::vector<tables::Table>& all, const std::string& name) {
    std::vector<std::string> names;
    for (const tables::Table& table : all) {
        if (table.name == name) {
            return table;
        }
        names.push_back(table.name);
    }
    throw py::key_error("there is no table \"" + name + "\"" + suggestion(name, names));
}

using Cells = std::shared_ptr<const tables::FilledTable>;

py::list placesOf(const std::vector<Error>& errors) {
    py::list out;
    for (const Error& error : errors) {
        out.append(placeOf(error));
    }
    return out;
}

/// The paths of its files.
std::vector<std::string> filesOf(const AnalysedRun& run) {
    std::set<std::string> paths;
    for (const auto& rank : run.run->ranks) {
        for (const TraceFile& file : rank->files) {
            paths.insert(file.digest.empty() ? file.path : file.digest);
        }
    }
    return {paths.begin(), paths.end()};
}

/// The number of each rank, by position; None where no file says it.
py::list ranksOf(const AnalysedRun& run) {
    py::list out;
    for (const auto& rank : run.run->ranks) {
        out.append(rank->rank ? py::object(py::int_(rank->rank->value)) : py::object(py::none()));
    }
    return out;
}

}  // namespace

LoadedRun::LoadedRun(AnalysedRun run, JobCompanions companions, std::vector<Error> unreadable)
    : name_(run.run->name),
      companions_(std::move(companions)),
      unreadable_(std::move(unreadable)),
      run_(std::make_shared<AnalysedRun>(std::move(run))) {}

std::shared_ptr<const AnalysedRun> LoadedRun::shared() const {
    std::shared_ptr<const AnalysedRun> run = run_.load();
    if (run == nullptr) {
        throw Failure{"ClosedError", {name_, {}, "the run is closed"}};
    }
    return run;
}

template <class Work>
auto LoadedRun::alone(const Work& work) {
    using Answer = std::invoke_result_t<Work, const AnalysedRun&, const std::stop_token&>;
    return onThread([this, &work](const std::stop_token& stop) -> Answer {
        constexpr std::chrono::milliseconds kBetween{50};
        std::unique_lock lock(mutex_, std::defer_lock);
        while (!lock.try_lock_for(kBetween)) {
            if (stop.stop_requested()) {
                return Cancelled();
            }
        }
        const std::shared_ptr<const AnalysedRun> run = shared();
        return work(*run, stop);
    });
}

query::Database& LoadedRun::databaseOf(const AnalysedRun& run) {
    if (database_ == nullptr) {
        database_ = std::make_unique<query::Database>(tables::Runs{&run}, companions_);
    }
    return *database_;
}

void LoadedRun::close() {
    const py::gil_scoped_release released;
    const std::scoped_lock lock(mutex_);
    database_.reset();
    companions_ = {};
    run_.store(nullptr);
}

Filled LoadedRun::fill(const std::string& table) {
    (void)tableOf(registry(), table);  // throws on this thread, with the interpreter's lock
    return Filled(
        valueOr("RankscopeError", alone([&](const AnalysedRun& run, const std::stop_token& stop) -> Result<Cells> {
                    return tables::fillTable(tableOf(databaseOf(run).tables(), table), {&run}, stop);
                })));
}

Filled LoadedRun::ask(const std::string& sql, double seconds) {
    return Filled(
        valueOr("QueryError", alone([&](const AnalysedRun& run, const std::stop_token& stop) -> Result<Cells> {
                    query::Limits limits;
                    if (seconds > 0) {
                        limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1'000));
                    }
                    query::FilledAnswer answer;
                    const Result<std::uint64_t> asked = databaseOf(run).ask(sql, answer, limits, stop);
                    if (!asked.ok()) {
                        return asked.failed() ? Result<Cells>(asked.error()) : Result<Cells>(Cancelled());
                    }
                    return std::move(answer).finish();
                })));
}

std::string LoadedRun::event(std::int64_t slice) {
    return valueOr("ReadError", alone([&](const AnalysedRun& run, const std::stop_token&) -> Result<std::string> {
                       const tables::SlicePlaces places({&run});
                       const auto id = static_cast<std::uint64_t>(slice);
                       if (id >= places.slices()) {
                           throw std::out_of_range("there is no slice " + std::to_string(slice));
                       }
                       const tables::SlicePlaces::OfTrack& track = places.tracks()[places.trackOf(id)];
                       return readEventText(track.trace(), {track.track, static_cast<SliceIndex>(id - track.first)});
                   }));
}

std::string LoadedRun::textOf(const std::function<std::string(const ReportInput& input)>& make) {
    return valueOr("RankscopeError", alone([&](const AnalysedRun& run, const std::stop_token&) -> Result<std::string> {
                       return make({{&run}, unreadable_});
                   }));
}

void LoadedRun::addTo(py::module_& module) {
    const auto of_run = [](std::string (*make)(const AnalysedRun&)) {
        return [make](LoadedRun& self) {
            return self.textOf([make](const ReportInput& input) { return make(*input.runs.front()); });
        };
    };
    const auto of_input = [](std::string (*make)(const ReportInput&)) {
        return [make](LoadedRun& self) { return self.textOf(make); };
    };
    py::class_<LoadedRun, std::shared_ptr<LoadedRun>>(module, "LoadedRun")
        .def_property_readonly("name", &LoadedRun::name)
        .def_property_readonly("closed", &LoadedRun::isClosed)
        .def("close", &LoadedRun::close)
        .def("ranks", [](const LoadedRun& self) { return ranksOf(*self.shared()); })
        .def("files", [](const LoadedRun& self) { return filesOf(*self.shared()); })
        .def("notes", [](const LoadedRun& self) { return self.shared()->run->notes; })
        .def("unreadable", [](const LoadedRun& self) { return placesOf(self.shared()->run->unreadable); })
        .def("incomplete", [](const LoadedRun& self) { return placesOf(self.shared()->run->incomplete); })
        .def("fill", &LoadedRun::fill, py::arg("table"))
        .def("ask", &LoadedRun::ask, py::arg("sql"), py::arg("seconds") = 0)
        .def("event", &LoadedRun::event, py::arg("slice"))
        .def("verdict_json", of_run(jsonVerdict))
        .def("full_text", of_run(textReport))
        .def("html", of_input(htmlReport))
        .def("html_screen", of_input(htmlScreen))
        .def("markdown", of_input(markdownReport))
        .def(
            "json",
            [](LoadedRun& self, bool all) {
                const JsonDetail detail = all ? JsonDetail::All : JsonDetail::Short;
                return self.textOf([detail](const ReportInput& input) { return jsonReport(input, detail); });
            },
            py::arg("all"))
        .def(
            "screen",
            [](LoadedRun& self, std::size_t width, bool colour) {
                return self.textOf([&](const ReportInput& input) {
                    return analysisScreen(input, {std::max<std::size_t>(width, 40), colour});
                });
            },
            py::arg("width"), py::arg("colour"))
        .def(
            "finding_text",
            [](LoadedRun& self, std::size_t finding) {
                if (finding >= self.shared()->diagnosis.findings.size()) {
                    throw py::index_error("there is no such finding");
                }
                return self.textOf(
                    [finding](const ReportInput& input) { return textFinding(*input.runs.front(), finding); });
            },
            py::arg("finding"));
}

py::list tableList() {
    py::list out;
    for (const tables::Table& table : registry()) {
        py::list columns;
        for (const tables::Column& column : table.columns) {
            columns.append(py::make_tuple(column.name, nameOf(column.type), column.meaning));
        }
        out.append(py::make_tuple(table.name, table.meaning, columns));
    }
    return out;
}

}  // namespace rankscope::python
