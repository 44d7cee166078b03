// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

/**
 * Commands for the agent that makes the agent fail, which is in the bootstrap loader; see the
 * package {@code faults}. Without it they do nothing.
 */
final class Faulty {
  private Faulty() {}

  static void addTo(Scenes all) {
    all.add("faults-arm", Faulty::arm);
    all.add("faults-fired", stage -> System.out.println("@fired-at " + call("firedAt")));
    all.add("faults-reached", stage -> System.out.println("@reached " + call("reached")));
  }

  /** The argument: where, a colon, how. */
  private static void arm(Stage stage) {
    System.out.println("@fired " + call("fired"));
    String[] words = stage.argument().split(":", -1);
    try {
      fault()
          .getMethod("arm", String.class, String.class)
          .invoke(null, words[0], words.length > 1 ? words[1] : "");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object call(String method) {
    try {
      return fault().getMethod(method).invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Class<?> fault() throws ClassNotFoundException {
    return Class.forName("faults.Fault", true, null);
  }
}
