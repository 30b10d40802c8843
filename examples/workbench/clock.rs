//! Dates. The clock is a value that the host provides; its methods are tools.

use std::borrow::Cow;

use callboard::{ToolFailure, tools};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Unit};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A day of the calendar, as text `2026-03-01`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Day(Date);

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
            .map(Self)
            .map_err(|_| format!("`{text}` is not a date such as 2026-03-01"))
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.0.to_string()
    }
}

impl JsonSchema for Day {
    fn schema_name() -> Cow<'static, str> {
        "Day".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date" })
    }
}

/// A day, with what people call it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NamedDay {
    date: Day,
    /// In English.
    weekday: String,
}

impl From<Date> for NamedDay {
    fn from(date: Date) -> Self {
        Self {
            date: Day(date),
            weekday: date.strftime("%A").to_string(),
        }
    }
}

/// How far it is from one day to another.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Distance {
    /// Negative when the second day is the earlier one.
    days: i64,
}

/// The time, where the host is.
#[derive(Debug)]
pub(crate) struct Clock {
    zone: TimeZone,
}

impl Clock {
    pub(crate) fn system() -> Self {
        Self {
            zone: TimeZone::system(),
        }
    }
}

#[tools]
impl Clock {
    /// Tell today's date.
    #[tool(
        read_only,
        idempotent = false,
        open_world = false,
        risk = "low",
        timeout = "1s",
        tags("dates")
    )]
    fn today(
        &self,
        /// A time zone such as `Europe/Paris`; the host's own unless given.
        time_zone: Option<String>,
    ) -> Result<NamedDay, ToolFailure> {
        let zone = match time_zone {
            None => self.zone.clone(),
            Some(name) => TimeZone::get(&name).map_err(|error| {
                ToolFailure::new(format!(
                    "no time zone is called `{name}`; write one such as `Europe/Paris`"
                ))
                .with_source(error)
            })?,
        };
        Ok(zone.to_datetime(Timestamp::now()).date().into())
    }

    /// Tell the day so many days after another.
    ///
    /// With a negative number, the day before it.
    #[tool(
        read_only,
        open_world = false,
        risk = "low",
        timeout = "1s",
        tags("dates")
    )]
    fn add_days(date: Day, days: i32) -> Result<NamedDay, ToolFailure> {
        let moved = Span::new()
            .try_days(days)
            .and_then(|span| date.0.checked_add(span));
        Ok(moved
            .map_err(|error| {
                ToolFailure::new("that day is not in the calendar").with_source(error)
            })?
            .into())
    }

    /// Count the days from one day to another.
    #[tool(
        read_only,
        open_world = false,
        risk = "low",
        timeout = "1s",
        tags("dates")
    )]
    fn days_between(from: Day, to: Day) -> Result<Distance, ToolFailure> {
        Ok(Distance {
            days: from.0.until((Unit::Day, to.0))?.get_days().into(),
        })
    }
}
