// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/arrow_stream.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankscope::tables {
namespace {

/// What a structure with children owns: the structure itself is the consumer's.
template <class Structure>
struct Owned {
    std::vector<Structure> children;
    std::vector<Structure*> child_places;
    std::unique_ptr<Structure> dictionary;

    void takeChildren(Structure& to) {
        for (Structure& child : children) {
            child_places.push_back(&child);
        }
        to.n_children = static_cast<std::int64_t>(children.size());
        to.children = child_places.empty() ? nullptr : child_places.data();
        to.dictionary = dictionary.get();
    }
    /// Releases the parts that the consumer has not taken.
    ~Owned() {
        for (Structure& child : children) {
            releaseOf(child);
        }
        if (dictionary) {
            releaseOf(*dictionary);
        }
    }
    Owned() = default;
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

  private:
    static void releaseOf(Structure& structure) {
        if (structure.release != nullptr) {
            structure.release(&structure);
        }
    }
};

struct OwnedSchema : Owned<ArrowSchema> {
    std::string name;
    std::string metadata;
};

struct OwnedArray : Owned<ArrowArray> {
    std::shared_ptr<const FilledTable> table;
    std::vector<const void*> buffers;
};

void releaseSchema(ArrowSchema* schema) {
    delete static_cast<OwnedSchema*>(schema->private_data);
    schema->release = nullptr;
}

void releaseArray(ArrowArray* array) {
    delete static_cast<OwnedArray*>(array->private_data);
    array->release = nullptr;
}

/// Arrow's form of one pair of texts: their number, then the length and the bytes of each.
std::string metadataOf(std::string_view key, std::string_view value) {
    std::string out;
    const auto number = [&out](std::size_t n) {
        const auto whole = static_cast<std::int32_t>(n);
        out.append(reinterpret_cast<const char*>(&whole), sizeof whole);
    };
    number(1);
    for (const std::string_view text : {key, value}) {
        number(text.size());
        out += text;
    }
    return out;
}

/// `format` lives as long as the program.
ArrowSchema schemaOf(const char* format, std::unique_ptr<OwnedSchema> owned) {
    ArrowSchema out{};
    out.format = format;
    out.name = owned->name.c_str();
    out.metadata = owned->metadata.empty() ? nullptr : owned->metadata.data();
    out.flags = ARROW_FLAG_NULLABLE;
    owned->takeChildren(out);
    out.release = releaseSchema;
    out.private_data = owned.release();
    return out;
}

ArrowSchema schemaOf(const FilledColumn& column) {
    auto owned = std::make_unique<OwnedSchema>();
    owned->name = column.name;
    owned->metadata = column.meaning.empty() ? std::string() : metadataOf("meaning", column.meaning);
    if (column.type == Type::Text) {
        owned->dictionary = std::make_unique<ArrowSchema>(schemaOf("U", std::make_unique<OwnedSchema>()));
    }
    const char* const format = column.type == Type::Integer ? "l" : column.type == Type::Real ? "g" : "i";
    return schemaOf(format, std::move(owned));
}

/// Rows of a table: `length` from `offset` on.
struct Batch {
    std::int64_t offset = 0;
    std::int64_t length = 0;
};

ArrowArray arrayOf(const Batch& rows, std::int64_t nulls, std::unique_ptr<OwnedArray> owned) {
    ArrowArray out{};
    out.length = rows.length;
    out.null_count = nulls;
    out.offset = rows.offset;
    out.n_buffers = static_cast<std::int64_t>(owned->buffers.size());
    out.buffers = owned->buffers.data();
    owned->takeChildren(out);
    out.release = releaseArray;
    out.private_data = owned.release();
    return out;
}

ArrowArray dictionaryOf(const std::shared_ptr<const FilledTable>& table, const TextDictionary& texts) {
    auto owned = std::make_unique<OwnedArray>();
    owned->table = table;
    owned->buffers = {nullptr, texts.begin.data(), texts.bytes.data()};
    return arrayOf({0, static_cast<std::int64_t>(texts.size())}, 0, std::move(owned));
}

ArrowArray arrayOf(const std::shared_ptr<const FilledTable>& table, const FilledColumn& column, const Batch& rows) {
    auto owned = std::make_unique<OwnedArray>();
    owned->table = table;
    const void* const values = column.type == Type::Integer ? static_cast<const void*>(column.integers.data())
                               : column.type == Type::Real  ? static_cast<const void*>(column.reals.data())
                                                            : static_cast<const void*>(column.codes.data());
    owned->buffers = {column.nulls == 0 ? nullptr : column.validity.data(), values};
    if (column.type == Type::Text) {
        owned->dictionary = std::make_unique<ArrowArray>(dictionaryOf(table, column.texts));
    }
    constexpr std::int64_t kNotCounted = -1;
    return arrayOf(rows, column.nulls == 0 ? 0 : kNotCounted, std::move(owned));
}

ArrowArray arrayOf(const std::shared_ptr<const FilledTable>& table, const Batch& rows) {
    auto owned = std::make_unique<OwnedArray>();
    owned->buffers = {nullptr};
    owned->children.reserve(table->columns.size());
    for (const FilledColumn& column : table->columns) {
        owned->children.push_back(arrayOf(table, column, rows));
    }
    return arrayOf({0, rows.length}, 0, std::move(owned));
}

struct OwnedStream {
    std::shared_ptr<const FilledTable> table;
    std::int64_t batch_rows = kBatchRows;
    std::int64_t next = 0;
    std::string error;
};

OwnedStream& ownedBy(ArrowArrayStream* stream) {
    return *static_cast<OwnedStream*>(stream->private_data);
}

/// The error code of the interface: what `work` throws must not reach the consumer.
template <class Work>
int guarded(ArrowArrayStream* stream, const Work& work) {
    try {
        work(ownedBy(stream));
        return 0;
    } catch (const std::exception& error) {
        ownedBy(stream).error = error.what();
        return ENOMEM;
    }
}

int schemaOfStream(ArrowArrayStream* stream, ArrowSchema* out) {
    return guarded(stream, [out](OwnedStream& owned) { exportSchema(*owned.table, out); });
}

int nextOfStream(ArrowArrayStream* stream, ArrowArray* out) {
    return guarded(stream, [out](OwnedStream& owned) {
        *out = {};  // released: the end
        const std::int64_t left = static_cast<std::int64_t>(owned.table->rows) - owned.next;
        if (left > 0) {
            const Batch rows{owned.next, std::min(left, owned.batch_rows)};
            *out = arrayOf(owned.table, rows);
            owned.next += rows.length;
        }
    });
}

const char* errorOfStream(ArrowArrayStream* stream) {
    const std::string& error = ownedBy(stream).error;
    return error.empty() ? nullptr : error.c_str();
}

void releaseStream(ArrowArrayStream* stream) {
    delete static_cast<OwnedStream*>(stream->private_data);
    stream->release = nullptr;
}

}  // namespace

void exportSchema(const FilledTable& table, ArrowSchema* out) {
    auto owned = std::make_unique<OwnedSchema>();
    owned->children.reserve(table.columns.size());
    for (const FilledColumn& column : table.columns) {
        owned->children.push_back(schemaOf(column));
    }
    *out = schemaOf("+s", std::move(owned));
    out->flags = 0;  // rows are never null
}

void exportStream(std::shared_ptr<const FilledTable> table, ArrowArrayStream* out, std::int64_t batch_rows) {
    auto owned = std::make_unique<OwnedStream>();
    owned->table = std::move(table);
    owned->batch_rows = std::max<std::int64_t>(1, batch_rows);
    *out = {schemaOfStream, nextOfStream, errorOfStream, releaseStream, owned.release()};
}

}  // namespace rankscope::tables
