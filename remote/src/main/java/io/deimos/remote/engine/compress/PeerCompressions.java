// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.compress;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.remote.artery.ArterySettings;
import org.apache.pekko.remote.artery.ControlMessage;
import org.apache.pekko.remote.artery.InboundContext;
import org.apache.pekko.remote.artery.OutboundContext;
import org.apache.pekko.remote.artery.RemotingFlightRecorder;
import org.apache.pekko.remote.artery.compress.InboundCompressions;
import org.apache.pekko.remote.artery.compress.InboundCompressionsImpl;
import org.apache.pekko.remote.artery.compress.NoInboundCompressions$;
import org.jspecify.annotations.Nullable;

/**
 * Pekko's inbound compression tables of one peer. Messages that they want to send while they are
 * locked are kept and sent afterwards: sending may wait, for seconds if the peer is not to be
 * reached.
 *
 * <p><b>Threads.</b> Any.
 */
final class PeerCompressions {
  private final ReentrantLock lock = new ReentrantLock();
  private final InboundCompressions tables;
  private List<Runnable> toSend = new ArrayList<>();

  PeerCompressions(
      ExtendedActorSystem system,
      InboundContext context,
      ArterySettings.Compression settings,
      RemotingFlightRecorder recorder) {
    tables =
        settings.Enabled()
            ? new InboundCompressionsImpl(
                system, keeping(InboundContext.class, context, this::wrapped), settings, recorder)
            : NoInboundCompressions$.MODULE$;
  }

  /** The entries read from the tables. May wait for other threads. */
  <T> @Nullable T get(Function<InboundCompressions, @Nullable T> read) {
    lock.lock();
    try {
      return read.apply(tables);
    } finally {
      lock.unlock();
    }
  }

  /** May wait for other threads. */
  void use(Consumer<InboundCompressions> task) {
    lock.lock();
    try {
      task.accept(tables);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for nobody; if the tables are in use, nothing is done. */
  void tryUse(Consumer<InboundCompressions> task) {
    if (lock.tryLock()) {
      try {
        task.accept(tables);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Has the tables say what to send, and sends it when they are free again. */
  void useAndSend(Consumer<InboundCompressions> task) {
    List<Runnable> said;
    lock.lock();
    try {
      task.accept(tables);
    } finally {
      said = toSend;
      toSend = new ArrayList<>();
      lock.unlock();
    }
    said.forEach(Runnable::run);
  }

  /** The transport's answers, but associations that keep what is to be sent. */
  private @Nullable Object wrapped(
      Method method, Object @Nullable [] arguments, @Nullable Object answer) {
    return answer instanceof OutboundContext association && method.getName().equals("association")
        ? keeping(OutboundContext.class, association, (called, given, nothing) -> nothing)
        : answer;
  }

  /**
   * An object that does what another one does, but keeps control messages for later. Made by
   * reflection, as these interfaces have other methods in other versions of Pekko; used once an
   * interval.
   */
  private <T> T keeping(Class<T> type, T real, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            PeerCompressions.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("sendControl")
                  && arguments.length == 1
                  && arguments[0] instanceof ControlMessage message
                  && real instanceof OutboundContext association) {
                toSend.add(() -> association.sendControl(message));
                return null;
              }
              try {
                return answer.of(method, arguments, method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** The use of a method's answer. */
  private interface Answer {
    @Nullable Object of(Method method, Object @Nullable [] arguments, @Nullable Object answer);
  }
}
