// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShopSettingsTest {
  private static final Config DEFAULTS = ConfigFactory.parseResources("application.conf").resolve();

  @Test
  void of_defaults_areAsDocumented() {
    ShopSettings settings = ShopSettings.of(DEFAULTS);

    assertThat(settings.http()).isEqualTo(new ShopSettings.Http("127.0.0.1", 8080, seconds(3)));
    assertThat(settings.cart()).isEqualTo(new ShopSettings.Cart(seconds(6), seconds(1)));
    assertThat(settings.load()).isEqualTo(new ShopSettings.Load(true, 30, 850));
  }

  @Test
  void of_shareAboveOne_namesKeyValueAndRange() {
    Config wrong = with("shop.payment.failure-share = 1.5");

    assertThatThrownBy(() -> ShopSettings.of(wrong))
        .isInstanceOf(ConfigException.BadValue.class)
        .hasMessageContaining("shop.payment.failure-share")
        .hasMessageContaining("1.5 is not in the range 0 to 1");
  }

  @Test
  void of_negativeRate_namesKeyValueAndRange() {
    Config wrong = with("shop.load.orders-per-second = -1");

    assertThatThrownBy(() -> ShopSettings.of(wrong))
        .hasMessageContaining("shop.load.orders-per-second")
        .hasMessageContaining("-1 is not in the range 0 to 100000");
  }

  @Test
  void of_portTooLarge_namesKeyValueAndRange() {
    Config wrong = with("shop.http.port = 70000");

    assertThatThrownBy(() -> ShopSettings.of(wrong))
        .hasMessageContaining("shop.http.port")
        .hasMessageContaining("70000 is not in the range 0 to 65535");
  }

  private static Config with(String line) {
    return ConfigFactory.parseString(line).withFallback(DEFAULTS);
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
