// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

/** The hooks of streams, by which the self-test asks whether each has fired. */
public enum StreamHook {
  SUSPEND(0),
  RESUME(1),
  CURRENT(2),
  RESUME_GIVEN(3),
  LOGIC(4),
  PUSHING(5),
  PUSH(6),
  PULLING(7),
  PULL(8),
  BOUNDARY_IN(9),
  BOUNDARY_OUT(10),
  BUFFER_IN(11),
  BUFFER_OUT(12),
  SINK_IN(13),
  SINK_OUT(14),
  SOURCE(15),
  QUEUE_IN(16),
  QUEUE_OUT(17),
  CALLBACK_IN(18),
  CALLBACK_OUT(19);

  public static final int COUNT = 20;

  public final int index;

  StreamHook(int index) {
    this.index = index;
  }
}
