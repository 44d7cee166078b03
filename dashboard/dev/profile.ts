// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The processor's time in the made-up shop, as `/api/v1/profile` tells of it. */

const GATEWAY = "shop.payment.PaymentGateway";
const CHARGE = "shop.payment.PaymentGateway$Charge";
const CART = "shop.cart.ShoppingCart";
const ADD = "shop.cart.ShoppingCart$AddItem";
const INTERPRETER = "org.apache.pekko.stream.impl.fusing.ActorGraphInterpreter";

/** Frames, the outermost first, with their samples. */
const STACKS: readonly (readonly [readonly string[], number])[] = [
  [[GATEWAY, CHARGE, "shop.payment.PaymentGateway.charge", "bank.Crypt.hash"], 550],
  [[GATEWAY, CHARGE, "shop.payment.PaymentGateway.charge", "java.lang.String.format"], 60],
  [[CART, ADD, "shop.cart.ShoppingCart.add", "scala.collection.immutable.HashMap.updated"], 180],
  [[CART, ADD, "shop.cart.ShoppingCart.add", "org.apache.pekko.actor.ActorRef.tell"], 40],
];

const LOCK = "lock of bank.Vault, held by shop.payment.Audit with shop.payment.Audit$Close";
const BANK = "read bank.example (10.1.2.3:443)";

/** The same for waits, in nanoseconds. */
const WAITS: readonly (readonly [readonly string[], number])[] = [
  [[GATEWAY, CHARGE, "shop.payment.PaymentGateway.charge", "bank.Vault.open", LOCK], 9e9],
  [[GATEWAY, CHARGE, "shop.payment.PaymentGateway.charge", "java.net.SocketInputStream.read", BANK], 3e9],
];

/** The time of messages, divided. */
function timesOf(messageClass: string | null, samples: number): Record<string, unknown> {
  const waits = messageClass === CHARGE;
  const cpuNanos = samples * 1e7;
  return {
    wallNanos: messageClass === null ? null : cpuNanos + (waits ? 12.6e9 : 0),
    cpuNanos,
    lockNanos: waits ? 9e9 : 0,
    ioNanos: waits ? 3e9 : 0,
    sleepNanos: 0,
    parkNanos: 0,
    gcNanos: waits ? 2e8 : 0,
    restNanos: messageClass === null ? null : waits ? 4e8 : 0,
    allocatedBytes: waits ? 3 * 2 ** 30 : 0,
    waitsFor: waits
      ? [
          { time: "lock", on: LOCK, nanos: 9e9 },
          { time: "io", on: BANK, nanos: 3e9 },
        ]
      : [],
  };
}

export class FixtureProfile {
  /** Why there is none; null if there is. */
  absent: string | null = null;

  /** Whether spans have samples. */
  spans = false;

  answer(query: URLSearchParams): { status: number; body: unknown } {
    if (this.absent !== null) {
      return { status: 404, body: { error: this.absent } };
    }
    if (query.get("format") !== null) {
      return { status: 200, body: STACKS.map(([stack, samples]) => `${stack.join(";")} ${samples}`).join("\n") };
    }
    const row = (
      kind: string,
      actorClass: string | null,
      messageClass: string | null,
      samples: number,
      part: string | null = null,
    ) => ({
      kind,
      actorClass,
      messageClass,
      part,
      samples,
      share: samples / 1000,
      ...timesOf(messageClass, samples),
    });
    return {
      status: 200,
      body: {
        nowMillis: Date.now(),
        state: "on",
        event: "jdk.CPUTimeSample",
        seconds: 42.5,
        samples: 1000,
        dividedSeconds: 39.5,
        waitNanos: 1e6,
        recordedShare: 1,
        unknown: { withoutStack: 0, lost: 0, nearest: 4, stacksCut: 0, recordsLost: 0, waitsLeftOut: 7 },
        rows: [
          row("message", GATEWAY, CHARGE, 610),
          row("message", CART, ADD, 220),
          row("dispatcher", null, null, 70),
          row("pekko", INTERPRETER, null, 50, "streams"),
          row("other", null, null, 50),
        ],
        tree: this.tree(
          query.has("span") && !this.spans ? "none" : (query.get("class") ?? ""),
          query.get("message") ?? "",
          (query.get("time") ?? "cpu") === "cpu" ? STACKS : WAITS,
        ),
      },
    };
  }

  private tree(actorClass: string, messageClass: string, stacks: typeof STACKS): unknown {
    const frames: string[] = [];
    const parent = [-1];
    const frame = [-1];
    const total = [0];
    const self = [0];
    for (const [stack, samples] of stacks) {
      if (!(stack[0] ?? "").endsWith(actorClass) || !(stack[1] ?? "").endsWith(messageClass)) {
        continue;
      }
      let at = 0;
      total[0] = (total[0] ?? 0) + samples;
      for (const name of stack) {
        let number = frames.indexOf(name);
        if (number < 0) {
          number = frames.push(name) - 1;
        }
        let next = parent.findIndex((of, node) => of === at && frame[node] === number);
        if (next < 0) {
          next = parent.push(at) - 1;
          frame.push(number);
          total.push(0);
          self.push(0);
        }
        at = next;
        total[at] = (total[at] ?? 0) + samples;
      }
      self[at] = (self[at] ?? 0) + samples;
    }
    return { nodesLeftOut: 0, frames, parent, frame, total, self };
  }
}
