// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package soak;

import io.opentelemetry.api.trace.Span;
import java.io.Serializable;
import org.apache.pekko.actor.NotInfluenceReceiveTimeout;

/** The messages between the nodes; each message says which node sent it. */
final class Messages {
  private static final String HERE = System.getProperty("soak.node", "?");

  private Messages() {}

  /** A message, and the node at which it was sent. */
  interface Sent extends Serializable {
    String from();

    /** Called by whoever processes it: its span then tells of the sender, too. */
    default void mark() {
      Span.current().setAttribute("sent.by", from());
    }
  }

  /** A message to the entity of that number. */
  interface ToEntity extends Sent {
    int entity();
  }

  record Buy(int number, String from) implements Sent {
    Buy(int number) {
      this(number, HERE);
    }
  }

  record Add(int entity, int number, String from) implements ToEntity {
    Add(int entity, int number) {
      this(entity, number, HERE);
    }
  }

  record Added(int number, String from) implements Sent {
    Added(int number) {
      this(number, HERE);
    }
  }

  record Reserve(int entity, int number, String from) implements ToEntity {
    Reserve(int entity, int number) {
      this(entity, number, HERE);
    }
  }

  record Reserved(int number, String from) implements Sent {
    Reserved(int number) {
      this(number, HERE);
    }
  }

  /** For the singleton. */
  record Book(int number, String from) implements Sent {
    Book(int number) {
      this(number, HERE);
    }
  }

  record Booked(int number, String from) implements Sent {
    Booked(int number) {
      this(number, HERE);
    }
  }

  /** Goes from entity to entity for ever. */
  record Rumour(int entity, String from) implements ToEntity {
    Rumour(int entity) {
      this(entity, HERE);
    }
  }

  /** Published to all nodes. */
  record News(String from) implements Sent {
    News() {
      this(HERE);
    }
  }

  /** A timer's, inside a node. */
  record Opened(String from) implements Sent {
    Opened() {
      this(HERE);
    }
  }

  /** A timer's that is armed again by each. */
  record Tend(String from) implements Sent, NotInfluenceReceiveTimeout {
    Tend() {
      this(HERE);
    }
  }
}
