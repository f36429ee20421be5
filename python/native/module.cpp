// SPDX-License-Identifier: GPL-3.0-or-later
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>

#include "core/base/write_file.h"
#include "core/report/version.h"
#include "python/native/compared_runs.h"
#include "python/native/failure.h"
#include "python/native/filled.h"
#include "python/native/loaded_run.h"
#include "python/native/open_runs.h"

namespace py = pybind11;

namespace rankscope::python {

void registerFailure() {
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            std::rethrow_exception(std::move(thrown));
        } catch (const Failure& failure) {
            const py::object type = py::module_::import("rankscope._errors").attr(failure.type);
            const py::object error = type(failure.error.path, failure.error.byte_offset, failure.error.cause);
            PyErr_SetObject(type.ptr(), error.ptr());
        }
    });
}

}  // namespace rankscope::python

namespace {

void writeFile(const std::string& path, const std::string& text) {
    if (const std::optional<rankscope::Error> error = rankscope::writeFileAtomically(path, text)) {
        throw rankscope::python::Failure{"RankscopeError", *error};
    }
}

}  // namespace

PYBIND11_MODULE(_native, module) {
    using namespace rankscope::python;
    module.doc() = "The compiled part of rankscope. Use the package; names here may change.";
    registerFailure();
    Filled::addTo(module);
    LoadedRun::addTo(module);
    Comparison::addTo(module);
    module.attr("version") = std::string(rankscope::toolVersion());
    module.def("tables", tableList);
    module.def("open_runs", openRuns, py::arg("paths"), py::arg("name"), py::arg("options"), py::arg("progress"));
    module.def("write_file", writeFile, py::arg("path"), py::arg("text"));
    module.def("digest", digestPaths, py::arg("paths"), py::arg("folder"), py::arg("jobs"), py::arg("progress"));
}
