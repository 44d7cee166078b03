// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.agent.budget.SearchTerm;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class WhereQueryTest {
  private static final String TRACE = "0123456789abcdef0123456789ABCDEF";

  @Test
  void of_terms_areReadByTheirKeys() {
    WhereQuery query =
        WhereQuery.of(
            "message:Charge Actor:pekko://shop/user/a sender:b text:\"order 17\" trace:"
                + TRACE
                + " \"two words\" odd:word");
    assertThat(query)
        .isEqualTo(
            new WhereQuery(
                SearchTerm.all("Charge"),
                SearchTerm.all("pekko://shop/user/a"),
                SearchTerm.all("b"),
                SearchTerm.all("order 17"),
                SearchTerm.all("two words", "odd:word"),
                TRACE.toLowerCase(Locale.ROOT)));
  }

  @Test
  void of_traceIdAlone_isATrace() {
    WhereQuery query = WhereQuery.of(" " + TRACE + " ");
    assertThat(query.words()).isEmpty();
    assertThat(query.isOfTrace(0x0123456789abcdefL, 0x0123456789abcdefL)).isTrue();
    assertThat(query.isOfTrace(0x0123456789abcdefL, 1)).isFalse();
  }

  @Test
  void of_whatCannotBeLookedFor_saysWhatToWrite() {
    assertThatThrownBy(() -> WhereQuery.of(" ")).hasMessageContaining("message:CLASS");
    assertThatThrownBy(() -> WhereQuery.of("text:\"\"")).hasMessageContaining("message:CLASS");
    assertThatThrownBy(() -> WhereQuery.of("trace:12")).hasMessageContaining("32 hexadecimal");
    assertThatThrownBy(() -> WhereQuery.of("a b c d e f g h i")).hasMessageContaining("at most 8");
  }

  @Test
  void terms_anyCase_allHaveToHold() {
    WhereQuery query = WhereQuery.of("message:orders.place message:SHOP actor:cart");
    assertThat(query.isMessage("shop.Orders$Place")).isTrue();
    assertThat(query.isMessage("other.Orders$Place")).isFalse();
    assertThat(query.isActor("pekko://shop/user/Cart-17", "")).isTrue();
    assertThat(query.isActor("", "shop.Cart")).isTrue();
    assertThat(query.isActor("pekko://shop/user/a", "shop.A")).isFalse();
  }

  @Test
  void words_areInNamesOrInTheContent() {
    WhereQuery query = WhereQuery.of("cart 4711 text:euro");
    assertThat(query.says(() -> "4711, 3 Euro", "shop.Cart")).isTrue();
    assertThat(query.says(() -> "3 Euro", "shop.Cart")).isFalse();
    assertThat(query.says(() -> null, "shop.Cart", "4711", "euro")).isFalse();
    assertThat(WhereQuery.of("cart").says(() -> null, "shop.Cart")).isTrue();
  }
}
