// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package orders;

import play.Application;
import play.ApplicationLoader;

/** Started by Play, by the name that {@code application.conf} gives. */
public final class OrdersLoader implements ApplicationLoader {
  @Override
  public Application load(Context context) {
    return new OrdersComponents(context).application();
  }
}
