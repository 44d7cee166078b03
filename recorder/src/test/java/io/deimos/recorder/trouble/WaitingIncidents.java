// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

/** Stands in for the thread that tells of incidents, in tests of other rooms. */
public final class WaitingIncidents {
  private WaitingIncidents() {}

  /** Tells of all that wait. */
  public static void tell() {
    Incidents.tellWaiting();
  }
}
