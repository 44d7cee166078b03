// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

/** One kind of work, done again and again on a thread of its own. */
interface Load {
  String name();

  long everyNanos();

  /** Returns how many things it has done. */
  int once() throws Exception;
}
