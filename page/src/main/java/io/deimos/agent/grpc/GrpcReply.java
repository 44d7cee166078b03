// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

/** Takes the answer to a call, on the thread of its connection. Only the first one counts. */
public interface GrpcReply {
  /** The answer, packed by nothing. */
  void answer(byte[] message);

  void refuse(GrpcRefusal why);
}
