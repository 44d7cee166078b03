// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;

/**
 * The messages so far, in order. Others read it while more comes: they see at least what was there
 * when they began. To add costs the same however much there is, unlike in a list that is copied on
 * each write.
 */
final class Kept<T> extends AbstractList<T> implements RandomAccess {
  private final List<T> all = new ArrayList<>();

  @Override
  public synchronized boolean add(T one) {
    return all.add(one);
  }

  @Override
  public synchronized T get(int index) {
    return all.get(index);
  }

  @Override
  public synchronized int size() {
    return all.size();
  }

  @Override
  public synchronized void clear() {
    all.clear();
  }
}
