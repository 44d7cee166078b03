// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.http.Request;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PagePlaceTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "::1"})
  void url_ofAnAddressOfThisMachine_isOneThatMayBeAsked(String listen) throws Exception {
    PagePlace place =
        new PagePlace(0, null, PagePlace.Alone.local(InetAddress.getByName(listen), 0));
    Callers callers = place.callers(List.of(9797));
    String called = place.url(9797).substring("http://".length());
    Request request =
        Request.parse("GET / HTTP/1.1\r\nHost: " + called + "\r\nOrigin: http://" + called);
    assertThat(callers.callThisMachine(request)).as(called).isTrue();
    assertThat(callers.areAnotherSite(request)).as(called).isFalse();
    for (String other : List.of("127.0.0.3:9797", "example.org:9797", called + "1")) {
      Request asked = Request.parse("GET / HTTP/1.1\r\nHost: " + other);
      assertThat(callers.callThisMachine(asked)).as(other).isFalse();
    }
  }
}
