// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import java.io.IOException;
import java.io.InputStream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** Class loaders with an actor and a message class of their own, as reloads make them. */
final class Loaders implements Load {
  private final ActorSystem system;

  Loaders(ActorSystem system) {
    this.system = system;
  }

  @Override
  public String name() {
    return "loaders";
  }

  @Override
  public long everyNanos() {
    return 500_000_000;
  }

  @Override
  public int once() throws Exception {
    Class<?> type = new Own().loadClass("endurance.Reloaded");
    Object message = type.getMethod("message").invoke(null);
    Props props = (Props) type.getMethod("props").invoke(null);
    system.actorOf(props).tell(message, ActorRef.noSender());
    return 1;
  }

  /** Defines {@link Reloaded} and what is in it anew. */
  private static final class Own extends ClassLoader {
    Own() {
      super(Loaders.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("endurance.Reloaded")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? define(name) : known;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
