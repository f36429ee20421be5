// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>

#include "core/base/result.h"

namespace rankscope::python {

/// Becomes an exception of the class of this name in rankscope._errors, with the path, the byte and the cause.
struct Failure {
    const char* type = "RankscopeError";
    Error error;
};

/// The place of an error as a tuple: (path, byte offset or None, cause).
[[nodiscard]] inline pybind11::tuple placeOf(const Error& error) {
    return pybind11::make_tuple(error.path, error.byte_offset, error.cause);
}

/// Throws KeyboardInterrupt for what was cancelled, and a Failure for what failed; else returns the value.
template <class T>
T valueOr(const char* type, Result<T> result) {
    if (result.ok()) {
        return std::move(result).value();
    }
    if (result.cancelled()) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw pybind11::error_already_set();
    }
    throw Failure{type, result.error()};
}

/// Makes Failure an exception of Python.
void registerFailure();

}  // namespace rankscope::python
