//! The model catalog.
#![cfg(feature = "catalog")]

mod catalog {
    mod build;
    mod common;
    mod costs;
    mod dates;
    mod entries;
    mod faults;
    mod figures;
    mod lookup;
    mod properties;
    mod round_trip;
    mod serialization;
    mod tiers;
    mod usage;
}
