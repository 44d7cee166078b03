// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package orders;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Asks the order book, and answers with what it says. */
@RestController
class OrdersController {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ActorSystem<OrderBook.Place> book;

  OrdersController(ActorSystem<OrderBook.Place> book) {
    this.book = book;
  }

  @PostMapping("/orders/{id}")
  CompletionStage<String> place(@PathVariable("id") int id) {
    return AskPattern.<OrderBook.Place, OrderBook.Placed>ask(
            book, replyTo -> new OrderBook.Place(id, replyTo), PATIENCE, book.scheduler())
        .thenApply(placed -> "placed " + placed.id());
  }
}
