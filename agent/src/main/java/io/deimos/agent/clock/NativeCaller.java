// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.clock;

import java.lang.invoke.MethodHandles;

/** The one class of {@link NativeModule}'s module, loaded there a second time. */
public final class NativeCaller {
  private NativeCaller() {}

  /** Looks up in the name of the module that this class is loaded in. */
  public static MethodHandles.Lookup lookup() {
    return MethodHandles.lookup();
  }
}
