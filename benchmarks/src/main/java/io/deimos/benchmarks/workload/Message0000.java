// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

/** The template of the message classes that {@link MessageClasses} makes. */
public final class Message0000 {
  public Message0000() {}
}
