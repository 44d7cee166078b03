// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

package io.deimos.benchmarks.pingpong;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;

/** The transports that are compared, by the names of the result. */
enum Transport {
  ARTERY_TCP("artery-tcp", "transport = tcp"),
  DEIMOS("deimos", "transport = tcp"),
  DEIMOS_MOVER("deimos-mover", "transport = tcp"),

  /** Each message flushed by itself, as in the article's table without batching. */
  DEIMOS_UNBATCHED("deimos-unbatched", "transport = tcp"),
  ARTERY_TLS("artery-tls", "transport = tls-tcp"),
  DEIMOS_TLS("deimos-tls", "transport = tls-tcp"),
  ARTERY_AERON("artery-aeron", "transport = aeron-udp"),
  CLASSIC("classic", "enabled = off"),

  /** None at all: two threads on each side and sockets between them, for the case idle alone. */
  FLOOR("floor", "enabled = off");

  final String label;
  private final String artery;

  Transport(String label, String artery) {
    this.label = label;
    this.artery = artery;
  }

  static Transport of(String label) {
    for (Transport transport : values()) {
      if (transport.label.equals(label)) {
        return transport;
      }
    }
    throw new IllegalArgumentException("transport " + label + " is not known");
  }

  boolean isOurs() {
    return label.startsWith("deimos");
  }

  private static final int LARGE_BYTES = 100_000;
  private static final String LARGE =
      """
      pekko.remote.artery {
        large-message-destinations = ["/user/*"]
        advanced { maximum-large-frame-size = 4 MiB, outbound-large-message-queue-size = 1024 }
      }
      """;

  /** One side's settings: local, quiet, on a free port; queues large enough for the window. */
  Config config(int queue, boolean tables, int payloadBytes) {
    String interval = tables ? "2 s" : "1 h";
    return ConfigFactory.defaultOverrides()
        .withFallback(
            ConfigFactory.parseString(
                """
                pekko {
                  loglevel = ERROR
                  stdout-loglevel = ERROR
                  log-dead-letters = off
                  log-dead-letters-during-shutdown = off
                  actor.provider = remote
                  coordinated-shutdown.run-by-jvm-shutdown-hook = off
                  remote {
                    warn-about-direct-use = off
                    use-unsafe-remote-features-outside-cluster = on
                    artery {
                      %s
                      canonical { hostname = "127.0.0.1", port = 0 }
                      advanced {
                        outbound-message-queue-size = %d
                        compression.actor-refs.advertisement-interval = %s
                        compression.manifests.advertisement-interval = %s
                      }
                    }
                    classic {
                      enabled-transports = ["pekko.remote.classic.netty.tcp"]
                      netty.tcp { hostname = "127.0.0.1", port = 0 }
                    }
                  }
                }
                deimos.remote {
                  enabled = %s
                  direct-lane { outbound = %s, inbound = %s }
                  batching.enabled = %s
                }
                """
                    .formatted(
                        artery,
                        queue,
                        interval,
                        interval,
                        isOurs() ? "on" : "off",
                        this == DEIMOS_MOVER ? "off" : "on",
                        this == DEIMOS_MOVER ? "off" : "on",
                        this == DEIMOS_UNBATCHED ? "off" : "on")))
        .withFallback(ConfigFactory.parseString(payloadBytes > LARGE_BYTES ? LARGE : ""))
        .withFallback(Tls.config(label.endsWith("-tls")))
        .withFallback(ConfigFactory.load());
  }
}
