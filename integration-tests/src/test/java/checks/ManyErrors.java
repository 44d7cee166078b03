// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** A class of actors that fails with more classes of exceptions than are told apart; and fewer. */
final class ManyErrors implements Scenario {
  private static final int MANY = 200;
  private static final int FEW = 60;

  @Override
  public String rule() {
    return "telemetry-costs";
  }

  /** The finding is about the process, and names what is folded. */
  @Override
  public String sign() {
    return "of exceptions";
  }

  static class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** One of a class of its own. */
    static RuntimeException another() {
      try (InputStream own = Broken.class.getResourceAsStream("ManyErrors$Broken.class")) {
        return (RuntimeException)
            MethodHandles.lookup()
                .defineHiddenClass(own.readAllBytes(), false)
                .lookupClass()
                .getDeclaredConstructor()
                .newInstance();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  abstract static class Failing extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              RuntimeException.class,
              failure -> {
                throw failure;
              })
          .build();
    }
  }

  static final class SickImport extends Failing {}

  static final class HealthyImport extends Failing {}

  @Override
  public void sick(ActorSystem system) {
    fail(system, Props.create(SickImport.class), "sick-import-", MANY);
  }

  @Override
  public void healthy(ActorSystem system) {
    fail(system, Props.create(HealthyImport.class), "healthy-import-", FEW);
  }

  /** Each of these actors fails once, and is restarted once. */
  private static void fail(ActorSystem system, Props props, String name, int times) {
    for (int i = 0; i < times; i++) {
      system.actorOf(props, name + i).tell(Broken.another(), ActorRef.noSender());
    }
  }
}
