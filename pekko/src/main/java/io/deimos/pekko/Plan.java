// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import io.deimos.pekko.feature.HookPoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan for one class. Immutable.
 *
 * @param toolkit the library that it belongs to
 * @param fields the interface of the fields that it gets; null for none
 * @param hooks what is woven into its methods, in this order
 */
record Plan(Toolkit toolkit, @Nullable Class<?> fields, List<HookPoint> hooks) {
  Plan {
    hooks = List.copyOf(hooks);
  }

  /** All that the woven class depends on, beside the class as it was and the advice. */
  String text() {
    StringBuilder text = new StringBuilder(toolkit.label());
    if (fields != null) {
      text.append('+').append(fields.getName());
    }
    for (HookPoint hook : hooks) {
      text.append('\n').append(hook.name());
      text.append('|').append(hook.type()).append('.').append(hook.method()).append('(');
      for (String parameter : hook.parameters()) {
        text.append(parameter).append(',');
      }
      text.append('|').append(hook.advice());
    }
    return text.toString();
  }
}
