// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/front_stream.h"

#include <algorithm>

namespace rankscope {

FrontStream::FrontStream(ByteStream& stream, std::size_t bytes, const std::stop_token& stop)
    : stream_(stream), front_(bytes, '\0') {
    stopWhen(stop);
    stream_.stopWhen(stop);
    front_.resize(stream_.read(front_));
    damage_ = stream_.damage();
}

std::size_t FrontStream::read(std::span<char> to) {
    const std::size_t known = std::min(to.size(), front_.size() - given_);
    std::ranges::copy(front().substr(0, known), to.begin());
    given_ += known;
    const std::size_t more = known < to.size() ? stream_.read(to.subspan(known)) : 0;
    damage_ = stream_.damage();
    return known + more;
}

}  // namespace rankscope
