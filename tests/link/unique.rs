//! Names that differ, if only by a capital or a hyphen: they link and are all collected.

use crate::programs::{UNIQUE_NAMES, in_each_profile};
use crate::project::Build;

in_each_profile! {
    names_that_differ_link_and_are_collected: collected;
}

fn collected(build: &Build) {
    assert_eq!(build.run("unique"), UNIQUE_NAMES);
}
