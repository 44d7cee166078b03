// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

/** How a call ends, as far as any of ours does. */
public enum GrpcCode {
  OK(0),
  INVALID_ARGUMENT(3),
  DEADLINE_EXCEEDED(4),
  PERMISSION_DENIED(7),
  RESOURCE_EXHAUSTED(8),
  UNIMPLEMENTED(12),
  INTERNAL(13),
  UNAVAILABLE(14),
  UNAUTHENTICATED(16);

  private final int number;

  GrpcCode(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
