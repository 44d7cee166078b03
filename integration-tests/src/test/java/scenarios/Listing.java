// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;

/** Signals as soon as the receptionist lists somebody. */
final class Listing {
  private Listing() {}

  static Behavior<Receptionist.Listing> create(Stage stage, ServiceKey<Server.Command> key) {
    return Behaviors.setup(
        context -> {
          context.getSystem().receptionist().tell(Receptionist.subscribe(key, context.getSelf()));
          return Behaviors.receiveMessage(
              listing -> {
                if (!listing.getServiceInstances(key).isEmpty()) {
                  stage.count();
                }
                return Behaviors.same();
              });
        });
  }
}
