//! A calendar date.

use std::fmt;
use std::str::FromStr;

/// A day of the Gregorian calendar, from 0001-01-01 to 9999-12-31.
///
/// Catalogs date deprecations and price changes by the day. Nothing here reads a clock: whoever
/// asks says which day it is.
///
/// ```
/// use callboard::catalog::Date;
///
/// const CHANGE: Date = Date::new(2027, 1, 1).unwrap();
/// assert!("2026-12-31".parse::<Date>()? < CHANGE);
/// assert!(Date::new(2027, 2, 29).is_none());
/// # Ok::<(), callboard::catalog::InvalidDate>(())
/// ```
// Own type, not a crate's: three numbers that are valid are all that is needed, in `static`
// tables and `const` gates, and the date crates whose constructors are const are each larger
// than the rest of this module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The date with this year, month (1 to 12) and day of the month, if there is one.
    #[must_use]
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        if year == 0 || year > 9999 || month == 0 || month > 12 || day == 0 {
            return None;
        }
        let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
        let days = match month {
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => 31,
        };
        if day > days {
            return None;
        }
        Some(Self { year, month, day })
    }

    /// The year.
    #[must_use]
    pub const fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12.
    #[must_use]
    pub const fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, 1 to 31.
    #[must_use]
    pub const fn day(self) -> u8 {
        self.day
    }

    /// Whether this day is `other` or comes after it: `>=`, for constants.
    #[must_use]
    pub const fn is_on_or_after(self, other: Self) -> bool {
        self.ordinal() >= other.ordinal()
    }

    const fn ordinal(self) -> u32 {
        (self.year as u32) << 16 | (self.month as u32) << 8 | self.day as u32
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that isn't a date of the form `2026-01-31`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidDate;

impl fmt::Display for InvalidDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a date of the form YYYY-MM-DD")
    }
}

impl std::error::Error for InvalidDate {}

impl FromStr for Date {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else {
            return Err(InvalidDate);
        };
        let number = |digits: &[u8]| {
            digits.iter().try_fold(0u16, |sum, digit| {
                digit
                    .is_ascii_digit()
                    .then(|| sum * 10 + u16::from(digit - b'0'))
            })
        };
        let small = |digits: &[u8]| number(digits).and_then(|n| u8::try_from(n).ok());
        (|| {
            Self::new(
                number(&[y1, y2, y3, y4])?,
                small(&[m1, m2])?,
                small(&[d1, d2])?,
            )
        })()
        .ok_or(InvalidDate)
    }
}
