// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

import java.time.Duration;

/** Why a call is not taken, and whether it may come again. */
public final class GrpcRefusal extends Exception {
  private static final long serialVersionUID = 1;
  private final GrpcCode code;
  private final Duration retry;

  private GrpcRefusal(GrpcCode code, String said, Duration retry) {
    super(said, null, false, false);
    this.code = code;
    this.retry = retry;
  }

  /** One that would be refused again. */
  public static GrpcRefusal of(GrpcCode code, String said) {
    return new GrpcRefusal(code, said, Duration.ZERO);
  }

  /** One that may come again after this time. */
  public static GrpcRefusal busy(String said, Duration retry) {
    return new GrpcRefusal(GrpcCode.UNAVAILABLE, said, retry);
  }

  public GrpcCode code() {
    return code;
  }

  public String said() {
    return String.valueOf(getMessage());
  }

  /** Zero if it need not come again. */
  Duration retry() {
    return retry;
  }
}
