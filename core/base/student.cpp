// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/student.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace rankscope {
namespace {

/// Doubles without promotion, and no exceptions: NaN if a value cannot be computed.
using BoostPolicy =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;
using StudentT = boost::math::students_t_distribution<double, BoostPolicy>;

}  // namespace

double studentTwoSided(double t, double df) {
    return 2 * boost::math::cdf(boost::math::complement(StudentT(df), std::abs(t)));
}

double studentCritical(double chance, double df) {
    return boost::math::quantile(boost::math::complement(StudentT(df), chance / 2));
}

}  // namespace rankscope
