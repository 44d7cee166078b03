// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;

/** Configurations for tests. */
final class TestSystem {
  /** The application's own, but with a free port and without load. */
  static final Config APPLICATION = ConfigFactory.load("application-test");

  /** The same without a cluster, for tests of single actors. */
  static final Config LOCAL =
      ConfigFactory.parseString("pekko.actor.provider = local").withFallback(APPLICATION);

  private TestSystem() {}
}
