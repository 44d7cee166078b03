// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import javax.net.ssl.SSLContext;

/** How connections are encrypted from now on. Safe for any thread. */
public interface Certificates {
  SSLContext context();

  /** Looks whether there are new ones. May wait for a disk. Throws nothing. */
  void refresh();
}
