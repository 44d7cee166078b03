// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import java.time.Duration;

/**
 * How much of its time and room a connection gets.
 *
 * @param streams how many calls there may be at once
 * @param read how long a client may take to begin, and for one frame
 * @param call how long a call may take until its message is whole, and then until its answer is
 *     read
 * @param idle how long a connection stays without a call
 */
public record GrpcBounds(int streams, Duration read, Duration call, Duration idle) {
  public static final GrpcBounds DEFAULT =
      new GrpcBounds(16, Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(10));
}
