// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.Serializable;

/** The messages of most scenarios. */
final class Messages {
  private Messages() {}

  /** The first message of a scenario, sent from outside any actor. */
  record Begin() implements Serializable {}

  record Ping() implements Serializable {}

  record Pong() implements Serializable {}

  record Work(int number) implements Serializable {}

  record Done(int number) implements Serializable {}

  /** Makes its receiver fail. */
  record Boom(String text) implements Serializable {}

  record Event(String text) implements Serializable {}

  record Tick() implements Serializable {}

  record Open() implements Serializable {}
}
