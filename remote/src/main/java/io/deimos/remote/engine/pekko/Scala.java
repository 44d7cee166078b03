// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.pekko;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.concurrent.Promise;
import scala.runtime.AbstractFunction1;
import scala.util.Try;

/**
 * Futures and collections of Scala as those of Java, and the reverse, by what Scala 2.12 and 2.13
 * both have. {@code scala.jdk} came with 2.13.
 */
@SuppressWarnings("deprecation") // what stands in place of JavaConverters came with 2.13
public final class Scala {
  /** Runs what is given to it at once, on the thread that completes a future. */
  private static final ExecutionContext HERE = ExecutionContext.fromExecutor(Runnable::run);

  private Scala() {}

  public static <T> Future<T> future(CompletionStage<T> stage) {
    Promise<T> promise = Promise.apply();
    var unused =
        stage.whenComplete(
            (value, failure) -> {
              if (failure == null) {
                promise.success(value);
              } else {
                promise.failure(failure);
              }
            });
    return promise.future();
  }

  public static <T> CompletableFuture<T> stage(Future<T> future) {
    CompletableFuture<T> stage = new CompletableFuture<>();
    future.onComplete(
        new AbstractFunction1<Try<T>, Object>() {
          @Override
          public Object apply(Try<T> result) {
            return result.isSuccess()
                ? stage.complete(result.get())
                : stage.completeExceptionally(result.failed().get());
          }
        },
        HERE);
    return stage;
  }

  public static <K, V> Map<K, V> map(scala.collection.Map<K, V> map) {
    return scala.collection.JavaConverters.mapAsJavaMap(map);
  }

  public static <T> Set<T> set(scala.collection.Set<T> set) {
    return scala.collection.JavaConverters.setAsJavaSet(set);
  }

  public static <T> scala.collection.immutable.Set<T> immutableSet(Set<T> set) {
    return scala.collection.JavaConverters.asScalaSet(set).toSet();
  }

  public static <T> scala.collection.immutable.Vector<T> vector(List<T> list) {
    return scala.collection.JavaConverters.asScalaBuffer(list).toVector();
  }
}
