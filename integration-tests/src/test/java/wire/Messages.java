// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.io.Serializable;

/** What the rows send. */
final class Messages {
  private Messages() {}

  /** The first message of a row, sent from outside any actor. */
  record Begin() implements Serializable {}

  record Work(int number) implements Serializable {}

  record Done(int number) implements Serializable {}

  /** Wants the baggage that its receiver has. */
  record WhatBaggage() implements Serializable {}

  record Baggages(String entry) implements Serializable {}

  @SuppressWarnings("ArrayRecordComponent") // bytes are what it is about
  record Large(byte[] bytes) implements Serializable {}
}
