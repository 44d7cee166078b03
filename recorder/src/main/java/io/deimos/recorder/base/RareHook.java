// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

/**
 * Hooks on what happens now and then to parts of Pekko other than actors and messages, by which the
 * self-test asks whether each has fired. Safe for any thread.
 */
@SuppressWarnings("ImmutableEnumChecker") // a hook is its name and whether it was seen
public enum RareHook {
  BREAKER_MADE,
  BREAKER_NAMED,
  BREAKER_STATE,
  BREAKER_SUCCESS,
  BREAKER_FAILURE,
  BREAKER_TIMEOUT,
  BREAKER_REJECTED,
  DOWNING,
  HAND_OFF_BEGUN,
  HAND_OFF,
  ENTITY_MADE,
  ENTITY_ASKED,
  WRAPPED,
  DELIVERED,
  UNCONFIRMED,
  OPERATION_BEGUN,
  READ,
  WRITE,
  TYPED_STASH,
  TYPED_POOL,
  TYPED_GROUP,
  STREAM_RAN;

  private volatile boolean fired;

  public void fires() {
    if (!fired) {
      fired = true;
    }
  }

  public boolean hasFired() {
    return fired;
  }
}
