// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.pekko;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.pekko.Done;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * Calls back once when a kill switch is used. A kill switch tells streams only, so this is a
 * stream, which lives until it is closed: whoever watches must close it.
 *
 * <p><b>Threads.</b> Any.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures come to the callback
public final class KillSwitchWatch implements AutoCloseable {
  private final AtomicBoolean done = new AtomicBoolean();
  private final Consumer<@Nullable Throwable> callback;
  private final CompletableFuture<Optional<Object>> end = new CompletableFuture<>();

  /**
   * A watch that has yet to be started.
   *
   * @param callback told {@code null} of an orderly end, else with what the switch was used
   */
  public KillSwitchWatch(Consumer<@Nullable Throwable> callback) {
    this.callback = callback;
  }

  /** Begins to watch one kill switch, or two. */
  public void start(
      Materializer materializer, SharedKillSwitch first, @Nullable SharedKillSwitch second) {
    Source<Object, CompletableFuture<Optional<Object>>> never =
        Source.<Object>maybe().via(first.flow());
    Source<Object, CompletableFuture<Optional<Object>>> watched =
        second == null ? never : never.via(second.flow());
    try {
      Pair<CompletableFuture<Optional<Object>>, CompletionStage<Done>> running =
          watched.toMat(Sink.ignore(), Keep.both()).run(materializer);
      end.thenAccept(running.first()::complete);
      running.second().whenComplete((ended, failure) -> tell(failure));
    } catch (IllegalStateException e) {
      tell(e); // the system is going down, and with it what was to be watched
    }
  }

  private void tell(@Nullable Throwable failure) {
    if (done.compareAndSet(false, true)) {
      callback.accept(failure);
    }
  }

  /** Ends the stream; nobody is called back any more. */
  @Override
  public void close() {
    done.set(true);
    end.complete(Optional.empty());
  }
}
