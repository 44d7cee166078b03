// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import java.io.IOException;

/** Where a connection is between its first byte and its end. On the loop's thread. */
interface Phase {
  /** The client has sent something, or reads. */
  void ready() throws IOException;

  /** The time is up. */
  void overdue();

  /** Whether it is the client's turn to send or to read. */
  boolean isClientsTurn();

  /** Gives back all that is kept for it. Called once or more often. */
  void end();

  /** That of a connection that is closed, or somebody else's. */
  Phase OVER =
      new Phase() {
        @Override
        public void ready() {}

        @Override
        public void overdue() {}

        @Override
        public boolean isClientsTurn() {
          return false;
        }

        @Override
        public void end() {}
      };
}
