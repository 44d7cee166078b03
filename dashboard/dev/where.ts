// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The fates of messages of the made-up shop, as `/api/v1/where` and `/api/v1/tap` tell of it. */

const NOTHING = {
  messageClass: "shop.payment.PaymentGateway$Charge",
  actorPath: "pekko://shop/user/paymentgateway",
  actorClass: "shop.payment.PaymentGateway",
  senderPath: null,
  atMillis: null,
  place: null,
  waitNanos: null,
  processingNanos: null,
  traceId: null,
  spanId: null,
  content: null,
  troubleId: null,
  node: null,
};

export class FixtureWhere {
  /** The server's answer instead of looking. */
  refused: string | null = null;
  private opened = 0;
  private read = 0;

  find(query: string, now: number): { status: number; body: unknown } {
    if (this.refused !== null) {
      return { status: 503, body: { error: this.refused } };
    }
    const traceId = "5000".repeat(8);
    const all = [
      {
        ...NOTHING,
        fate: "in_mailbox",
        story: "PaymentGateway.Charge is the 3rd in the mailbox of shop/user/paymentgateway, for 4.2 s.",
        atMillis: now - 4200,
        place: 3,
        content: "Charge(cart-17, 12.50)",
      },
      {
        ...NOTHING,
        fate: "dead_letter",
        story: "PaymentGateway.Charge for shop/user/paymentgateway became a dead letter: its receiver had stopped.",
        atMillis: now - 60_000,
        troubleId: "1",
      },
      {
        ...NOTHING,
        fate: "processed",
        story: "PaymentGateway.Charge was processed by shop/user/paymentgateway in 2.1 ms.",
        atMillis: now - 90_000,
        senderPath: "pekko://shop/user/carts/cart-17",
        traceId,
        spanId: "0".repeat(15) + "1",
      },
    ];
    const word = query.toLowerCase().replace(/^[a-z]+:/, "");
    const matches = all.filter((match) => JSON.stringify(match).toLowerCase().includes(word));
    return {
      status: 200,
      body: {
        nowMillis: now,
        query,
        total: matches.length,
        fates: Object.fromEntries(matches.map(({ fate }) => [fate, 1])),
        matches,
        looked: {
          records: 12_345,
          sinceMillis: now - 600_000,
          recordedShare: 1,
          actors: 120,
          waiting: 14,
          asks: 2,
          troubles: 9,
          traces: matches.length,
        },
        notLookedAt: ["Content of messages, but for the classes in deimos.content.messages: no more is recorded."],
      },
    };
  }

  /** How many messages a tap takes. */
  wanted = 3;

  /** Each answer has one message more, up to as many as are wanted. */
  tap(path: string, query: URLSearchParams, now: number): { status: number; body: unknown } {
    if ((query.get("to") ?? "/").startsWith("/") === false) {
      return { status: 400, body: { error: "to=x: a path pattern begins with a slash, as in /user/payments/*" } };
    }
    if (path === "/api/v1/tap") {
      this.opened++;
      this.read = 0;
    } else {
      this.read = Math.min(this.wanted, this.read + 1);
    }
    const after = Number(query.get("after") ?? "0");
    const messages = Array.from({ length: this.read }, (_, i) => ({
      number: i + 1,
      atMillis: now - 500 * (3 - i),
      class: "shop.payment.PaymentGateway$Charge",
      actorPath: "pekko://shop/user/paymentgateway",
      actorClass: "shop.payment.PaymentGateway",
      senderPath: null,
      waitNanos: i === 0 ? null : 120_000,
      processingNanos: 2_100_000,
      error: i === 1 ? "java.lang.IllegalStateException" : null,
      traceId: "5000".repeat(8),
      spanId: "0".repeat(15) + "1",
      content: i === 2 ? "Charge(cart-17, 12.50)" : null,
    })).slice(after);
    return {
      status: 200,
      body: {
        nowMillis: now,
        id: String(this.opened).padStart(16, "0"),
        state: this.read < this.wanted ? "open" : "ended",
        endedBy: this.read < this.wanted ? null : "count",
        endsMillis: now + 60_000,
        count: this.wanted,
        rate: 10,
        seconds: 60,
        taken: this.read,
        leftOut: 7,
        recordedShare: 0.5,
        last: this.read,
        messages,
      },
    };
  }
}
