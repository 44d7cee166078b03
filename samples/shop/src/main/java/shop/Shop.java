// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.SelfUp;
import org.apache.pekko.cluster.typed.Subscribe;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.pattern.Patterns;

/**
 * The guardian: starts everything, in order. The node joins the configured seed nodes, or else itself; once it is up, the actors and
 * the HTTP front start; once that is bound, the load.
 */
final class Shop {
  private static final Duration HTTP_GRACE = Duration.ofSeconds(2);
  private static final int STASH_CAPACITY = 16;
  private static final RandomGenerator RANDOM = () -> ThreadLocalRandom.current().nextLong();

  sealed interface Command {}

  /** Answered with the address of the HTTP front, as soon as it has one. */
  record GetAddress(ActorRef<InetSocketAddress> replyTo) implements Command {}

  private record NodeUp(SelfUp event) implements Command {}

  private record Bound(ServerBinding binding) implements Command {}

  private record NotBound(Throwable cause) implements Command {}

  /** Why the shop closes at once; {@code application.conf} gives it an exit code of its own. */
  private enum CannotBind implements CoordinatedShutdown.Reason {
    INSTANCE
  }

  private final ActorContext<Command> context;
  private final ActorSystem<Void> system;
  private final StashBuffer<Command> stash;
  private final ShopSettings settings;

  private Shop(ActorContext<Command> context, StashBuffer<Command> stash, ShopSettings settings) {
    this.context = context;
    this.system = context.getSystem();
    this.stash = stash;
    this.settings = settings;
  }

  static Behavior<Command> create(ShopSettings settings) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName(Shop.class);
          return Behaviors.withStash(
              STASH_CAPACITY, stash -> new Shop(context, stash, settings).join());
        });
  }

  private Behavior<Command> join() {
    Cluster cluster = Cluster.get(system);
    cluster
        .subscriptions()
        .tell(Subscribe.create(context.messageAdapter(SelfUp.class, NodeUp::new), SelfUp.class));
    if (system.settings().config().getStringList("pekko.cluster.seed-nodes").isEmpty()) {
      cluster.manager().tell(Join.create(cluster.selfMember().address()));
    }
    return Behaviors.receive(Command.class)
        .onMessage(NodeUp.class, up -> open())
        .onAnyMessage(this::stash)
        .build();
  }

  private Behavior<Command> open() {
    ActorRef<Inventory.Command> inventory =
        context.spawn(Inventory.pool(settings.inventory()), "inventory");
    ClusterSharding sharding = startCarts(inventory);
    context.spawn(Statistics.create(settings.orders().statisticsInterval()), "statistics");
    org.apache.pekko.actor.ActorRef recentOrders =
        Adapter.actorOf(
            context, RecentOrders.props(settings.orders().remembered()), "recent-orders");
    bind(new ShopRoutes(sharding, recentOrders, settings.http().askTimeout()));
    return Behaviors.receive(Command.class)
        .onMessage(Bound.class, bound -> serve(bound.binding(), inventory))
        .onMessage(NotBound.class, notBound -> giveUp(notBound.cause()))
        .onAnyMessage(this::stash)
        .build();
  }

  private ClusterSharding startCarts(ActorRef<Inventory.Command> inventory) {
    CardNetwork network = new SimulatedCardNetwork(RANDOM, settings.payment());
    ShoppingCart.Partners partners =
        new ShoppingCart.Partners(
            context.spawn(Pricing.create(), "pricing"),
            inventory,
            Adapter.actorOf(
                context,
                PaymentGateway.props(network, settings.payment().connectTime()),
                "payments"));
    ClusterSharding sharding = ClusterSharding.get(system);
    sharding.init(
        Entity.of(
                ShoppingCart.TYPE_KEY,
                entity ->
                    ShoppingCart.create(
                        entity.getEntityId(), partners, settings.cart(), entity.getShard()))
            .withStopMessage(ShoppingCart.Stop.INSTANCE));
    return sharding;
  }

  private void bind(ShopRoutes routes) {
    ShopSettings.Http http = settings.http();
    context.pipeToSelf(
        Http.get(system).newServerAt(http.host(), http.port()).bind(routes.create()),
        (binding, failure) -> failure == null ? new Bound(binding) : new NotBound(failure));
  }

  private Behavior<Command> serve(ServerBinding binding, ActorRef<Inventory.Command> inventory) {
    binding.addToCoordinatedShutdown(HTTP_GRACE, system);
    InetSocketAddress address = binding.localAddress();
    context
        .getLog()
        .info("shop is open at http://{}:{}", address.getHostString(), address.getPort());
    if (settings.load().enabled()) {
      startLoad(address, inventory);
    }
    return stash.unstashAll(
        Behaviors.receive(Command.class)
            .onMessage(
                GetAddress.class,
                request -> {
                  request.replyTo().tell(address);
                  return Behaviors.same();
                })
            .build());
  }

  private void startLoad(InetSocketAddress address, ActorRef<Inventory.Command> inventory) {
    ShopSettings.Load load = settings.load();
    context.spawn(
        WarehouseFeed.create(inventory, RANDOM, load.stockMovesPerSecond()), "warehouse-feed");
    ActorRef<LoadGenerator.Command> shoppers =
        context.spawn(
            LoadGenerator.create(
                new HttpShopClient(system, address),
                RANDOM,
                load.ordersPerSecond(),
                "cart-" + address.getPort() + "-"),
            "shoppers");
    endLoadBeforeClosing(shoppers);
    context
        .getLog()
        .info(
            "load: {} orders/s over HTTP, {} stock moves/s",
            load.ordersPerSecond(),
            load.stockMovesPerSecond());
  }

  /**
   * The last requests are answered before the door closes; otherwise clients would retry in vain.
   */
  private void endLoadBeforeClosing(ActorRef<LoadGenerator.Command> shoppers) {
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeServiceUnbind(),
            "end-load",
            () ->
                Patterns.gracefulStop(
                        Adapter.toClassic(shoppers), HTTP_GRACE, LoadGenerator.Stop.INSTANCE)
                    .thenCompose(stopped -> Http.get(system).shutdownAllConnectionPools())
                    .thenApply(closed -> Done.getInstance()));
  }

  private Behavior<Command> giveUp(Throwable cause) {
    ShopSettings.Http http = settings.http();
    context
        .getLog()
        .error(
            "cannot bind shop.http.port = {} on {} ({}); give another port, or 0 for any free one",
            http.port(),
            http.host(),
            cause.getMessage());
    CoordinatedShutdown.get(system).runAll(CannotBind.INSTANCE);
    return Behaviors.empty();
  }

  private Behavior<Command> stash(Command command) {
    stash.stash(command);
    return Behaviors.same();
  }
}
