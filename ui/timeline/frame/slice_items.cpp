// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/slice_items.h"

#include "ui/timeline/frame/file_placer.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kAhead = 12;   // items: this many memory reads are under way at the same time
constexpr unsigned kFaintest = 110;  // out of 256: the colour share of a bucket that is nearly empty

/// The colours of one track's slices.
class TrackLook {
  public:
    TrackLook(const RankView& rank, TrackId track, const SliceLooks& looks)
        : names_(rank.index->names), slices_(rank.trace->tracks[track.value].slices), looks_(looks) {
        if (rank.facts != nullptr && track.value < rank.facts->work_classes.size()) {
            const auto& classes = rank.facts->work_classes[track.value];
            classes_ = classes.size() == slices_.size() ? classes : std::span<const WorkClass>();
        }
    }

    /// Prefetches the memory for the hue of `slice`.
    void prefetch(SliceIndex slice) const {
        if (classes_.empty()) {
            __builtin_prefetch(&slices_.category[slice]);
        } else {
            __builtin_prefetch(&classes_[slice]);
        }
    }
    [[nodiscard]] QRgb fill(const LodItem& bucket) const { return looks_.buckets.fill(hue(bucket.slice), bucket); }
    [[nodiscard]] QRgb fill(SliceIndex slice, const NameLook& name) const {
        return looks_.colors.fill(hue(slice), name.shade);
    }
    [[nodiscard]] const NameLook& name(SliceIndex slice) const { return names_[slices_.name[slice].value]; }

  private:
    // The class of device work alone determines its hue: one memory read instead of two.
    [[nodiscard]] Hue hue(SliceIndex slice) const {
        const WorkClass work = classes_.empty() ? WorkClass::None : classes_[slice];
        return work != WorkClass::None ? hueOf(work) : hueOf(slices_.category[slice]);
    }

    std::span<const NameLook> names_;
    const SliceTable& slices_;
    std::span<const WorkClass> classes_;  // empty if they are unknown, or if there is no device work
    const SliceLooks& looks_;
};

}  // namespace

BucketFills::BucketFills(const SliceColors& colors, QRgb background) {
    for (std::size_t hue = 0; hue < kHueCount; ++hue) {
        for (std::size_t share = 0; share < kShares; ++share) {
            fills_[hue][share] = mix(background, colors.middle(static_cast<Hue>(hue)),
                                     kFaintest + static_cast<unsigned>(share * (256 - kFaintest) / (kShares - 1)));
        }
    }
}

void addItems(std::span<const LodItem> found, const RankView& rank, TrackId track, const SliceLooks& looks,
              Frame& frame) {
    const TrackLook look(rank, track, looks);
    RowPlacer placer(rank, frame);
    std::size_t last = frame.items.size();
    frame.items.resize(last + found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        // The slices of the buckets are far apart in the tables: prefetches what will be read soon.
        look.prefetch(found[std::min(i + kAhead, found.size() - 1)].slice);
        const LodItem& item = found[i];
        FrameItem& out = frame.items[last];
        if (!placer.place(item.span, out)) {
            continue;
        }
        out.slice = item.slice;
        out.count = item.count;
        if (item.count > 1) {
            // The names of many slices are not read: in a large trace each read is a cache miss.
            out.fill = look.fill(item);
        } else {
            const NameLook& name = look.name(item.slice);
            out.fill = look.fill(item.slice, name);
            out.name_hash = name.hash;
        }
        ++last;
    }
    frame.items.resize(last);
}

}  // namespace rankscope::ui
