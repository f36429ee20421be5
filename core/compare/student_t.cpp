// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/student_t.h"

#include <cmath>
#include <initializer_list>

namespace rankscope {
namespace {

constexpr double kTiny = 1e-300;
constexpr double kExact = 1e-15;
constexpr int kMostTerms = 10'000;

double notZero(double value) {
    return std::abs(value) < kTiny ? kTiny : value;
}

/// The continued fraction of DLMF 8.17.22 by Lentz's method: the product of what each term changes.
double betaFraction(double a, double b, double x) {
    double upper = 1;
    double lower = 1 / notZero(1 - (a + b) * x / (a + 1));
    double value = lower;
    for (int m = 1; m < kMostTerms; ++m) {
        const double place = a + 2 * m;
        double change = 1;
        for (const double term :
             {m * (b - m) * x / ((place - 1) * place), -(a + m) * (a + b + m) * x / (place * (place + 1))}) {
            lower = 1 / notZero(1 + term * lower);
            upper = notZero(1 + term / upper);
            change = lower * upper;
            value *= change;
        }
        if (std::abs(change - 1) < kExact) {
            break;
        }
    }
    return value;
}

}  // namespace

double incompleteBeta(double a, double b, double x) {
    if (x <= 0) {
        return 0;
    }
    if (x >= 1) {
        return 1;
    }
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    // The fraction converges fast on this side of the peak; the other side is the mirror image.
    return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a : 1 - front * betaFraction(b, a, 1 - x) / b;
}

double studentTwoSided(double t, double df) {
    return incompleteBeta(df / 2, 0.5, df / (df + t * t));
}

double studentCritical(double chance, double df) {
    double low = 0;
    double high = 1;
    while (studentTwoSided(high, df) > chance && high < 1e12) {
        low = high;
        high *= 2;
    }
    constexpr int kHalvings = 60;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2;
        (studentTwoSided(middle, df) > chance ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace rankscope
