// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.OptionalLong;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** Says what an article costs; ten pieces and more are ten per cent cheaper. */
final class Pricing extends AbstractBehavior<Pricing.PriceRequest> {
  private static final int BULK_QUANTITY = 10;

  record PriceRequest(String sku, int quantity, ActorRef<Answer> replyTo)
      implements CborSerializable {}

  sealed interface Answer extends CborSerializable {}

  record Quote(String sku, long unitPriceCents) implements Answer {}

  record UnknownArticle(String sku) implements Answer {}

  private Pricing(ActorContext<PriceRequest> context) {
    super(context);
  }

  static Behavior<PriceRequest> create() {
    return Behaviors.setup(Pricing::new);
  }

  @Override
  public Receive<PriceRequest> createReceive() {
    return newReceiveBuilder().onMessage(PriceRequest.class, this::quote).build();
  }

  private Behavior<PriceRequest> quote(PriceRequest request) {
    OptionalLong price = Catalogue.priceCents(request.sku());
    request
        .replyTo()
        .tell(
            price.isPresent()
                ? new Quote(request.sku(), discounted(price.getAsLong(), request.quantity()))
                : new UnknownArticle(request.sku()));
    return this;
  }

  private static long discounted(long cents, int quantity) {
    return quantity < BULK_QUANTITY ? cents : cents - cents / 10;
  }
}
