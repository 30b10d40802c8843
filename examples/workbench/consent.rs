//! Asking the person at the keyboard.

use std::io::{self, BufRead};

use callboard::{ApprovalDecision, ApprovalRequest, Approver, BoxFuture, ToolCallContext};

use crate::terminal::{BOLD, WARN};

/// How consent to a call is given.
#[derive(Clone, Copy)]
pub(crate) enum Consent {
    /// It was given with the command; the request is shown.
    Given,
    /// Someone is there to be asked.
    Ask,
}

impl Approver for Consent {
    fn decide<'a>(
        &'a self,
        request: &'a ApprovalRequest,
        _: &'a ToolCallContext,
    ) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(async move {
            show(request);
            match self {
                Self::Given => {
                    anstream::eprintln!("approved by `--approve`");
                    ApprovalDecision::Approve
                }
                Self::Ask => ask().await,
            }
        })
    }
}

fn show(request: &ApprovalRequest) {
    anstream::eprintln!(
        "{WARN}approval needed{WARN:#}  {BOLD}{}{BOLD:#} {}, {} risk\n  arguments  {}\n  sha-256    {}",
        request.tool(),
        request.version(),
        request.risk(),
        request.arguments(),
        request.digest(),
    );
}

/// On a thread of its own, so that Ctrl-C is heard meanwhile.
async fn ask() -> ApprovalDecision {
    anstream::eprint!("run it? [y/N] ");
    let answer = tokio::task::spawn_blocking(|| {
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer).map(|_| answer)
    })
    .await;
    match answer {
        Ok(Ok(answer)) if matches!(answer.trim(), "y" | "Y" | "yes") => ApprovalDecision::Approve,
        _ => ApprovalDecision::deny("the person at the keyboard said no"),
    }
}
