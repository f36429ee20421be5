// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tables/model_rows.h"

namespace rankscope::tables {
namespace {

/// One argument of a slice: a text or a number.
struct ArgRow : OfRank {
    std::int64_t slice = 0;
    std::string_view key;
    Value value;
};

/// Adds the arguments of the slices of one track.
class TrackArgs {
  public:
    TrackArgs(const SlicePlaces::OfTrack& track, DeclaredRows<ArgRow>& rows) : track_(track), rows_(rows) {}

    void operator()(SliceIndex slice, const CollectiveArgs& args) {
        text(slice, "Collective name", args.name);
        text(slice, "dtype", args.dtype);
        text(slice, "Process Group Name", args.group_name);
        text(slice, "Process Group Description", args.group_description);
        text(slice, "Process Group Ranks", args.group_ranks);
        text(slice, "Comms Id", args.comms_id);
        number(slice, "In msg nelems", args.in_elements);
        number(slice, "Out msg nelems", args.out_elements);
        number(slice, "Seq", args.sequence);
        number(slice, "Group size", args.group_size);
        number(slice, "Rank", args.rank);
        number(slice, "Global rank start", args.global_start);
        number(slice, "Global rank stride", args.global_stride);
        number(slice, "Src Rank", args.peer_src);
        number(slice, "Dst Rank", args.peer_dst);
    }
    void operator()(SliceIndex slice, const SyncArgs& args) {
        text(slice, "cuda_sync_kind", args.kind);
        number(slice, "wait_on_stream", args.wait_on_stream);
        number(slice, "wait_on_cuda_event_record_corr_id", args.event_record_correlation);
    }
    void operator()(SliceIndex slice, const OperatorInputs& inputs) {
        text(slice, "Input Dims", inputs.shapes);
        text(slice, "Input type", inputs.types);
        text(slice, "Concrete Inputs", inputs.values);
        number(slice, "flops", static_cast<std::int64_t>(inputs.flops));
    }
    void operator()(SliceIndex slice, std::int64_t bytes) { number(slice, "bytes", bytes); }

  private:
    void add(SliceIndex slice, std::string_view key, const Value& value) {
        rows_.add({{track_.run, track_.rank}, static_cast<std::int64_t>(track_.first + slice), key, value});
    }
    void text(SliceIndex slice, std::string_view key, StringId id) {
        if (id.valid()) {
            add(slice, key, track_.trace().strings.view(id));
        }
    }
    /// Below 0: not recorded.
    void number(SliceIndex slice, std::string_view key, std::int64_t value) {
        if (value >= 0) {
            add(slice, key, value);
        }
    }

    const SlicePlaces::OfTrack& track_;
    DeclaredRows<ArgRow>& rows_;
};

template <class T>
void addAll(const SparseColumn<T>& column, TrackArgs& args) {
    for (std::size_t i = 0; i < column.size(); ++i) {
        args(column.slice[i], column.value[i]);
    }
}

}  // namespace

Table argTable() {
    return declaredTable<ArgRow>(
        "arg", "An argument of a slice, of those that analyses use; args(slice) has all of them.",
        joined<ArgRow>(
            {{{{"slice", Type::Integer, "slice.id", Access::Seek}, [](const ArgRow& row) { return Value(row.slice); }}},
             placeColumns<ArgRow>(),
             {{{"key", Type::Text, "name of the argument"}, [](const ArgRow& row) { return Value(row.key); }},
              {{"text", Type::Text, "its value as in the file; null of numbers"},
               [](const ArgRow& row) { return row.value.kind == Value::Kind::Text ? row.value : Value(); }},
              {{"number", Type::Integer, "its value; null of texts"},
               [](const ArgRow& row) { return row.value.kind == Value::Kind::Integer ? row.value : Value(); }}}}),
        [](const Runs& runs, DeclaredRows<ArgRow>& rows, KeptTexts& /*kept*/) {
            const SlicePlaces places(runs);
            for (const SlicePlaces::OfTrack& track : places.tracks()) {
                TrackArgs args(track, rows);
                addAll(track.of().collectives, args);
                addAll(track.of().syncs, args);
                addAll(track.of().inputs, args);
                addAll(track.of().bytes, args);
            }
        });
}

}  // namespace rankscope::tables
