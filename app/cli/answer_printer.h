// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <memory>

#include "core/query/database.h"

namespace rankscope::cli {

/// How the rows of an answer are printed.
enum class QueryFormat { Table, Csv, Json, JsonLines };

/// Prints the rows of an answer as they come.
class AnswerPrinter : public query::RowSink {
  public:
    /// Ends the answer. Call it once, after the last row.
    virtual void finish() = 0;
};

/// A printer of one format: a table for people, whose texts are cut at 60 characters; CSV (RFC 4180); a JSON list of
/// objects; or a JSON object a line. It stops where `out` fails.
[[nodiscard]] std::unique_ptr<AnswerPrinter> makeAnswerPrinter(QueryFormat format, std::ostream& out);

}  // namespace rankscope::cli
