// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package orders;

import org.apache.pekko.actor.typed.ActorSystem;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** Starts Spring, and in it an actor system whose guardian keeps the orders. */
@SpringBootApplication
public class OrdersApplication {
  /** Starts the application. */
  public static void main(String[] args) {
    SpringApplication.run(OrdersApplication.class, args);
  }

  @Bean(destroyMethod = "terminate")
  ActorSystem<OrderBook.Place> book(JdbcTemplate database) {
    return ActorSystem.create(OrderBook.create(database), "orders");
  }
}
