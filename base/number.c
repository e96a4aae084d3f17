// SPDX-License-Identifier: Apache-2.0
//
// How it works. Both directions rest on one exact function: the double nearest to m * 10^n
// (`nearest_double`). Where m and 10^n are doubles themselves, one multiplication or division is
// that function, since IEEE 754 rounds it correctly. Everywhere else m * 10^n is a quotient of two
// big integers, of which 64 bits and whether anything remains decide the rounding. Tables of powers
// of ten, as in Ryu or Eisel-Lemire, would be faster for such numbers and much longer to read.
//
// Printing tries 15 digits first: they name at most one double and one double has at most one such
// name, so if they read back they are the answer. Otherwise 18 or 19 digits are computed exactly,
// and digits are dropped from the right as long as the rest reads back.

#include "base/number.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>

// What one rounding per operation rests on.
static_assert(FLT_EVAL_METHOD == 0 && DBL_MANT_DIG == 53, "needs IEEE 754 double arithmetic");

__extension__ typedef unsigned __int128 Wide;

// A double, or the middle between two, has at most 767 significant digits; what follows more of
// them than this matters only by being zero or not.
#define MAX_DIGITS 770

// A decimal number of n digits before its point is infinite for n > 310 and zero for n < -330.
#define MAX_MAGNITUDE 310
#define MIN_MAGNITUDE (-330)

// The largest numbers are MAX_DIGITS + 1 digits over 5^(MAX_DIGITS + 1 - MIN_MAGNITUDE), 2,562
// bits each, aligned to 64 bits more.
#define BIG_LIMBS 44

typedef struct Big {
    int count; // limbs in use; the last is not zero, unless it is the only one
    uint64_t limbs[BIG_LIMBS];
} Big;

static const double exact_powers_of_10[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

#define MAX_EXACT_POWER 22

// Leaves the other limbs as they are: setting them to zero would cost more than most divisions.
static void big_set(Big *big, uint64_t value) {
    big->count = 1;
    big->limbs[0] = value;
}

static void big_multiply_add(Big *big, uint64_t factor, uint64_t addend) {
    uint64_t carry = addend;
    for (int i = 0; i < big->count; i++) {
        Wide sum = (Wide)big->limbs[i] * factor + carry;
        big->limbs[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    if (carry > 0) {
        assert(big->count < BIG_LIMBS);
        big->limbs[big->count++] = carry;
    }
}

static void big_multiply_power_of_5(Big *big, int power) {
    const uint64_t five_27 = 7450580596923828125u; // the largest that is one limb
    for (; power >= 27; power -= 27) {
        big_multiply_add(big, five_27, 0);
    }
    uint64_t rest = 1;
    for (; power > 0; power--) {
        rest *= 5;
    }
    big_multiply_add(big, rest, 0);
}

static int big_bits(const Big *big) {
    return 64 * big->count - __builtin_clzll(big->limbs[big->count - 1]);
}

static void big_shift_left(Big *big, int bits) {
    int whole = bits / 64, part = bits % 64;
    assert(big->count + whole < BIG_LIMBS);
    big->limbs[big->count] = 0;
    for (int i = big->count; i >= 0; i--) {
        uint64_t below = part > 0 && i > 0 ? big->limbs[i - 1] >> (64 - part) : 0;
        big->limbs[i + whole] = big->limbs[i] << part | below;
    }
    for (int i = 0; i < whole; i++) {
        big->limbs[i] = 0;
    }
    big->count += whole + (big->limbs[big->count + whole] > 0);
}

// Returns n / d, which must be below 2^64 - 2, and whether anything remains. Changes both. This is
// one step of long division with 64-bit digits (Knuth, volume 2, 4.3.1 D).
static uint64_t big_divide(Big *n, Big *d, bool *remains) {
    // with the top bit of d set, the quotient of the top limbs is at most two too large
    int shift = __builtin_clzll(d->limbs[d->count - 1]);
    big_shift_left(n, shift);
    big_shift_left(d, shift);
    int count = d->count;
    assert(n->count <= count + 1 && count < BIG_LIMBS);
    for (int i = n->count; i <= count; i++) {
        n->limbs[i] = 0;
    }
    Wide top = (Wide)n->limbs[count] << 64 | n->limbs[count - 1];
    Wide guess = top / d->limbs[count - 1];
    assert(guess <= UINT64_MAX);
    uint64_t quotient = (uint64_t)guess;

    // n -= quotient * d
    uint64_t carry = 0, borrow = 0;
    for (int i = 0; i <= count; i++) {
        Wide product = (Wide)(i < count ? d->limbs[i] : 0) * quotient + carry;
        carry = (uint64_t)(product >> 64);
        Wide difference = (Wide)n->limbs[i] - (uint64_t)product - borrow;
        n->limbs[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    // where n became negative its top limb is not zero: give d back
    while (n->limbs[count] != 0) {
        quotient--;
        carry = 0;
        for (int i = 0; i <= count; i++) {
            Wide sum = (Wide)n->limbs[i] + (i < count ? d->limbs[i] : 0) + carry;
            n->limbs[i] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
    }
    *remains = false;
    for (int i = 0; i < count; i++) {
        *remains = *remains || n->limbs[i] != 0;
    }
    return quotient;
}

// The double nearest to (bits + a little if `more`) * 2^exponent; bits is at least 2^62.
static double round_to_double(uint64_t bits, int exponent, bool more) {
    int shift = __builtin_clzll(bits);
    bits <<= shift;
    exponent -= shift;

    // of the 64 bits a normal number keeps 53; below 2^-1022 the last place stays at 2^-1074
    int dropped = exponent + 11 < -1074 ? -1074 - exponent : 11;
    if (exponent + 64 > 1024) {
        return HUGE_VAL;
    }
    if (dropped > 64) {
        return 0;
    }
    uint64_t kept = dropped < 64 ? bits >> dropped : 0;
    uint64_t half = (uint64_t)1 << (dropped - 1);
    uint64_t rest = bits & (half | (half - 1));
    bool up = rest > half || (rest == half && (more || (kept & 1)));
    // a carry out of the mantissa enters the exponent, as it should, up to infinity
    uint64_t biased = dropped == 11 ? (uint64_t)(exponent + 11 + 1074) << 52 : 0;
    uint64_t pattern = biased + kept + up;
    double value;
    memcpy(&value, &pattern, sizeof value);
    return value;
}

// The double nearest to big * 10^power; changes big, which is not zero.
static double nearest_to_big(Big *big, int power) {
    Big divisor;
    big_set(&divisor, 1);
    if (power >= 0) {
        big_multiply_power_of_5(big, power);
    } else {
        big_multiply_power_of_5(&divisor, -power);
    }
    // a quotient of 63 or 64 bits
    int shift = big_bits(&divisor) + 63 - big_bits(big);
    if (shift >= 0) {
        big_shift_left(big, shift);
    } else {
        big_shift_left(&divisor, -shift);
    }
    bool more;
    uint64_t quotient = big_divide(big, &divisor, &more);
    return round_to_double(quotient, power - shift, more);
}

// The double nearest to digits * 10^power.
static double nearest_double(uint64_t digits, int power) {
    if (digits <= (uint64_t)1 << 53 && -MAX_EXACT_POWER <= power && power <= MAX_EXACT_POWER) {
        double exact = (double)digits;
        return power < 0 ? exact / exact_powers_of_10[-power] : exact * exact_powers_of_10[power];
    }
    Big big;
    big_set(&big, digits);
    return nearest_to_big(&big, power);
}

// ---- printing ----

// digits * 10^power
typedef struct Decimal {
    uint64_t digits;
    int power;
} Decimal;

// floor(log10(value)) or one less; value is positive and finite.
static int estimate_log10(uint64_t pattern) {
    int exponent = (int)(pattern >> 52) - 1023;
    if (exponent == -1023) {
        exponent = 63 - __builtin_clzll(pattern) - 1074;
    }
    // 78913 / 2^18 is log10(2) a little too small, exact enough for exponents up to 1,650
    int64_t product = (int64_t)exponent * 78913;
    return (int)(product >= 0 ? product >> 18 : -((-product + 262143) >> 18));
}

static Decimal without_zeros(Decimal decimal) {
    while (decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.power++;
    }
    return decimal;
}

// Whether `value` has a name of at most 15 digits, for values in the reach of exact powers of ten.
// The product differs from the digits looked for by less than 0.3, so rounding finds them.
static bool find_15_digits(double value, int log10, Decimal *decimal) {
    int power = log10 - 14;
    for (; - MAX_EXACT_POWER <= power && power <= MAX_EXACT_POWER; power++) {
        double scaled =
            power < 0 ? value * exact_powers_of_10[-power] : value / exact_powers_of_10[power];
        if (scaled < 1e15) {
            uint64_t digits = (uint64_t)(scaled + 0.5);
            *decimal = (Decimal){digits, power};
            return nearest_double(digits, power) == value;
        }
    }
    return false;
}

// floor(value / 10^power), below 2^64, and whether that leaves a rest.
static uint64_t divide_by_power(uint64_t pattern, int power, bool *remains) {
    uint64_t fraction = pattern & (((uint64_t)1 << 52) - 1);
    int biased = (int)(pattern >> 52);
    Big n, d;
    big_set(&n, biased > 0 ? fraction | (uint64_t)1 << 52 : fraction);
    big_set(&d, 1);
    big_multiply_power_of_5(power < 0 ? &n : &d, power < 0 ? -power : power);
    int shift = (biased > 0 ? biased : 1) - 1075 - power;
    big_shift_left(shift >= 0 ? &n : &d, shift >= 0 ? shift : -shift);
    return big_divide(&n, &d, remains);
}

static Decimal find_shortest(double value, uint64_t pattern, int log10) {
    bool remains;
    int power = log10 - 17;
    uint64_t all = divide_by_power(pattern, power, &remains); // 18 or 19 digits
    // below a power of two doubles lie closer than above, so the farther neighbour may read back
    // where the nearer does not
    bool lopsided = (pattern & (((uint64_t)1 << 52) - 1)) == 0;

    // 17 digits always read back; every accepted step drops one more
    uint64_t step = all < 1000000000000000000u ? 10 : 100;
    power += step == 10 ? 1 : 2;
    Decimal best = {0};
    for (; step <= all; step *= 10, power++) {
        uint64_t below = all / step, rest = all % step;
        bool up = rest > step / 2 || (rest == step / 2 && (remains || (below & 1)));
        Decimal near = {below + up, power}, far = {below + !up, power};
        bool same = best.digits == 10 * near.digits;
        if (best.digits == 0 || same || nearest_double(near.digits, power) == value) {
            best = near;
        } else if (lopsided && nearest_double(far.digits, power) == value) {
            best = far;
        } else {
            break;
        }
    }
    return best;
}

static int print_digits(uint64_t digits, char text[20]) {
    char reversed[20];
    int count = 0;
    for (; digits > 0; digits /= 10) {
        reversed[count++] = (char)('0' + digits % 10);
    }
    for (int i = 0; i < count; i++) {
        text[i] = reversed[count - 1 - i];
    }
    return count;
}

static char *add_zeros(char *at, int count) {
    memset(at, '0', (size_t)count);
    return at + count;
}

static char *add_exponent(char *at, int exponent) {
    *at++ = 'e';
    if (exponent < 0) {
        *at++ = '-';
    }
    return at + print_digits((uint64_t)(exponent < 0 ? -exponent : exponent), at);
}

// Returns the end.
static char *print_decimal(Decimal decimal, char *at) {
    char digits[20];
    int count = print_digits(decimal.digits, digits);
    int point = count + decimal.power; // the digits before the point
    bool plain = -5 < point && point <= 17;
    if (plain && point <= 0) {
        memcpy(at, "0.", 2);
        at = add_zeros(at + 2, -point);
        memcpy(at, digits, (size_t)count);
        return at + count;
    }
    int before = !plain ? 1 : point < count ? point : count;
    memcpy(at, digits, (size_t)before);
    at += before;
    if (before < count) {
        *at++ = '.';
        memcpy(at, digits + before, (size_t)(count - before));
        at += count - before;
    }
    return plain ? add_zeros(at, point > count ? point - count : 0) : add_exponent(at, point - 1);
}

// The shortest decimal of a positive, finite value.
static Decimal decimal_of(double value) {
    uint64_t pattern;
    memcpy(&pattern, &value, sizeof pattern);
    int log10 = estimate_log10(pattern);
    Decimal decimal;
    if (!find_15_digits(value, log10, &decimal)) {
        decimal = find_shortest(value, pattern, log10);
    }
    return without_zeros(decimal);
}

int som_number_print(double value, char text[SOM_NUMBER_TEXT]) {
    char *at = text;
    if (signbit(value) && !isnan(value)) {
        *at++ = '-';
        value = -value;
    }
    if (!isfinite(value)) {
        memcpy(at, isnan(value) ? "nan" : "inf", 3);
        at += 3;
    } else if (value == 0) {
        *at++ = '0';
    } else {
        at = print_decimal(decimal_of(value), at);
    }
    *at = '\0';
    assert(at - text < SOM_NUMBER_TEXT);
    return (int)(at - text);
}

void som_text_number(SomText *text, double value) {
    char digits[SOM_NUMBER_TEXT];
    int length = som_number_print(value, digits);
    som_text_add(text, (SomStr){digits, (size_t)length});
}

// ---- reading ----

// The parts of a number in text. Its digits are those between begin and end that are no point; the
// first is not zero unless there is none at all.
typedef struct Parts {
    const char *begin;
    const char *end;
    int64_t count; // digits
    int64_t power; // of ten, for the last digit
} Parts;

static bool is_digit(SomStr text, size_t at) {
    return at < text.length && '0' <= text.data[at] && text.data[at] <= '9';
}

// Returns where the digits and their point end; `begin` where they have none.
static size_t scan_digits(SomStr text, size_t begin, Parts *parts) {
    size_t at = begin;
    bool any = false, after_point = false;
    size_t first = begin; // significant digit
    for (; at < text.length; at++) {
        if (is_digit(text, at)) {
            any = true;
            first = parts->count == 0 ? at : first;
            parts->count += parts->count > 0 || text.data[at] != '0';
            parts->power -= after_point;
        } else if (text.data[at] == '.' && !after_point &&
                   (is_digit(text, at + 1) ||
                    (any && !(at + 1 < text.length && text.data[at + 1] == '.')))) {
            after_point = true;
        } else {
            break;
        }
    }
    parts->begin = text.data + first;
    parts->end = text.data + at;
    return any ? at : begin;
}

// Returns where the exponent ends; `begin` where there is none.
static size_t scan_exponent(SomStr text, size_t begin, Parts *parts) {
    size_t at = begin;
    if (at == text.length || (text.data[at] != 'e' && text.data[at] != 'E')) {
        return begin;
    }
    at++;
    bool negative = at < text.length && text.data[at] == '-';
    at += negative || (at < text.length && text.data[at] == '+');
    if (!is_digit(text, at)) {
        return begin;
    }
    int64_t exponent = 0;
    for (; is_digit(text, at); at++) {
        // beyond this only a text of as many digits could bring it back
        exponent = exponent < 100000000000000000 ? 10 * exponent + (text.data[at] - '0') : exponent;
    }
    parts->power += negative ? -exponent : exponent;
    return at;
}

// For more digits than a limb holds. Those beyond MAX_DIGITS become a single 1 unless all zero.
static double nearest_to_many_digits(const Parts *parts) {
    Big big;
    big_set(&big, 0);
    int used = 0;
    bool more = false;
    for (const char *at = parts->begin; at < parts->end; at++) {
        if (*at == '.') {
            continue;
        }
        if (used < MAX_DIGITS) {
            big_multiply_add(&big, 10, (uint64_t)(*at - '0'));
            used++;
        } else {
            more = more || *at != '0';
        }
    }
    if (more) {
        big_multiply_add(&big, 10, 1);
        used++;
    }
    return nearest_to_big(&big, (int)(parts->power + parts->count - used));
}

static double nearest_to_parts(const Parts *parts) {
    if (parts->count == 0 || parts->count + parts->power < MIN_MAGNITUDE) {
        return 0;
    }
    if (parts->count + parts->power > MAX_MAGNITUDE) {
        return HUGE_VAL;
    }
    if (parts->count > 19) {
        return nearest_to_many_digits(parts);
    }
    uint64_t digits = 0;
    for (const char *at = parts->begin; at < parts->end; at++) {
        digits = *at == '.' ? digits : 10 * digits + (uint64_t)(*at - '0');
    }
    return nearest_double(digits, (int)parts->power);
}

size_t som_number_read(SomStr text, double *value) {
    *value = 0;
    if (text.length == 0) {
        return 0;
    }
    Parts parts = {0};
    size_t begin = text.data[0] == '-' || text.data[0] == '+';
    size_t end = scan_digits(text, begin, &parts);
    if (end == begin) {
        return 0;
    }
    end = scan_exponent(text, end, &parts);
    double size = nearest_to_parts(&parts);
    *value = text.data[0] == '-' ? -size : size;
    return end;
}

bool som_number_parse(SomStr text, double *value) {
    size_t length = som_number_read(text, value);
    if (length == 0 || length != text.length) {
        *value = 0;
        return false;
    }
    return true;
}

bool som_integer_parse(SomStr text, int64_t *value) {
    *value = 0;
    bool negative = text.length > 0 && text.data[0] == '-';
    size_t at = negative || (text.length > 0 && text.data[0] == '+');
    if (at == text.length) {
        return false;
    }
    // collected as a negative number, of which there is one more
    int64_t sum = 0;
    for (; at < text.length; at++) {
        if (!is_digit(text, at) || __builtin_mul_overflow(sum, 10, &sum) ||
            __builtin_sub_overflow(sum, text.data[at] - '0', &sum)) {
            return false;
        }
    }
    if (!negative && sum == INT64_MIN) {
        return false;
    }
    *value = negative ? sum : -sum;
    return true;
}

double som_number_round(double value, int digits) {
    assert(1 <= digits && digits <= 15);
    if (!isfinite(value) || value == 0) {
        return value;
    }
    Decimal decimal = decimal_of(fabs(value));
    uint64_t limit = (uint64_t)exact_powers_of_10[digits];
    uint64_t cut = 1;
    while (decimal.digits / cut >= limit) {
        cut *= 10;
        decimal.power++;
    }
    return copysign(nearest_double((decimal.digits + cut / 2) / cut, decimal.power), value);
}

void som_text_rounded(SomText *text, double value, int digits) {
    som_text_number(text, som_number_round(value, digits));
}

void som_text_ordinal(SomText *text, double number) {
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    double last = fmod(number, 10), two = fmod(number, 100);
    som_text_number(text, number);
    som_text_add(text, som_str(endings[last > 3 || (two > 10 && two < 14) ? 0 : (int)last]));
}

void som_text_fixed(SomText *text, double value, int decimals) {
    int64_t unit = 1;
    for (int i = 0; i < decimals; i++) {
        unit *= 10;
    }
    double scaled = round(value * (double)unit);
    if (!(fabs(scaled) < 1e18)) { // as it is: too large for digits behind a point to matter
        som_text_number(text, value);
        return;
    }
    int64_t all = (int64_t)fabs(scaled);
    som_text_printf(text, "%s%" PRId64, scaled < 0 ? "-" : "", all / unit);
    if (decimals > 0) {
        som_text_printf(text, ".%0*" PRId64, decimals, all % unit);
    }
}
