// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.messages.MessageLog;
import io.deimos.agent.messages.MessageRecord;
import io.deimos.agent.messages.Processing;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.clock.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages that one actor received of late and those that it sent, as far as the log goes back.
 *
 * @param received the last messages, newest first
 * @param senders who wrote to it most; a number of 0 stands for what is no actor here
 * @param receivers whom it wrote to most
 * @param looked how many records of all actors were looked at
 * @param sinceEpochNanos when processing of the oldest of them began; 0 if there are none
 */
public record Correspondence(
    List<Received> received,
    List<Peer> senders,
    List<Peer> receivers,
    long looked,
    long sinceEpochNanos) {
  private static final int MESSAGES = 50;
  private static final int PEERS = 20;

  /** Beyond so many different ones, others are not told apart. */
  private static final int MAX_PEERS = 1000;

  static Correspondence of(int id, MessageLog log, Scan scan) {
    List<Received> received = new ArrayList<>();
    Map<Integer, long[]> senders = new HashMap<>();
    Map<Integer, long[]> receivers = new HashMap<>();
    MessageRecord record = new MessageRecord();
    long end = log.written();
    long oldest = 0;
    long number = end - 1;
    for (;
        number >= 0 && scan.goesOn(LogSearch.CHARACTERS_OF_A_RECORD) && log.copy(number, record);
        number--) {
      int to = record.receiver();
      int from = record.sender();
      oldest = record.start();
      if (to == id) {
        count(senders, from, record);
        if (received.size() < MESSAGES) {
          received.add(Received.of(record));
        }
      }
      if (from == id) {
        count(receivers, to, record);
      }
    }
    return new Correspondence(
        received,
        most(senders),
        most(receivers),
        end - 1 - number,
        oldest == 0 ? 0 : Clock.epochNanos(oldest));
  }

  private static void count(Map<Integer, long[]> peers, int peer, MessageRecord record) {
    if (peers.size() >= MAX_PEERS && !peers.containsKey(peer)) {
      return;
    }
    long[] counts = peers.computeIfAbsent(peer, p -> new long[2]);
    counts[0]++;
    counts[1] += record.hasFailed() ? 1 : 0;
  }

  private static List<Peer> most(Map<Integer, long[]> peers) {
    return peers.entrySet().stream()
        .map(peer -> new Peer(peer.getKey(), peer.getValue()[0], peer.getValue()[1]))
        .sorted(Comparator.comparingLong(Peer::messages).reversed())
        .limit(PEERS)
        .toList();
  }

  /** One message, by its class and the number of its sender. */
  public record Received(Processing processing, MessageClass message, int sender) {
    static Received of(MessageRecord record) {
      return new Received(
          Processing.of(record), MessageClasses.byId(record.messageClass()), record.sender());
    }
  }

  /** Another actor, how many messages went between the two, and how many of them failed. */
  public record Peer(int actor, long messages, long failures) {}
}
