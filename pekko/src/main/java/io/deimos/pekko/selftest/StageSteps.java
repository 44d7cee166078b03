// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Functions given to a {@code CompletableFuture}: each is to run with its own context around it.
 */
final class StageSteps {
  private static final String KEPT = "io.deimos.recorder.hooks.Registered";

  private StageSteps() {}

  static void run(Steps steps) {
    CompletableFuture<Object> never = new CompletableFuture<>();
    check(steps, "uniApplyStage", (f, seen) -> f.thenApply(value -> seen(seen)));
    check(steps, "uniAcceptStage", (f, seen) -> f.thenAccept(value -> seen.run()));
    check(steps, "uniRunStage", (f, seen) -> f.thenRun(seen::run));
    check(steps, "uniWhenCompleteStage", (f, seen) -> f.whenComplete((value, e) -> seen.run()));
    check(steps, "uniHandleStage", (f, seen) -> f.handle((value, e) -> seen(seen)));
    check(steps, "uniComposeStage", (f, seen) -> f.thenCompose(value -> composed(seen)));
    check(steps, "biApplyStage", (f, seen) -> f.thenCombine(f, (value, other) -> seen(seen)));
    check(steps, "biAcceptStage", (f, seen) -> f.thenAcceptBoth(f, (value, other) -> seen.run()));
    check(steps, "biRunStage", (f, seen) -> f.runAfterBoth(f, seen::run));
    check(steps, "orApplyStage", (f, seen) -> f.applyToEither(never, value -> seen(seen)));
    check(steps, "orAcceptStage", (f, seen) -> f.acceptEither(never, value -> seen.run()));
    check(steps, "orRunStage", (f, seen) -> f.runAfterEither(never, seen::run));
    failed(steps, "uniExceptionallyStage", (f, seen) -> f.exceptionally(e -> seen(seen)));
    failed(
        steps,
        "uniComposeExceptionallyStage",
        (f, seen) -> f.exceptionallyCompose(e -> composed(seen)));
  }

  private static Object seen(Seen seen) {
    seen.run();
    return "self-test";
  }

  private static CompletableFuture<Object> composed(Seen seen) {
    return CompletableFuture.completedFuture(seen(seen));
  }

  private static void check(
      Steps steps,
      String hook,
      BiFunction<CompletableFuture<Object>, Seen, CompletableFuture<?>> register) {
    check(steps, hook, register, f -> f.complete("self-test"));
  }

  private static void failed(
      Steps steps,
      String hook,
      BiFunction<CompletableFuture<Object>, Seen, CompletableFuture<?>> register) {
    check(steps, hook, register, f -> f.completeExceptionally(new IllegalStateException("test")));
  }

  private static void check(
      Steps steps,
      String hook,
      BiFunction<CompletableFuture<Object>, Seen, CompletableFuture<?>> register,
      Consumer<CompletableFuture<Object>> complete) {
    steps.check(
        "CompletableFuture." + hook,
        () -> {
          Seen seen = new Seen();
          CompletableFuture<Object> future = new CompletableFuture<>();
          CompletableFuture<?> stage = register.apply(future, seen);
          complete.accept(future);
          return stage.isDone() && seen.kept;
        });
  }

  /** Sees by whom it is called. */
  private static final class Seen {
    private boolean kept;

    void run() {
      kept =
          StackWalker.getInstance()
              .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith(KEPT)));
    }
  }
}
