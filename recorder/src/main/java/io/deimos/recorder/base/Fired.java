// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

/** Hooks that leave no trace the self-test could see but a count; all of them fire seldom. */
public enum Fired {
  MAILBOX_RUN(0),
  SYSTEM_MESSAGE(1),
  HIDE(2),
  SCHEDULE_ONCE(3),
  SCHEDULE_PERIODIC(4),
  UNSTASH(5),
  UNSTASH_NEXT(6),
  ASK(7),
  STASH(8),
  RECEIVE_TIMEOUT(9),
  ARRIVED(10),
  SENDING(11),
  RECEIVED(12),
  ROUTED(13),
  GIVEN_UP(14),
  LOGGED(15);

  public static final int COUNT = 16;

  public final int index;

  Fired(int index) {
    this.index = index;
  }
}
