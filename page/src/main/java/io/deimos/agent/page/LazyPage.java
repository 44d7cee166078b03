// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.grpc.GrpcService;
import io.deimos.agent.grpc.GrpcTurns;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.HttpHandler;
import io.deimos.agent.http.Request;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers requests by a {@link PageHandler}, which the first one makes that needs it. */
final class LazyPage implements HttpHandler {
  private volatile @Nullable Supplier<PageHandler> maker;
  private volatile @Nullable PageHandler made;

  /** Called once, before the first request. */
  void makes(Supplier<PageHandler> by) {
    maker = by;
  }

  private PageHandler handler() {
    PageHandler handler = made;
    return handler == null ? make() : handler;
  }

  /** Makes the handler, if nobody has. */
  synchronized PageHandler make() {
    PageHandler handler = made;
    if (handler == null) {
      handler = Objects.requireNonNull(maker).get();
      made = handler;
    }
    return handler;
  }

  @Override
  public Answer handle(Request request) {
    return handler().handle(request);
  }

  /** A worker makes the handler, if the request has no body that must be read before. */
  @Override
  public Terms terms(Request head, boolean hasBody) {
    PageHandler handler = hasBody ? handler() : made;
    return handler == null ? Terms.WITHOUT_BODY : handler.terms(head, hasBody);
  }

  @Override
  public Answer refused(Request head, int status, String why) {
    return handler().refused(head, status, why);
  }

  @Override
  public @Nullable GrpcService grpc(AnswerMemory memory, GrpcTurns turns) {
    return handler().grpc(memory, turns);
  }
}
