// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Samples by where they were: a tree of frames, each with the samples in it and below it. Node 0 is
 * the root, and no node comes before its parent. One thread's.
 */
public final class FlameTree {
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> frames = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private long leftOut;

  FlameTree() {
    nodes.add(new Node(-1, -1));
  }

  void add(List<String> stack, long samples) {
    int at = 0;
    nodes.get(0).total += samples;
    for (String frame : stack) {
      int number = numbers.computeIfAbsent(frame, any -> frames.size());
      if (number == frames.size()) {
        frames.add(frame);
      }
      Integer next = nodes.get(at).children.get(number);
      if (next == null) {
        next = nodes.size();
        nodes.get(at).children.put(number, next);
        nodes.add(new Node(at, number));
      }
      at = next;
      nodes.get(at).total += samples;
    }
    nodes.get(at).self += samples;
  }

  /** The part of this tree with the most samples: at most so many nodes. */
  FlameTree cut(int most) {
    if (nodes.size() <= most) {
      return this;
    }
    // The order is stable, and no child has more samples than its parent or comes before it.
    int[] kept =
        IntStream.range(0, nodes.size())
            .boxed()
            .sorted(Comparator.comparingLong((Integer i) -> -nodes.get(i).total))
            .limit(most)
            .mapToInt(i -> i)
            .sorted()
            .toArray();
    FlameTree part = new FlameTree();
    Map<Integer, Integer> moved = new HashMap<>();
    moved.put(0, 0);
    part.nodes.get(0).total = nodes.get(0).total;
    part.nodes.get(0).self = nodes.get(0).self;
    for (int i : kept) {
      Node node = nodes.get(i);
      Integer parent = moved.get(node.parent);
      if (i == 0 || parent == null) {
        continue;
      }
      String frame = frames.get(node.frame);
      int number = part.numbers.computeIfAbsent(frame, any -> part.frames.size());
      if (number == part.frames.size()) {
        part.frames.add(frame);
      }
      Node copy = new Node(parent, number);
      copy.total = node.total;
      copy.self = node.self;
      moved.put(i, part.nodes.size());
      part.nodes.add(copy);
    }
    part.leftOut = (long) nodes.size() - part.nodes.size();
    return part;
  }

  /** The names of all frames. */
  public List<String> frames() {
    return frames;
  }

  public int size() {
    return nodes.size();
  }

  /** The parent of a node; -1 for the root. */
  public int parent(int node) {
    return nodes.get(node).parent;
  }

  /** The number of a node's frame; -1 for the root. */
  public int frame(int node) {
    return nodes.get(node).frame;
  }

  /** Samples in a node and below. */
  public long total(int node) {
    return nodes.get(node).total;
  }

  /** Samples in a node itself. */
  public long self(int node) {
    return nodes.get(node).self;
  }

  /** How many nodes were cut off. */
  public long leftOut() {
    return leftOut;
  }

  /** The frames of a node, the outermost first. */
  public List<Integer> stack(int node) {
    List<Integer> stack = new ArrayList<>();
    for (int at = node; at > 0; at = parent(at)) {
      stack.add(0, frame(at));
    }
    return stack;
  }

  private static final class Node {
    final int parent;
    final int frame;
    final Map<Integer, Integer> children = new HashMap<>(4);
    long total;
    long self;

    Node(int parent, int frame) {
      this.parent = parent;
      this.frame = frame;
    }
  }
}
