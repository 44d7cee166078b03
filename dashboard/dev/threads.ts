// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The work of the made-up shop's threads, as `/api/v1/threads` tells of it. */

const STACK = [
  "java.lang.Thread.sleep(Native Method)",
  "shop.payment.CardNetwork.authorise(CardNetwork.java:88)",
  "shop.payment.PaymentGateway.charge(PaymentGateway.java:42)",
];

export class FixtureThreads {
  /** Without it there is no dispatcher. */
  any = true;

  table(query: URLSearchParams): unknown {
    const busy = query.get("busy") === "true";
    const words = (query.get("q") ?? "").toLowerCase().split(/\s+/);
    const threads = Array.from({ length: 8 }, (_, i) => ({
      id: 40 + i,
      name: `shop-pekko.actor.default-dispatcher-${i + 3}`,
      state: i < 3 ? "timed_waiting" : "waiting",
      work:
        i < 3
          ? {
              actorId: i + 1,
              actorPath: `pekko://shop/user/paymentgateway/paymentgateway-${i}`,
              actorClass: "shop.payment.PaymentGateway",
              messageClass: "shop.payment.PaymentGateway$Charge",
              forNanos: i === 1 ? 14_200_000_000 : 120_000 * (i + 1),
              traceId: "5000".repeat(8),
              spanId: "0".repeat(15) + "1",
            }
          : null,
    })).filter(
      (thread) =>
        (!busy || thread.work !== null) &&
        words.every((word) => `${thread.name} ${thread.work?.actorPath ?? ""}`.toLowerCase().includes(word)),
    );
    const dispatcher = { system: "shop", executor: "fork-join", actors: 12, waitNanos: 0 };
    return {
      nowMillis: Date.now(),
      starvations: this.any ? 2 : 0,
      threadsLeftOut: 0,
      dispatchers: this.any
        ? [
            {
              ...dispatcher,
              name: "pekko.actor.default-dispatcher",
              parallelism: 8,
              active: 8,
              queued: 31,
              waitNanos: 2_400_000_000,
              threads,
            },
            {
              ...dispatcher,
              name: "pekko.actor.internal-dispatcher",
              parallelism: 8,
              active: 1,
              queued: 0,
              threads: [],
            },
          ]
        : [],
    };
  }

  stack(id: string): { status: number; body: unknown } {
    return id === "41"
      ? { status: 200, body: { frames: STACK, framesLeftOut: 0 } }
      : { status: 404, body: { error: `no such thread of a dispatcher: ${id}. It may have ended.` } };
  }
}
