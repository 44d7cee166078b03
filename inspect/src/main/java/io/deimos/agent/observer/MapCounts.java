// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.messages.KindNumbers;
import io.deimos.agent.messages.MessageRecord;
import io.deimos.agent.messages.Origin;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts messages by who told whom, for one answer. At most {@value #MAX_EDGES} edges are told
 * apart, and {@value #MAX_ACTORS} actors of each class that is opened.
 */
final class MapCounts {
  static final int MAX_ACTORS = 50;
  private static final int MAX_EDGES = 4096;

  private final Set<String> open;
  private final KindNumbers kinds;
  private final Map<Origin, MapNode> origins = new EnumMap<>(Origin.class);
  private final Map<String, MapNode> types = new HashMap<>();
  private final Map<Integer, MapNode> actors = new HashMap<>();
  private final Map<String, Integer> opened = new HashMap<>();
  private final Map<Pair, MapEdge> edges = new HashMap<>();
  private long messages;
  private long notKept;

  MapCounts(Set<String> open, KindNumbers kinds) {
    this.open = open;
    this.kinds = kinds;
  }

  /**
   * Counts a message; the newest first.
   *
   * @param parent the message during whose processing it was sent, if that has to stand for its
   *     sender
   */
  void add(MessageRecord record, @Nullable MessageRecord parent) {
    messages++;
    MapNode to = node(record.receiverKind(), record.receiver());
    if (to == null) {
      notKept++;
      return;
    }
    MapNode from = from(record, parent);
    Pair pair = new Pair(from, to);
    MapEdge edge = edges.get(pair);
    if (edge == null) {
      if (edges.size() >= MAX_EDGES) {
        notKept++;
        return;
      }
      edge = new MapEdge(from, to);
      edges.put(pair, edge);
    }
    edge.add(record);
    to.receives(record);
  }

  private MapNode from(MessageRecord record, @Nullable MessageRecord parent) {
    Origin origin = record.origin();
    boolean byActor = origin == Origin.TOLD || origin == Origin.ASK;
    MapNode sender = byActor ? node(record.senderKind(), record.sender()) : null;
    if (sender == null && parent != null) {
      sender = node(parent.receiverKind(), parent.receiver());
    }
    if (sender != null) {
      return sender;
    }
    return origins.computeIfAbsent(origin == Origin.TOLD ? Origin.OUTSIDE : origin, MapNode::of);
  }

  private @Nullable MapNode node(int kindNumber, int actorNumber) {
    ActorKind kind = kinds.byNumber(kindNumber);
    if (kind == null) {
      return null;
    }
    String name = MapNode.name(kind);
    return open.contains(name)
        ? one(kind, name, actorNumber)
        : types.computeIfAbsent(name, n -> MapNode.of(kind));
  }

  private MapNode one(ActorKind kind, String name, int number) {
    MapNode known = actors.get(number);
    if (known != null) {
      return known;
    }
    ActorTelemetry actor = Actors.byId(number);
    boolean lives = actor != null && MapNode.name(actor.kind()).equals(name);
    if (actor == null || !lives || opened.getOrDefault(name, 0) >= MAX_ACTORS) {
      return types.computeIfAbsent(name, n -> MapNode.othersOf(kind));
    }
    opened.merge(name, 1, Integer::sum);
    MapNode node = MapNode.of(actor);
    actors.put(number, node);
    return node;
  }

  MessageMap read(MapQuery query, long sinceEpochNanos, double seconds) {
    for (ActorKind kind : ActorKinds.all()) {
      MapNode node = types.get(MapNode.name(kind));
      if (node != null) {
        node.lives(kind.live());
      }
    }
    List<MapEdge> wanted = new ArrayList<>();
    for (MapEdge edge : edges.values()) {
      if (edge.matches(query.words())) {
        wanted.add(edge);
      }
    }
    wanted.sort(MapEdge.HOTTEST_FIRST);
    List<MapEdge> shown = wanted.subList(0, Math.min(query.limit(), wanted.size()));
    Set<MapNode> nodes = new LinkedHashSet<>();
    long leftOut = notKept;
    for (MapEdge edge : shown) {
      nodes.add(edge.from);
      nodes.add(edge.to);
    }
    for (MapEdge edge : wanted.subList(shown.size(), wanted.size())) {
      leftOut += edge.all.messages;
    }
    return new MessageMap(
        sinceEpochNanos,
        seconds,
        messages,
        nodes.stream().map(MapNode::read).toList(),
        shown.stream().map(MapEdge::read).toList(),
        wanted.size() - shown.size(),
        leftOut);
  }

  private record Pair(MapNode from, MapNode to) {}
}
