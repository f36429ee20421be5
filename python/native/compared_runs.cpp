// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/native/compared_runs.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "core/ingest/load.h"
#include "core/query/cells.h"
#include "core/report/tables/comparison_tables.h"
#include "python/native/on_thread.h"

namespace rankscope::python {
namespace {

namespace py = pybind11;

std::vector<std::shared_ptr<const AnalysedRun>> sharedOf(const std::vector<std::shared_ptr<LoadedRun>>& runs) {
    std::vector<std::shared_ptr<const AnalysedRun>> out;
    for (const std::shared_ptr<LoadedRun>& run : runs) {
        out.push_back(run->shared());
    }
    return out;
}

SideRuns pointersTo(const std::vector<std::shared_ptr<const AnalysedRun>>& runs) {
    SideRuns out;
    for (const auto& run : runs) {
        out.push_back(run.get());
    }
    return out;
}

Filled filledOf(const report::DataTable& table) {
    tables::FilledTable out;
    out.rows = table.rows.size();
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const report::Column& declared = table.columns[column];
        tables::ColumnFiller filler(declared.key, query::typeOf(declared.unit), declared.title);
        for (const std::vector<report::Cell>& row : table.rows) {
            filler.add(query::valueOf(row[column]));
        }
        out.columns.push_back(std::move(filler).finish());
    }
    return Filled(std::make_shared<const tables::FilledTable>(std::move(out)));
}

}  // namespace

Comparison::Comparison(const std::vector<std::shared_ptr<LoadedRun>>& a,
                       const std::vector<std::shared_ptr<LoadedRun>>& b, double matters)
    : a_(sharedOf(a)), b_(sharedOf(b)) {
    if (a_.empty() || b_.empty() || !(matters > 0)) {
        throw py::value_error("each side needs a run, and what matters is a share above 0");
    }
    comparison_ = onThread(
        [&](const std::stop_token&) { return compareSides(pointersTo(a_), pointersTo(b_), matters, readEventText); });
}

const AnalysedRun& Comparison::shownOf(const Side& side, const ComparedSide& compared) {
    return *side[compared.shown];
}

std::string Comparison::textOf(const std::function<std::string(const ReportInput& input)>& make) const {
    ReportInput input;
    input.runs = {&shownOf(a_, comparison_.a_side), &shownOf(b_, comparison_.b_side)};
    input.comparisons = {{0, 1, &comparison_}};
    return onThread([&](const std::stop_token&) { return make(input); });
}

py::list Comparison::tables() const {
    py::list out;
    for (const report::DataTable& table :
         report::comparisonTables({shownOf(a_, comparison_.a_side), shownOf(b_, comparison_.b_side), comparison_})) {
        out.append(py::make_tuple(table.name, filledOf(table)));
    }
    return out;
}

void Comparison::addTo(py::module_& module) {
    const auto of_input = [](std::string (*make)(const ReportInput&)) {
        return [make](const Comparison& self) { return self.textOf(make); };
    };
    const auto of_pair = [](std::string (*make)(const AnalysedRun&, const AnalysedRun&, const RunComparison&)) {
        return [make](const Comparison& self) {
            return self.textOf([make](const ReportInput& input) {
                return make(*input.runs[0], *input.runs[1], *input.comparisons.front().comparison);
            });
        };
    };
    py::class_<Comparison>(module, "Comparison")
        .def(py::init<const std::vector<std::shared_ptr<LoadedRun>>&, const std::vector<std::shared_ptr<LoadedRun>>&,
                      double>(),
             py::arg("a"), py::arg("b"), py::arg("matters") = kMatters)
        .def("headline", [](const Comparison& self) { return comparisonHeadline(self.comparison_); })
        .def("verdict", [](const Comparison& self) { return comparisonVerdict(self.comparison_); })
        .def("is_regression",
             [](const Comparison& self, double percent) { return isRegression(self.comparison_, percent); })
        .def("json", of_pair(jsonComparison))
        .def("full_text", of_pair(textComparison))
        .def("html", of_input(htmlReport))
        .def("markdown", of_input(markdownReport))
        .def("tables", &Comparison::tables)
        .def(
            "screen",
            [](const Comparison& self, std::size_t width, bool colour) {
                return self.textOf([&](const ReportInput& input) {
                    return comparisonScreen(input, {std::max<std::size_t>(width, 40), colour});
                });
            },
            py::arg("width"), py::arg("colour"));
}

}  // namespace rankscope::python
