// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import java.nio.ByteBuffer;

/** Takes one call's message. Called on the thread of the connection. */
public interface GrpcCall {
  /** Takes all of what has come of the message. */
  void take(ByteBuffer some) throws GrpcRefusal;

  /**
   * The message is whole.
   *
   * @param packed whether it is packed by gzip
   * @param reply takes the answer, later
   */
  void whole(boolean packed, GrpcReply reply) throws GrpcRefusal;

  /** It is answered, or its client is gone: gives back what it takes. May be called again. */
  void end();
}
