// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stacks as paths in one tree: what two stacks have in common is there once, and a stack is the
 * number of its last node. Guarded by whoever owns it.
 *
 * <p><b>Full.</b> A stack ends at the last frame for which there is room, and is counted as cut.
 */
final class StackTable {
  /** The node that all stacks begin at. */
  static final int ROOT = 0;

  private static final int FIRST = 1024;

  /** A node, and its places in a table that is at most half full. */
  private static final int NODE_BYTES = 2 * Integer.BYTES + 2 * Integer.BYTES;

  /** A name's object, array, place in the map and in the list. */
  private static final int NAME_BYTES = 120;

  private final int mostNodes;
  private final long mostNameBytes;
  private final Map<String, Integer> byName = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private int[] parents = new int[FIRST];
  private int[] frames = new int[FIRST];
  private int[] table = new int[FIRST * 2];
  private int size = 1;
  private long nameBytes;
  private long cut;

  /**
   * An empty table.
   *
   * @param bytes what it may take: half for nodes, half for the names of frames
   */
  StackTable(long bytes) {
    mostNodes = (int) Long.highestOneBit(Math.max(FIRST, bytes / 2 / NODE_BYTES));
    mostNameBytes = bytes / 2;
  }

  /**
   * The number of a stack.
   *
   * @param stack frames, the outermost first
   */
  int add(List<String> stack) {
    int node = ROOT;
    for (String frame : stack) {
      int next = below(node, frame);
      if (next == node) {
        break;
      }
      node = next;
    }
    return node;
  }

  /** A stack with one frame more; the same if there is no room. */
  int below(int node, String frame) {
    int name = name(frame);
    int next = name < 0 ? -1 : child(node, name);
    if (next < 0) {
      cut++;
      return node;
    }
    return next;
  }

  /** The innermost frame of a stack; empty for one without frames. */
  String last(int node) {
    return node == ROOT ? "" : names.get(frames[node]);
  }

  private int name(String frame) {
    Integer known = byName.get(frame);
    if (known != null) {
      return known;
    }
    long bytes = NAME_BYTES + 2L * frame.length();
    if (nameBytes + bytes > mostNameBytes) {
      return -1;
    }
    nameBytes += bytes;
    names.add(frame);
    byName.put(frame, names.size() - 1);
    return names.size() - 1;
  }

  private int child(int parent, int name) {
    int at = place(parent, name);
    if (table[at] != 0) {
      return table[at];
    }
    if (size == parents.length) {
      if (size == mostNodes) {
        return -1;
      }
      grow();
      at = place(parent, name);
    }
    parents[size] = parent;
    frames[size] = name;
    table[at] = size;
    return size++;
  }

  /** Where a node is, or would be. No node is 0 but the root, which is nobody's child. */
  private int place(int parent, int name) {
    int mask = table.length - 1;
    int hash = (parent * 0x9E3779B9 + name) * 0x85EBCA6B;
    int at = (hash ^ (hash >>> 15)) & mask;
    while (table[at] != 0 && (parents[table[at]] != parent || frames[table[at]] != name)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    parents = Arrays.copyOf(parents, size * 2);
    frames = Arrays.copyOf(frames, size * 2);
    table = new int[size * 4];
    for (int node = 1; node < size; node++) {
      table[place(parents[node], frames[node])] = node;
    }
  }

  /** The frames of a stack, the outermost first. */
  List<String> stack(int node) {
    List<String> stack = new ArrayList<>();
    for (int at = node; at != ROOT; at = parents[at]) {
      stack.add(names.get(frames[at]));
    }
    Collections.reverse(stack);
    return stack;
  }

  /** Whether hardly anything fits in any more. */
  boolean isFull() {
    return size >= mostNodes - mostNodes / 8 || nameBytes >= mostNameBytes - mostNameBytes / 8;
  }

  /** How many stacks had to end early. */
  long cut() {
    return cut;
  }

  long bytes() {
    return (long) parents.length * NODE_BYTES + nameBytes;
  }
}
