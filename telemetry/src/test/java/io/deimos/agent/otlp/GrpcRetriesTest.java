// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With a sender of the SDK's interface that answers at once what it is told to. */
class GrpcRetriesTest {
  private static final RetryPolicy POLICY =
      RetryPolicy.builder()
          .setMaxAttempts(3)
          .setInitialBackoff(Duration.ofNanos(1000))
          .setMaxBackoff(Duration.ofNanos(2000))
          .build();

  private final Queue<Object> script = new ArrayDeque<>();
  private final List<Object> ends = new ArrayList<>();
  private OptionalLong asked = OptionalLong.empty();
  private int sent;

  private GrpcRetries retries(@Nullable RetryPolicy policy, Duration timeout) {
    return new GrpcRetries(
        new Scripted(),
        policy,
        failure -> !(failure instanceof SSLHandshakeException),
        timeout.toNanos(),
        () -> asked);
  }

  private void send(Object... answers) {
    send(retries(POLICY, Duration.ofMinutes(1)), answers);
  }

  private void send(GrpcRetries by, Object... answers) {
    script.addAll(List.of(answers));
    by.send(new Nothing(), reply -> ends.add(reply.grpcStatus()), ends::add);
  }

  private void assertEnd(Object end, int attempts) {
    assertThat(ends).containsExactly(end);
    assertThat(sent).isEqualTo(attempts);
  }

  @ParameterizedTest
  @EnumSource(
      value = GrpcStatusCode.class,
      names = {
        "CANCELLED",
        "DEADLINE_EXCEEDED",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNAVAILABLE",
        "DATA_LOSS"
      })
  void send_transientStatus_triesAgain(GrpcStatusCode status) {
    send(status, status, GrpcStatusCode.OK);
    assertEnd(GrpcStatusCode.OK, 3);
  }

  @ParameterizedTest
  @EnumSource(
      value = GrpcStatusCode.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "OK",
        "CANCELLED",
        "DEADLINE_EXCEEDED",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNAVAILABLE",
        "DATA_LOSS"
      })
  void send_finalStatus_isTheEnd(GrpcStatusCode status) {
    send(status);
    assertEnd(status, 1);
  }

  /** OTLP has it so: only who says when it will be better will be. */
  @Test
  void send_exhaustedAndSaysForHowLong_waitsThatLongAndTriesAgain() {
    asked = OptionalLong.of(TimeUnit.MILLISECONDS.toNanos(50));
    long before = System.nanoTime();
    send(GrpcStatusCode.RESOURCE_EXHAUSTED, GrpcStatusCode.OK);
    assertEnd(GrpcStatusCode.OK, 2);
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(asked.getAsLong());
  }

  @Test
  void send_mayNotTryBeforeTheTimeout_givesUpAtOnce() {
    asked = OptionalLong.of(TimeUnit.HOURS.toNanos(1));
    send(GrpcStatusCode.UNAVAILABLE);
    assertEnd(GrpcStatusCode.UNAVAILABLE, 1);
  }

  @Test
  void send_alwaysBusy_triesAsOftenAsConfigured() {
    send(GrpcStatusCode.UNAVAILABLE, GrpcStatusCode.UNAVAILABLE, GrpcStatusCode.UNAVAILABLE);
    assertEnd(GrpcStatusCode.UNAVAILABLE, 3);
  }

  @Test
  void send_withoutPolicy_triesOnce() {
    send(retries(null, Duration.ofMinutes(1)), GrpcStatusCode.UNAVAILABLE);
    assertEnd(GrpcStatusCode.UNAVAILABLE, 1);
  }

  @Test
  void send_noTimeout_triesAgain() {
    send(retries(POLICY, Duration.ZERO), GrpcStatusCode.UNAVAILABLE, GrpcStatusCode.OK);
    assertEnd(GrpcStatusCode.OK, 2);
  }

  @Test
  void send_connectionBreaks_triesAgain() {
    send(new ConnectException("nobody"), GrpcStatusCode.OK);
    assertEnd(GrpcStatusCode.OK, 2);
  }

  @Test
  void send_certificateIsNotTrusted_isTheEnd() {
    SSLHandshakeException failure = new SSLHandshakeException("who are you?");
    send(failure);
    assertEnd(failure, 1);
  }

  @Test
  void shutdown_underWay_isTheEnd() {
    GrpcRetries by = retries(POLICY, Duration.ofMinutes(1));
    by.shutdown();
    send(by, GrpcStatusCode.UNAVAILABLE);
    assertEnd(GrpcStatusCode.UNAVAILABLE, 1);
  }

  @Test
  void read_detailsOfAStatus_isTheDelay() {
    byte[] other =
        field(1, "type.googleapis.com/google.rpc.DebugInfo".getBytes(StandardCharsets.UTF_8));
    byte[] type =
        field(1, "type.googleapis.com/google.rpc.RetryInfo".getBytes(StandardCharsets.UTF_8));
    byte[] duration = {0x08, 2, 0x10, 7}; // 2 seconds and 7 nanoseconds
    byte[] info = field(2, field(1, duration));
    byte[] status = joined(field(3, other), field(3, joined(type, info)));
    assertThat(RetryInfo.read(Base64.getEncoder().encodeToString(status))).hasValue(2_000_000_007L);
    assertThat(RetryInfo.read(Base64.getEncoder().withoutPadding().encodeToString(status)))
        .hasValue(2_000_000_007L);
  }

  @Test
  void read_anythingElse_isNothing() {
    byte[] cut = field(3, field(1, "x/google.rpc.RetryInfo".getBytes(StandardCharsets.UTF_8)));
    assertThat(RetryInfo.read("")).isEmpty();
    assertThat(RetryInfo.read("not base64!")).isEmpty();
    assertThat(RetryInfo.read(Base64.getEncoder().encodeToString(cut))).isEmpty();
    assertThat(RetryInfo.read(Base64.getEncoder().encodeToString(new byte[] {0x1a, 100})))
        .isEmpty();
    assertThat(RetryInfo.read("A".repeat(100_000))).isEmpty();
  }

  private static byte[] field(int number, byte[] content) {
    return joined(new byte[] {(byte) (number << 3 | 2), (byte) content.length}, content);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private final class Scripted implements GrpcSender {
    @Override
    public void send(
        MessageWriter message, Consumer<GrpcResponse> onResponse, Consumer<Throwable> onError) {
      sent++;
      Object next = script.remove();
      if (next instanceof GrpcStatusCode status) {
        onResponse.accept(new Response(status));
      } else {
        onError.accept((Throwable) next);
      }
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  private record Response(GrpcStatusCode getStatusCode) implements GrpcResponse {
    @Override
    public String getStatusDescription() {
      return "";
    }

    @Override
    public byte[] getResponseMessage() {
      return new byte[0];
    }
  }

  private static final class Nothing implements MessageWriter {
    @Override
    public void writeMessage(OutputStream to) throws IOException {
      to.write(new byte[0]);
    }

    @Override
    public int getContentLength() {
      return 0;
    }
  }
}
