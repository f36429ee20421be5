// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "core/tables/filled_table.h"

// The structures of Arrow's C data interface and C stream interface, as their specification declares them
// (https://arrow.apache.org/docs/format/CDataInterface.html). Their names and guards are those of the specification, so
// that other declarations of them can be included too.
// NOLINTBEGIN(readability-identifier-naming,modernize-use-using)
extern "C" {
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    struct ArrowSchema** children;
    struct ArrowSchema* dictionary;
    void (*release)(struct ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    struct ArrowArray** children;
    struct ArrowArray* dictionary;
    void (*release)(struct ArrowArray*);
    void* private_data;
};
#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
    int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
    const char* (*get_last_error)(struct ArrowArrayStream*);
    void (*release)(struct ArrowArrayStream*);
    void* private_data;
};
#endif  // ARROW_C_STREAM_INTERFACE
}
// NOLINTEND(readability-identifier-naming,modernize-use-using)

namespace rankscope::tables {

/// The rows of a batch of exportStream().
inline constexpr std::int64_t kBatchRows = 1 << 17;

/// Describes the columns of `table` in `out`, which the caller releases: a struct with a field per column. Integers are
/// int64 ("l"), reals float64 ("g"), texts int32 ("i") with a dictionary of texts with 64-bit offsets ("U"). All fields
/// may have nulls; the meaning of a column is in its metadata.
void exportSchema(const FilledTable& table, ArrowSchema* out);

/// Exports the rows in batches of `batch_rows` in `out`, which the caller releases. No cell is copied: the batches are
/// views of the table's buffers, which live as long as the table or any part of a batch that is not released. For one
/// thread at a time.
void exportStream(std::shared_ptr<const FilledTable> table, ArrowArrayStream* out,
                  std::int64_t batch_rows = kBatchRows);

}  // namespace rankscope::tables
