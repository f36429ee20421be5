// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/native/filled.h"

#include <pybind11/numpy.h>

#include <string>
#include <utility>
#include <vector>

#include "core/tables/arrow_stream.h"

namespace rankscope::python {
namespace {

namespace py = pybind11;

constexpr const char* kStreamName = "arrow_array_stream";
constexpr const char* kSchemaName = "arrow_schema";

/// Releases the structure of a capsule that no consumer has taken.
template <class Structure>
void releaseCapsule(PyObject* capsule) {
    auto* const structure = static_cast<Structure*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
    if (structure->release != nullptr) {
        structure->release(structure);
    }
    delete structure;
}

template <class Structure>
py::object capsuleOf(std::unique_ptr<Structure> structure, const char* name) {
    PyObject* const capsule = PyCapsule_New(structure.get(), name, releaseCapsule<Structure>);
    if (capsule == nullptr) {
        structure->release(structure.get());
        throw py::error_already_set();
    }
    (void)structure.release();  // the capsule's now
    return py::reinterpret_steal<py::object>(capsule);
}

}  // namespace

const tables::FilledColumn& Filled::columnAt(std::size_t column) const {
    if (column >= table_->columns.size()) {
        throw py::index_error("there is no such column");
    }
    return table_->columns[column];
}

py::list Filled::columns() const {
    py::list out;
    for (const tables::FilledColumn& column : table_->columns) {
        out.append(py::make_tuple(column.name, nameOf(column.type), column.nulls, column.meaning));
    }
    return out;
}

template <class T>
py::object Filled::viewOf(const std::vector<T>& buffer) const {
    using Owner = std::shared_ptr<const tables::FilledTable>;
    const py::capsule owner(new Owner(table_), [](void* kept) { delete static_cast<Owner*>(kept); });
    py::array_t<T> view(static_cast<py::ssize_t>(buffer.size()), buffer.data(), owner);
    view.attr("setflags")(py::arg("write") = false);
    return view;
}

py::object Filled::values(std::size_t column) const {
    const tables::FilledColumn& of = columnAt(column);
    switch (of.type) {
        case tables::Type::Integer: return viewOf(of.integers);
        case tables::Type::Real: return viewOf(of.reals);
        case tables::Type::Text: return viewOf(of.codes);
    }
    return py::none();
}

py::object Filled::validity(std::size_t column) const {
    const tables::FilledColumn& of = columnAt(column);
    return of.nulls == 0 ? py::object(py::none()) : viewOf(of.validity);
}

py::list Filled::texts(std::size_t column) const {
    const tables::TextDictionary& texts = columnAt(column).texts;
    py::list out;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string_view text = texts.at(i);
        out.append(py::str(text.data(), text.size()));
    }
    return out;
}

py::object Filled::arrowStream(std::int64_t batch_rows) const {
    auto stream = std::make_unique<ArrowArrayStream>();
    tables::exportStream(table_, stream.get(), batch_rows);
    return capsuleOf(std::move(stream), kStreamName);
}

py::object Filled::arrowSchema() const {
    auto schema = std::make_unique<ArrowSchema>();
    tables::exportSchema(*table_, schema.get());
    return capsuleOf(std::move(schema), kSchemaName);
}

void Filled::addTo(py::module_& module) {
    py::class_<Filled>(module, "Filled")
        .def_property_readonly("rows", &Filled::rows)
        .def("columns", &Filled::columns)
        .def("values", &Filled::values)
        .def("validity", &Filled::validity)
        .def("texts", &Filled::texts)
        .def("arrow_stream", &Filled::arrowStream, py::arg("batch_rows") = tables::kBatchRows)
        .def("arrow_schema", &Filled::arrowSchema);
}

}  // namespace rankscope::python
