// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Base64;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How long a collector asks to wait: {@code google.rpc.RetryInfo}, in the details of a gRPC status.
 * The SDK's sender does not give them away, so this looks over its shoulder: it keeps the answer
 * that came last on each of the sender's threads until that thread asks what was in it.
 */
final class RetryInfo implements InvocationHandler {
  private static final String DETAILS = "grpc-status-details-bin";
  private static final String TYPE = "google.rpc.RetryInfo";
  private static final int MAX_CHARACTERS = 16 << 10;
  private static final int MAX_PARTS = 1000;
  private static final long SECOND = 1_000_000_000L;
  private static final long MAX_SECONDS = 1L << 30;

  private static final ThreadLocal<@Nullable Object> ANSWER = new ThreadLocal<>();

  /** Looks at what comes to a sender; at nothing if it is of a kind that we do not know. */
  static RetryInfo of(Object sender) {
    RetryInfo info = new RetryInfo();
    BulkSockets.change(
        sender,
        (builder, loader) -> {
          Class<?> interceptor = Class.forName("okhttp3.Interceptor", false, loader);
          builder
              .getClass()
              .getMethod("addInterceptor", interceptor)
              .invoke(builder, Proxy.newProxyInstance(loader, new Class<?>[] {interceptor}, info));
        });
    return info;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
      throws Throwable {
    if (!method.getName().equals("intercept") || args == null) {
      return method.invoke(this, args);
    }
    ANSWER.remove();
    Object chain = args[0];
    Class<?> type = method.getParameterTypes()[0];
    Method request = type.getMethod("request");
    try {
      Object response =
          type.getMethod("proceed", request.getReturnType()).invoke(chain, request.invoke(chain));
      ANSWER.set(response);
      return response;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** How many nanoseconds to wait, by the answer that came on this thread; empty if not said. */
  OptionalLong take() {
    Object response = ANSWER.get();
    ANSWER.remove();
    String details = response == null ? null : details(response);
    return details == null ? OptionalLong.empty() : read(details);
  }

  /** In the headers of an answer that has nothing else, or else behind it. */
  private static @Nullable String details(Object response) {
    try {
      Class<?> type = response.getClass();
      Object value = type.getMethod("header", String.class).invoke(response, DETAILS);
      if (value == null) {
        Object trailers = type.getMethod("trailers").invoke(response);
        value = trailers.getClass().getMethod("get", String.class).invoke(trailers, DETAILS);
      }
      return (String) value;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // the connection broke before the trailers, say
    }
  }

  /** Reads a {@code google.rpc.Status} in the base64 of a header. */
  static OptionalLong read(String details) {
    if (details.length() > MAX_CHARACTERS) {
      return OptionalLong.empty();
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(details);
      ProtoFields status = ProtoFields.of(bytes, MAX_PARTS);
      while (status.find(3)) {
        ProtoFields any = status.inside();
        if (any.find(1) && any.text().endsWith(TYPE) && any.find(2)) {
          ProtoFields info = any.inside();
          return OptionalLong.of(info.find(1) ? nanos(info.inside()) : 0);
        }
      }
    } catch (IllegalArgumentException e) {
      // not what it is said to be
    }
    return OptionalLong.empty();
  }

  private static long nanos(ProtoFields duration) {
    long nanos = 0;
    while (duration.next()) {
      if (duration.isNumber(1)) {
        nanos += Math.min(MAX_SECONDS, Math.max(0, duration.number())) * SECOND;
      } else if (duration.isNumber(2)) {
        nanos += Math.min(SECOND, Math.max(0, duration.number()));
      }
    }
    return nanos;
  }
}
