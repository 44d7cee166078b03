// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package desk;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import play.Application;
import play.ApplicationLoader;

/** Makes the application anew after each change, and remembers the class loader of each. */
public final class Loader implements ApplicationLoader {
  private static final String KEY = "desk.loaders";

  @Override
  public Application load(Context context) {
    loaders().add(new WeakReference<>(Loader.class.getClassLoader()));
    return new Parts(context).application();
  }

  /** How many class loaders are there still, of all that there were. */
  static String living() {
    System.gc();
    List<WeakReference<ClassLoader>> all = loaders();
    return all.stream().filter(loader -> loader.get() != null).count() + " of " + all.size();
  }

  /** Where no class loader of the application keeps it. */
  @SuppressWarnings("unchecked")
  private static List<WeakReference<ClassLoader>> loaders() {
    return (List<WeakReference<ClassLoader>>)
        System.getProperties()
            .computeIfAbsent(KEY, key -> Collections.synchronizedList(new ArrayList<>()));
  }
}
