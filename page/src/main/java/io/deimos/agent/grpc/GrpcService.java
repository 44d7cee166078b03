// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.grpc;

/** The target of a call. */
public interface GrpcService {
  /** Begins a call whose message will follow. */
  GrpcCall begin(GrpcHead head) throws GrpcRefusal;

  /** How long a message may be as it comes. */
  int mostBytes();

  /** A call was refused, or a connection was ended that did what no client of OTLP does. */
  void refused(String why);
}
