// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace rankscope::python {

/// Reads and analyses the runs at `paths`: (list of LoadedRun, list of notes, list of what could not be read as (path,
/// byte offset or None, cause)). `name` joins all paths into one run of that name, unless it is None.
/// `progress(stage, done, total)` may be None.
[[nodiscard]] pybind11::tuple openRuns(const std::vector<std::string>& paths, const pybind11::object& name,
                                       const pybind11::dict& options, const pybind11::object& progress);

/// Makes the digests of the traces at `paths` in a folder: a list of (label, whether it was up to date, ranks, bytes,
/// bytes of JSON, error as (path, byte offset, cause) or None).
[[nodiscard]] pybind11::list digestPaths(const std::vector<std::string>& paths, const std::string& folder,
                                         unsigned jobs, const pybind11::object& progress);

}  // namespace rankscope::python
