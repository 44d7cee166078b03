// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.BodyHooks;
import io.deimos.recorder.woven.ContextFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.http.scaladsl.model.HttpMessage;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Copied into Pekko HTTP, where a body is made and where it is sent. */
@SuppressWarnings("unused") // copied into Pekko HTTP
final class HttpAdvice {
  private HttpAdvice() {}

  /** The constructor of a body in chunks. */
  static final class Chunked {
    private Chunked() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object body) {
      BodyHooks.made(BodyHooks.CHUNKED, (ContextFields) body);
    }
  }

  /** The constructor of a body of known length. */
  static final class OfLength {
    private OfLength() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object body) {
      BodyHooks.made(BodyHooks.OF_LENGTH, (ContextFields) body);
    }
  }

  /** The constructor of a body that ends with the connection. */
  static final class CloseDelimited {
    private CloseDelimited() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object body) {
      BodyHooks.made(BodyHooks.CLOSE_DELIMITED, (ContextFields) body);
    }
  }

  /** {@code HttpEntity.captureTermination}: a copy that tells when it ends. */
  static final class Captured {
    private Captured() {}

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Argument(0) @Nullable Object body, @Advice.Return @Nullable Tuple2<?, ?> copy) {
      BodyHooks.copied(body, copy == null ? null : copy._1());
    }
  }

  /** The constructor of what is rendered as HTTP/1.1: the next stage starts the body. */
  static final class Response {
    private Response() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Argument(0) @Nullable HttpMessage message) {
      BodyHooks.sent(BodyHooks.RESPONSE, message == null ? null : message.entity());
    }
  }

  /** The same of a request. */
  static final class Request {
    private Request() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Argument(0) @Nullable HttpMessage message) {
      BodyHooks.sent(BodyHooks.REQUEST, message == null ? null : message.entity());
    }
  }

  /** {@code Http2SubStream.apply}: both in HTTP/2. */
  static final class Framed {
    private Framed() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) @Nullable Object body) {
      BodyHooks.sent(BodyHooks.FRAMED, body);
    }
  }
}
