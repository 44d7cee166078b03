// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the shop; it runs until the process is asked to end. */
public final class Main {
  private static final Logger log = LoggerFactory.getLogger(Main.class);

  private Main() {}

  public static void main(String[] args) {
    Config config = ConfigFactory.load();
    ShopSettings settings;
    try {
      settings = ShopSettings.of(config);
    } catch (ConfigException e) {
      log.error("wrong setting: {}", e.getMessage());
      System.exit(1);
      return;
    }
    ActorSystem.create(Shop.create(settings), "shop", config);
  }
}
