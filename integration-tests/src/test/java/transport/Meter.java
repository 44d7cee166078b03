// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.remote.artery.RemoteInstrument;

/** An instrument of the application's own: writes the length of each text beside it. */
public final class Meter extends RemoteInstrument {
  static final AtomicInteger RIGHT = new AtomicInteger();
  static final AtomicInteger WRONG = new AtomicInteger();

  @Override
  public byte identifier() {
    return 21;
  }

  @Override
  public boolean serializationTimingEnabled() {
    return false;
  }

  @Override
  public void remoteWriteMetadata(
      ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {
    if (message instanceof String text) {
      buffer.putInt(text.length());
    }
  }

  @Override
  public void remoteReadMetadata(
      ActorRef recipient, Object message, ActorRef sender, ByteBuffer buffer) {
    boolean right = message instanceof String text && buffer.getInt() == text.length();
    (right ? RIGHT : WRONG).incrementAndGet();
  }

  @Override
  public void remoteMessageSent(
      ActorRef recipient, Object message, ActorRef sender, int size, long time) {}

  @Override
  public void remoteMessageReceived(
      ActorRef recipient, Object message, ActorRef sender, int size, long time) {}
}
