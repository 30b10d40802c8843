//! The attributes of callboard.
