// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.util.Map;

/**
 * A protocol that a connection speaks after HTTP, once its client has proven who it is. Until then
 * nothing is spent on it but a place: no thread, and no more room than the proof takes.
 */
public interface Upgrade {
  /** Headers of the answer. */
  Map<String, String> says();

  /** How long the proof is. */
  int proofBytes();

  boolean isProof(byte[] said);

  /** Takes the connection of who has proven it. */
  void take(Wire wire);
}
