// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import static io.opentelemetry.sdk.common.export.GrpcStatusCode.ABORTED;
import static io.opentelemetry.sdk.common.export.GrpcStatusCode.CANCELLED;
import static io.opentelemetry.sdk.common.export.GrpcStatusCode.DATA_LOSS;
import static io.opentelemetry.sdk.common.export.GrpcStatusCode.DEADLINE_EXCEEDED;
import static io.opentelemetry.sdk.common.export.GrpcStatusCode.OUT_OF_RANGE;
import static io.opentelemetry.sdk.common.export.GrpcStatusCode.RESOURCE_EXHAUSTED;
import static io.opentelemetry.sdk.common.export.GrpcStatusCode.UNAVAILABLE;

import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.IOException;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Unary calls of gRPC by a sender of the SDK's that does not try again itself: it would do so when
 * the collector is exhausted without a word of when it will not be, and would not hear how long it
 * should wait. Here it is as OTLP has it.
 *
 * <p><b>Threads.</b> A call waits for its next attempt on the thread that was told of the last one,
 * as in the SDK. The sender has as many as there are batches.
 */
final class GrpcRetries implements OtlpSender {
  private static final Set<GrpcStatusCode> TRANSIENT =
      EnumSet.of(CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS);

  private static final double JITTER_FROM = 0.8;
  private static final double JITTER_TO = 1.2;

  private final GrpcSender sender;
  private final @Nullable RetryPolicy policy;
  private final Predicate<IOException> isTransient;
  private final long timeoutNanos;
  private final Supplier<OptionalLong> retryInfo;
  private volatile boolean ended;

  /**
   * @param policy how often to try, and when; null for once
   * @param isTransient whether a failure may be another's next time
   * @param timeoutNanos when to try no more; 0 for never
   * @param retryInfo how many nanoseconds the answer told of on this thread asks to wait, if it
   *     does
   */
  GrpcRetries(
      GrpcSender sender,
      @Nullable RetryPolicy policy,
      Predicate<IOException> isTransient,
      long timeoutNanos,
      Supplier<OptionalLong> retryInfo) {
    this.sender = sender;
    this.policy = policy;
    this.isTransient = isTransient;
    this.timeoutNanos = timeoutNanos;
    this.retryInfo = retryInfo;
  }

  @Override
  public void send(
      MessageWriter request, Consumer<OtlpReply> onReply, Consumer<Throwable> onFailure) {
    new Call(request, onReply, onFailure).attempt();
  }

  @Override
  public void shutdown() {
    ended = true;
    sender.shutdown();
  }

  /** One request, in as many attempts as it takes. One thread at a time has it. */
  private final class Call {
    private final MessageWriter request;
    private final Consumer<OtlpReply> onReply;
    private final Consumer<Throwable> onFailure;
    private final long sinceNanos = System.nanoTime();
    private long backoffNanos = policy == null ? 0 : policy.getInitialBackoff().toNanos();
    private int attempts;

    Call(MessageWriter request, Consumer<OtlpReply> onReply, Consumer<Throwable> onFailure) {
      this.request = request;
      this.onReply = onReply;
      this.onFailure = onFailure;
    }

    void attempt() {
      attempts++;
      sender.send(request, response -> answered(OtlpReply.of(response)), this::failed);
    }

    private void answered(OtlpReply reply) {
      OptionalLong asked = reply.isTaken() ? OptionalLong.empty() : retryInfo.get();
      GrpcStatusCode status = reply.grpcStatus();
      boolean again =
          TRANSIENT.contains(status) || (status == RESOURCE_EXHAUSTED && asked.isPresent());
      if (!again || !waited(asked) || !tried()) {
        onReply.accept(reply);
      }
    }

    private void failed(Throwable error) {
      boolean again = error instanceof IOException failure && isTransient.test(failure);
      if (!again || !waited(OptionalLong.empty()) || !tried()) {
        onFailure.accept(error);
      }
    }

    /** Waits for as long as it takes until the next attempt; false if there shall be none. */
    private boolean waited(OptionalLong asked) {
      if (policy == null || attempts >= policy.getMaxAttempts() || ended) {
        return false;
      }
      long wait = asked.isPresent() ? asked.getAsLong() : backoff(policy);
      if (timeoutNanos > 0 && wait >= timeoutNanos - (System.nanoTime() - sinceNanos)) {
        return false; // then it will be too late
      }
      try {
        TimeUnit.NANOSECONDS.sleep(wait);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      return !ended;
    }

    private long backoff(RetryPolicy by) {
      long now = Math.min(backoffNanos, by.getMaxBackoff().toNanos());
      backoffNanos = (long) (now * by.getBackoffMultiplier());
      return (long) (now * ThreadLocalRandom.current().nextDouble(JITTER_FROM, JITTER_TO));
    }

    /** False if the sender takes no more. */
    private boolean tried() {
      try {
        attempt();
        return true;
      } catch (RuntimeException e) {
        return false;
      }
    }
  }
}
