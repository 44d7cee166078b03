// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** The MDC that events of typed actors carry: of the event, and of the thread that logs. */
final class MdcLogs {
  private static final String LOGGER = "scenarios.mdc";

  private MdcLogs() {}

  static void addTo(Scenes all) {
    all.add("mdc", MdcLogs::run);
  }

  /** An actor of the application and one of the system, each with an MDC of its own. */
  private static void run(Stage stage) throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger(LOGGER);
    Printer printer = new Printer();
    printer.setContext(log.getLoggerContext());
    printer.start();
    log.addAppender(printer);
    log.setAdditive(false);
    ActorRef<Integer> user = stage.typed(logging(stage), "user");
    stage.await(1);
    ActorRef<Integer> system =
        Adapter.toTyped(stage.system())
            .systemActorOf(logging(stage), "scenario-mdc", Props.empty());
    stage.await(1);
    for (int i = 1; i <= 3; i++) {
      user.tell(i);
      stage.await(1);
      system.tell(i);
      stage.await(1);
    }
    log.info("outside");
    log.detachAppender(printer);
  }

  private static Behavior<Integer> logging(Stage stage) {
    return Behaviors.withMdc(
        Integer.class,
        Map.of("customer", "c-7"),
        message -> Map.of("order", "o-" + message),
        Behaviors.setup(
            context -> {
              context.setLoggerName(LOGGER);
              context.getLog().info("starts");
              stage.count();
              return Behaviors.receiveMessage(
                  message -> {
                    context.getLog().info("got {}", message);
                    stage.count();
                    return Behaviors.same();
                  });
            }));
  }

  private static final class Printer extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      print(event, "event", event.getMDCPropertyMap());
      print(event, "thread", MDC.getCopyOfContextMap());
    }

    private static void print(ILoggingEvent event, String of, Map<String, String> values) {
      Map<String, String> sorted = new TreeMap<>(values == null ? Map.of() : values);
      sorted.remove("sourceThread"); // differs from run to run
      System.out.println("@mdc " + event.getFormattedMessage() + " " + of + " " + sorted);
    }
  }
}
