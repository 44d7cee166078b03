// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import java.util.ArrayList;
import java.util.List;

/**
 * The methods of {@code CompletableFuture} that make a stage of a function, by which every
 * registration goes. It is the JDK's class, the same for all of a process.
 */
final class StageHookPoints {
  static final String TYPE = "java.util.concurrent.CompletableFuture";
  static final List<HookPoint> ALL = all();

  private static final String EXECUTOR = "java.util.concurrent.Executor";
  private static final String STAGE = "java.util.concurrent.CompletionStage";

  private StageHookPoints() {}

  private static List<HookPoint> all() {
    List<HookPoint> all = new ArrayList<>();
    one(all, "uniApplyStage", "Function");
    one(all, "uniAcceptStage", "Consumer");
    one(all, "uniRunStage", "Runnable");
    one(all, "uniWhenCompleteStage", "BiConsumer");
    one(all, "uniHandleStage", "BiFunction");
    one(all, "uniExceptionallyStage", "Function");
    one(all, "uniComposeExceptionallyStage", "Function");
    one(all, "uniComposeStage", "Function");
    two(all, "biApplyStage", "BiFunction");
    two(all, "biAcceptStage", "BiConsumer");
    two(all, "biRunStage", "Runnable");
    two(all, "orApplyStage", "Function");
    two(all, "orAcceptStage", "Consumer");
    two(all, "orRunStage", "Runnable");
    return List.copyOf(all);
  }

  private static void one(List<HookPoint> to, String method, String function) {
    to.add(hook(method, "One" + function, List.of(EXECUTOR, type(function))));
  }

  private static void two(List<HookPoint> to, String method, String function) {
    to.add(hook(method, "Two" + function, List.of(EXECUTOR, STAGE, type(function))));
  }

  private static String type(String function) {
    return (function.equals("Runnable") ? "java.lang." : "java.util.function.") + function;
  }

  private static HookPoint hook(String method, String advice, List<String> parameters) {
    return new HookPoint(
        "CompletableFuture." + method,
        TYPE,
        method,
        parameters,
        "io.deimos.pekko.advice.StageAdvice$" + advice);
  }
}
