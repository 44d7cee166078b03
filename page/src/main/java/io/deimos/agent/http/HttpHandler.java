// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.grpc.GrpcService;
import io.deimos.agent.grpc.GrpcTurns;
import org.jspecify.annotations.Nullable;

/** Makes the answers. Only {@link #terms} and {@link #grpc} may throw. */
public interface HttpHandler {
  /** Answers a request, on a thread that may take its time. */
  Answer handle(Request request);

  /**
   * How a request is taken whose head has come. Called on the loop's thread.
   *
   * @param hasBody whether a body follows
   */
  default Terms terms(Request head, boolean hasBody) {
    return Terms.WITHOUT_BODY;
  }

  /** The answer to a request that is refused, before or after its body is whole. */
  default Answer refused(Request head, int status, String why) {
    return Answer.refusal(status, why);
  }

  /**
   * Takes calls of gRPC; null if nothing does.
   *
   * @param memory what messages take as they come
   * @param turns does what takes much time or memory
   */
  default @Nullable GrpcService grpc(AnswerMemory memory, GrpcTurns turns) {
    return null;
  }

  /**
   * How a request is taken.
   *
   * @param maxBodyBytes how long its body may be; 0 if it must have none
   * @param takesTurns whether it waits for others like it, because it takes much time or memory
   * @param refusal the answer, if its body is not even read
   */
  record Terms(int maxBodyBytes, boolean takesTurns, @Nullable Answer refusal) {
    /** Must have no body. */
    public static final Terms WITHOUT_BODY = new Terms(0, false, null);
  }
}
