// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.net;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.io.Dns;
import org.apache.pekko.io.DnsExt;
import org.apache.pekko.io.dns.DnsProtocol;
import org.apache.pekko.pattern.Patterns;
import scala.Option;

/** Looks hosts up as all of Pekko does, by the settings and with the cache of {@code io.dns}. */
public final class Names {
  private Names() {}

  /**
   * The address of a host; of one that is an address itself, or is known from before, at once.
   *
   * @param timeout how long it may take
   */
  public static CompletionStage<InetAddress> lookUp(
      ActorSystem system, String host, Duration timeout) {
    try {
      if (isAddress(host)) {
        return CompletableFuture.completedFuture(InetAddress.getByName(host));
      }
      DnsExt dns = Dns.get(system);
      DnsProtocol.Resolve request = DnsProtocol.resolve(host);
      Option<DnsProtocol.Resolved> known = dns.cache().cached(request);
      CompletionStage<Object> answer =
          known.isDefined()
              ? CompletableFuture.completedFuture(known.get())
              : Patterns.ask(dns.manager(), request, timeout);
      return answer.thenApply(found -> address((DnsProtocol.Resolved) found));
    } catch (UnknownHostException | RuntimeException e) { // the system may be going down
      return CompletableFuture.failedFuture(e);
    }
  }

  private static boolean isAddress(String host) {
    return NetUtil.isValidIpV4Address(host)
        || NetUtil.isValidIpV6Address(host)
        || host.startsWith("[");
  }

  private static InetAddress address(DnsProtocol.Resolved found) {
    try {
      return found.address();
    } catch (UnknownHostException e) {
      throw new CompletionException(e);
    }
  }
}
