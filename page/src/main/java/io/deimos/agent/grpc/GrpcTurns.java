// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import java.util.function.Function;

/** Has work done on a thread for long work, and its outcome on the thread of the connection. */
public interface GrpcTurns {
  /**
   * Has a task wait for its turn.
   *
   * @param task makes the answer
   * @param busy what is done instead if it would have to wait too long
   */
  void take(Function<GrpcReply, Runnable> task, GrpcReply reply, Runnable busy);
}
