// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pybind11/pybind11.h>

#include "core/request/run_request.h"

namespace rankscope::python {

/// Fills a request with the options of rankscope.open(), by their names. Throws ValueError for a value that cannot be
/// used, and TypeError for an option that is not there.
void readOptions(const pybind11::dict& options, RunRequest& request);

}  // namespace rankscope::python
