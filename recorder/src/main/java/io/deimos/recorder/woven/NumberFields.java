// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.woven;

/**
 * A number woven into one of Pekko's classes: how often something happened to the object, or when
 * it began. Written by one thread at a time; others may see an older one.
 */
@SuppressWarnings("MemberName")
public interface NumberFields {
  long deimos$number();

  void deimos$number(long number);
}
