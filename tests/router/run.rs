//! Trying the models of a route one after the other.

use std::cell::RefCell;
use std::error::Error;
use std::future::pending;

use callboard::catalog::Capability;
use callboard::{Attempt, Candidate, FallbackError, Need, SelectError, WorkloadRoute};

use super::{chat, sealed};
use crate::common::{block_on, poll_once};
use crate::spans::Kept;

fn over_three() -> WorkloadRoute {
    WorkloadRoute::new("a", "small")
        .fallback("unpriced")
        .fallback("large")
}

#[test]
fn the_first_model_that_answers_serves_and_what_came_before_is_told() {
    let registry = sealed([chat().fallback("silent")]);
    let router = registry.model_router("chat-v1").expect("it is a route");
    let tried = RefCell::new(Vec::new());
    let need = Need::default().prompt_tokens(10_000).output_tokens(10);
    let served = block_on(router.run_with_fallbacks("chat-v1", &need, |candidate| {
        tried.borrow_mut().push(candidate.name());
        async move {
            match candidate.name() {
                "unpriced" => Err(Attempt::MoveOn("busy")),
                name => Ok(name.len()),
            }
        }
    }))
    .expect("`large` answers");
    // `small` has no room: it is not even tried.
    assert_eq!(*tried.borrow(), ["unpriced", "large"]);
    assert_eq!((served.candidate.name(), served.output), ("large", 5));
    assert_eq!(
        served.estimate.map(|cost| cost.picodollars()),
        Some(10_000 * 2_000 + 10 * 8_000)
    );
    assert_eq!(served.skipped.len(), 1);
    assert_eq!(served.skipped[0].model, "small");
    assert_eq!(served.failed.len(), 1);
    assert_eq!(
        (&*served.failed[0].model, served.failed[0].error),
        ("unpriced", "busy")
    );
}

#[test]
fn an_error_that_stops_is_the_last() {
    let registry = sealed([over_three()]);
    let router = registry.model_router("a").expect("it is a route");
    let mut tried = 0;
    let error = block_on(
        router.run_with_fallbacks("a", &Need::default(), |candidate| {
            tried += 1;
            async move {
                match candidate.name() {
                    "small" => Err::<(), _>(Attempt::MoveOn("busy".to_owned())),
                    _ => Err(Attempt::Stop("no money".to_owned())),
                }
            }
        }),
    )
    .expect_err("the second model stops");
    assert_eq!(tried, 2);
    let FallbackError::Stopped {
        router,
        route,
        failed,
        skipped,
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!((&**router, &**route, skipped.len()), ("workload", "a", 0));
    let failed: Vec<_> = failed
        .iter()
        .map(|one| (&*one.model, &*one.error))
        .collect();
    assert_eq!(failed, [("small", "busy"), ("unpriced", "no money")]);
    let text = error.to_string();
    for words in [
        "stopped",
        "`small` was tried: busy",
        "`unpriced` was tried: no money",
    ] {
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(error.into_last().as_deref(), Some("no money"));
}

#[test]
fn where_every_model_fails_all_errors_are_there() {
    let registry = sealed([chat()]);
    let router = registry.model_router("chat-v1").expect("it is a route");
    let need = Need::default().capabilities([Capability::ToolCalling]);
    let error = block_on(
        router.run_with_fallbacks("chat-v1", &need, async |candidate| {
            Err::<(), _>(Attempt::MoveOn(format!("{} is busy", candidate.name())))
        }),
    )
    .expect_err("none answers");
    let FallbackError::Exhausted {
        failed, skipped, ..
    } = &error
    else {
        panic!("{error}");
    };
    let models: Vec<&str> = failed.iter().map(|one| &*one.model).collect();
    assert_eq!(models, ["small", "unpriced", "large"]);
    assert_eq!(skipped[0].model, "bare");
    assert_eq!(error.to_string().lines().count(), 5, "{error}");
    assert_eq!(error.into_last().as_deref(), Some("large is busy"));
}

#[test]
fn a_call_that_no_model_can_serve_is_not_tried() {
    let registry = sealed([chat()]);
    let router = registry.model_router("chat-v1").expect("it is a route");
    let run = |alias: &'static str, need: Need| {
        block_on(
            router.run_with_fallbacks(alias, &need, async |_: &Candidate| {
                panic!("it was tried");
                #[allow(unreachable_code, reason = "the type of the error")]
                Err::<(), Attempt<String>>(Attempt::Stop(String::new()))
            }),
        )
        .expect_err("no model can serve it")
    };
    for (alias, need) in [
        ("chat-v1", Need::default().prompt_tokens(1_000_000)),
        ("chat-v1", Need::default().budget(1)),
        ("chat-v2", Need::default()),
    ] {
        let as_selected = router
            .select(alias, &need)
            .expect_err("no model can serve it");
        let error = run(alias, need);
        assert_eq!(error.to_string(), as_selected.to_string());
        assert_eq!(error, FallbackError::NotTried(as_selected));
        assert_eq!(error.into_last(), None);
    }
}

#[test]
fn errors_pass_through_a_question_mark() {
    let registry = sealed([over_three()]);
    let router = registry.model_router("a").expect("it is a route");
    let run = || -> Result<(), Box<dyn Error + Send + Sync>> {
        block_on(
            router.run_with_fallbacks("a", &Need::default(), async |_: &Candidate| {
                Err::<(), _>(Attempt::MoveOn("busy"))
            }),
        )?;
        Ok(())
    };
    let error = run().expect_err("none answers");
    assert!(error.is::<FallbackError<&'static str>>());
    let unknown: SelectError = router.route("b").expect_err("no such route").into();
    assert!(unknown.to_string().contains('b'));
}

#[test]
fn the_future_may_cross_threads() {
    fn crosses_threads<F: Future + Send>(future: F) -> F {
        future
    }
    let registry = sealed([over_three()]);
    let router = registry.model_router("a").expect("it is a route");
    let served = block_on(crosses_threads(router.run_with_fallbacks(
        "a",
        &Need::default(),
        |candidate| async move {
            let model = candidate
                .handle()
                .ok_or(Attempt::Stop("no client".to_owned()))?;
            match model.chat(&[]).await {
                Ok(message) => Ok(message.content),
                Err(error) if candidate.name() != "large" => {
                    Err(Attempt::MoveOn(error.to_string()))
                }
                Err(_) => Ok(model.model_id().to_owned()),
            }
        },
    )))
    .expect("the last one answers");
    assert_eq!(served.output, "large");
    assert_eq!(served.failed[1].error, "not a client");
}

#[test]
fn each_attempt_is_a_span() {
    let kept = Kept::of("model_attempt");
    let _listening = kept.listen();
    let registry = sealed([chat()]);
    let router = registry.model_router("chat-v1").expect("it is a route");
    let need = Need::default().prompt_tokens(8_001);
    let run = |last: Result<(), Attempt<&'static str>>| {
        let answered = block_on(router.run_with_fallbacks("chat-v1", &need, |candidate| {
            // Before the future is there, and in it.
            tracing::info!("making");
            async move {
                tracing::info!("made");
                match candidate.name() {
                    "unpriced" => Err(Attempt::MoveOn("hunter2")),
                    _ => last,
                }
            }
        }));
        assert_eq!(answered.is_ok(), last.is_ok());
        let spans = kept.take();
        assert_eq!(spans.len(), 2, "{spans:?}");
        for (fields, (model, attempt)) in spans.iter().zip([("unpriced", "1"), ("large", "2")]) {
            assert_eq!(
                fields.keys().copied().collect::<Vec<_>>(),
                [
                    "attempt",
                    "duration_us",
                    "model",
                    "outcome",
                    "route",
                    "router"
                ]
            );
            assert_eq!(
                (&*fields["router"], &*fields["route"]),
                ("workload", "chat-v1")
            );
            assert_eq!((&*fields["model"], &*fields["attempt"]), (model, attempt));
            assert!(fields["duration_us"].parse::<u64>().is_ok());
            assert!(!fields.values().any(|value| value.contains("hunter2")));
        }
        assert_eq!(spans[0]["outcome"], "moved_on");
        assert_eq!(kept.events_in(), [Some("model_attempt"); 4]);
        spans[1]["outcome"].clone()
    };
    assert_eq!(run(Ok(())), "ok");
    assert_eq!(run(Err(Attempt::Stop("no money"))), "stopped");
    assert_eq!(run(Err(Attempt::MoveOn("busy"))), "moved_on");
}

#[test]
fn dropping_the_future_drops_the_attempt_that_runs() {
    struct Guard<'a>(&'a RefCell<Vec<&'static str>>);
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            self.0.borrow_mut().push("dropped");
        }
    }
    let kept = Kept::of("model_attempt");
    let _listening = kept.listen();
    let registry = sealed([over_three()]);
    let router = registry.model_router("a").expect("it is a route");
    let seen = RefCell::new(Vec::new());
    let need = Need::default();
    let mut running = Box::pin(router.run_with_fallbacks("a", &need, |_| {
        seen.borrow_mut().push("tried");
        let guard = Guard(&seen);
        async move {
            let _guard = guard;
            pending::<Result<(), Attempt<()>>>().await
        }
    }));
    assert!(poll_once(running.as_mut()).is_pending());
    assert_eq!(*seen.borrow(), ["tried"]);
    assert!(kept.take().is_empty());
    drop(running);
    assert_eq!(*seen.borrow(), ["tried", "dropped"]);
    let spans = kept.take();
    assert_eq!((spans.len(), &*spans[0]["outcome"]), (1, "dropped"));
}
