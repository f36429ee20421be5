// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/facts/fact.h"
#include "core/tables/model_rows.h"
#include "core/trace/trace_format.h"

namespace rankscope::tables {
namespace {

struct FileRow : OfRank {
    const TraceFile* file = nullptr;
};

const DeclaredFact kTraceFiles([] {
    Table table = declaredTable<FileRow>(
        "trace_files", "One file of a rank's trace.",
        {runColumn<FileRow>(),
         {{"id", Type::Integer, "position among the ranks of the run", Access::Seek},
          [](const FileRow& row) { return Value(static_cast<std::int64_t>(row.rank)); }},
         {{"rank", Type::Integer, "number of the rank; null where no file says it", Access::Seek},
          [](const FileRow& row) { return rankValue(*row.run, row.rank); }},
         {{"path", Type::Text, "path of the trace's file, or of the archive that it is in"},
          [](const FileRow& row) { return Value(std::string_view(row.file->path)); }},
         {{"member", Type::Text, "its name in an archive; null outside of archives"},
          [](const FileRow& row) { return Value::ofText(row.file->member); }},
         {{"format", Type::Text, "what the rank was recorded in: json, perfetto or nsight"},
          [](const FileRow& row) { return Value(formatWord(formatOf(row.trace()))); }},
         {{"digest", Type::Text, "path of the digest that was read instead; null if the trace was read"},
          [](const FileRow& row) { return Value::ofText(row.file->digest); }},
         {{"bytes", Type::Integer, "size of the trace on disk"},
          [](const FileRow& row) { return Value(static_cast<std::int64_t>(row.file->bytes)); }},
         {{"json_bytes", Type::Integer, "size of the trace, unpacked"},
          [](const FileRow& row) { return Value(static_cast<std::int64_t>(row.file->json_bytes)); }}},
        [](const Runs& runs, DeclaredRows<FileRow>& rows, KeptTexts&) {
            eachRankOf(runs, [&rows](const OfRank& of) {
                for (const TraceFile& file : of.trace().files) {
                    rows.add({of, &file});
                }
            });
        });
    return Fact{std::move(table), "Files of each rank"};
});

}  // namespace
}  // namespace rankscope::tables
