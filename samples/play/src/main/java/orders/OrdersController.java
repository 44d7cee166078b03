// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package orders;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.pattern.Patterns;
import play.mvc.Controller;
import play.mvc.Result;

/** Asks the order book, and answers with what it says. */
final class OrdersController extends Controller {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ActorRef book;

  OrdersController(ActorRef book) {
    this.book = book;
  }

  CompletionStage<Result> place(int id) {
    return Patterns.ask(book, new OrderBook.Place(id), PATIENCE)
        .thenApply(placed -> ok(placed.toString()));
  }
}
