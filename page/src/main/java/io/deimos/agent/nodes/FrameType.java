// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

/** The type of a frame of a link. The order is the protocol: new ones come last. */
enum FrameType {
  /** From who joins, first: the proof. */
  HELLO,
  /** From who serves, after it: its id, the page's token, and by what traces are chosen. */
  WELCOME,
  /**
   * From who joins, again and again: its {@link ProcessStatus}. From who serves: a stamp of its
   * clock. Both sides: I am still here.
   */
  CARD,
  /** From who joins: spans of traces that it keeps, as a request of OTLP. */
  SPANS,
  /** From who serves: ids of traces that it keeps, whose other parts it would like. */
  WANTED,
  /** From who serves: a request that the joined process is to answer. */
  ASK,
  /** From who joins: the answer. */
  ANSWER,
  /** From who joins: what has gone wrong in it, whenever that has changed. */
  TROUBLE,
  /** From who joins: an answer that nobody has asked for, to be kept for when it is gone. */
  LAST,
  /** From who serves: how many bytes more of a kind of frame may be sent. */
  CREDIT,
  /** From who joins: what it says of its clusters, its ways to other nodes and its settings. */
  CLUSTER,
  /**
   * From who joins, at each stamp that came with a {@link #CARD}: that stamp and two of its own.
   */
  CLOCK;

  static final FrameType[] ALL = values();
}
