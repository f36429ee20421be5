// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/tables/filled_table.h"

namespace rankscope::python {

/// What Python calls a type: "int64", "float64", "text".
[[nodiscard]] constexpr const char* nameOf(tables::Type type) {
    return type == tables::Type::Integer ? "int64" : type == tables::Type::Real ? "float64" : "text";
}

/// A table with all its cells, for Python: numpy views of its buffers, and Arrow's capsules.
class Filled {
  public:
    explicit Filled(std::shared_ptr<const tables::FilledTable> table) : table_(std::move(table)) {}

    [[nodiscard]] std::uint64_t rows() const { return table_->rows; }
    /// A list of (name, "int64", "float64" or "text", number of nulls, meaning).
    [[nodiscard]] pybind11::list columns() const;
    /// The buffer of a column as a read-only array: int64, float64, or int32 positions in texts().
    [[nodiscard]] pybind11::object values(std::size_t column) const;
    /// The bits of a column's values as a read-only array of uint8; None without nulls.
    [[nodiscard]] pybind11::object validity(std::size_t column) const;
    /// The distinct texts of a column.
    [[nodiscard]] pybind11::list texts(std::size_t column) const;
    /// A capsule "arrow_array_stream". A consumer that does not take it leaves the release to the capsule.
    [[nodiscard]] pybind11::object arrowStream(std::int64_t batch_rows) const;
    /// A capsule "arrow_schema".
    [[nodiscard]] pybind11::object arrowSchema() const;

    /// Adds the class to the module.
    static void addTo(pybind11::module_& module);

  private:
    [[nodiscard]] const tables::FilledColumn& columnAt(std::size_t column) const;
    template <class T>
    [[nodiscard]] pybind11::object viewOf(const std::vector<T>& buffer) const;

    std::shared_ptr<const tables::FilledTable> table_;
};

}  // namespace rankscope::python
