// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <memory>

#include "core/query/database.h"

namespace rankscope::cli {

/// The format of an answer's rows.
enum class QueryFormat { Table, Csv, Json, JsonLines };

/// Prints the rows of an answer as they arrive.
class AnswerPrinter : public query::RowSink {
  public:
    /// Ends the answer. Call it once, after the last row.
    virtual void finish() = 0;
};

/// A printer for one format: a table for people, with texts cut at 60 characters; CSV (RFC 4180); a JSON list of
/// objects; or one JSON object per line. It stops if `out` fails.
[[nodiscard]] std::unique_ptr<AnswerPrinter> makeAnswerPrinter(QueryFormat format, std::ostream& out);

}  // namespace rankscope::cli
