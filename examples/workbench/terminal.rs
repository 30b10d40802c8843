//! How things look: colours, widths, and text that is too long.

use anstyle::{AnsiColor, Style};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// Writes a line with its colours, or without them where there should be none. Unlike `println!`,
/// it fails when nobody reads.
macro_rules! say {
    ($($text:tt)*) => {
        ::std::io::Write::write_fmt(
            &mut ::anstream::stdout(),
            format_args!("{}\n", format_args!($($text)*)),
        )
    };
}

pub(crate) use say;

/// The columns of the terminal, or of the page that is printed where there is none.
pub(crate) fn width() -> usize {
    const PAGE: usize = 100;
    const LEAST: usize = 60;
    terminal_size::terminal_size()
        .map(|(width, _)| usize::from(width.0))
        .or_else(|| std::env::var("COLUMNS").ok()?.parse().ok())
        .unwrap_or(PAGE)
        .max(LEAST)
}

/// The text on one line of at most `width` characters.
pub(crate) fn one_line(text: &str, width: usize) -> String {
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(width + 1)
        .collect();
    match line.char_indices().nth(width) {
        None => line,
        Some(_) => {
            let kept: String = line.chars().take(width.saturating_sub(1)).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

/// The text on at most `most` lines of at most `width` characters, broken at blanks where there
/// are some. What is left out is counted at the end.
pub(crate) fn lines(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut rest = text.trim_end();
    while !rest.is_empty() {
        if lines.len() == most {
            let left = format!(" ({} more characters)", rest.chars().count());
            if let Some(last) = lines.last_mut() {
                *last = one_line(&format!("{last} …"), width.saturating_sub(left.len())) + &left;
            }
            break;
        }
        let (line, behind) = first_line(rest, width);
        lines.push(one_line(line, width));
        rest = behind;
    }
    lines
}

/// What fits on one line, and what comes behind it.
fn first_line(text: &str, width: usize) -> (&str, &str) {
    let (line, behind) = text.split_once('\n').unwrap_or((text, ""));
    let Some((end, _)) = line.char_indices().nth(width) else {
        return (line, behind);
    };
    match text[..end].rfind(' ') {
        Some(blank) if blank > end / 2 => (&text[..blank], &text[blank + 1..]),
        _ => text.split_at(end),
    }
}
