// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.ConfigRenderOptions;

/** How configuration is written back as text. */
final class Rendering {
  /** HOCON in one line, without comments, for messages. */
  static final ConfigRenderOptions ONE_LINE = ConfigRenderOptions.concise().setJson(false);

  private Rendering() {}
}
