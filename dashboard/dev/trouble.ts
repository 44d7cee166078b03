// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The trouble of the made-up shop, as `/api/v1/trouble` tells of it. */

const TRACE = "5000".repeat(8);

const NEW_KIND = {
  id: "4",
  kind: "dead_letter",
  actorClass: "shop.payment.PaymentGateway",
  messageClass: null,
  why: null,
  count: 1,
  story: "A message became a dead letter.",
  actorPath: null,
  stack: null,
};

export class FixtureTrouble {
  /** Without it nothing has gone wrong. */
  any = true;

  /** How many groups had to make room. */
  letGo = 0;

  /** How many failures there are more than at first. */
  more = 0;

  /** Whether the last group has come first. */
  turned = false;

  /** Whether there is a kind of trouble that was not there at first. */
  anotherKind = false;

  /** The story of the latest failure. */
  story = "PaymentGateway failed while it processed PaymentGateway.Charge: the card was declined";

  private groups(now: number) {
    const all = [
      ...(this.anotherKind ? [{ ...NEW_KIND, firstMillis: now, lastMillis: now }] : []),
      {
        id: "1",
        kind: "failure",
        actorClass: "shop.payment.PaymentGateway",
        messageClass: "shop.payment.PaymentGateway$Charge",
        why: "shop.payment.CardDeclinedException",
        count: 10_000 + this.more,
        firstMillis: now - 60_000,
        lastMillis: now - 1000,
        story: this.story,
        actorPath: "pekko://shop/user/paymentgateway",
        stack: "at shop.payment.PaymentGateway.charge(PaymentGateway.java:42)",
      },
      {
        id: "2",
        kind: "ask_timeout",
        actorClass: "shop.payment.PaymentGateway",
        messageClass: "shop.payment.PaymentGateway$Charge",
        why: "the actor that was asked took it and had not answered",
        count: 19,
        firstMillis: now - 50_000,
        lastMillis: now - 3000,
        story: "PaymentGateway.Charge was asked of shop/user/paymentgateway and not answered in time",
        actorPath: "pekko://shop/user/paymentgateway",
        stack: null,
      },
      {
        id: "restart-1",
        kind: "restart",
        actorClass: "shop.inventory.Inventory",
        messageClass: null,
        why: null,
        count: 3,
        firstMillis: null,
        lastMillis: null,
        story: "Supervision has restarted Inventory after it failed.",
        actorPath: null,
        stack: null,
      },
    ];
    if (this.turned) {
      all.reverse();
    }
    return this.any ? all : [];
  }

  list(query: URLSearchParams, now: number): unknown {
    const kind = query.get("kind") ?? "";
    const words = (query.get("q") ?? "").toLowerCase().split(/\s+/);
    const all = this.groups(now);
    const found = all.filter(
      (group) =>
        (kind === "" || group.kind === kind) &&
        words.every((word) => `${group.kind} ${group.actorClass} ${group.story}`.toLowerCase().includes(word)),
    );
    return {
      nowMillis: now,
      total: found.length,
      stuckNow: 0,
      groupsLetGo: this.letGo,
      kinds: Object.fromEntries(all.map((group) => [group.kind, group.count])),
      groups: found.map(({ story, actorPath, stack: _, ...group }) => ({
        ...group,
        latest: { atMillis: group.lastMillis, story, actorPath, senderPath: null, traceId: TRACE, spanId: null },
      })),
    };
  }

  one(id: string, now: number): { status: number; body: unknown } {
    const group = this.groups(now).find((one) => one.id === id);
    if (group === undefined) {
      return { status: 404, body: { error: `no such group: ${id}.` } };
    }
    const { story, actorPath, stack, ...rest } = group;
    const traceId = group.lastMillis === null ? null : TRACE;
    const before = group.kind === "failure" ? [1, 2, 3].map((number) => received(number, now)) : null;
    const example = {
      atMillis: group.lastMillis,
      story,
      actorPath,
      senderPath: null,
      traceId,
      spanId: null,
      stack,
      before,
    };
    return { status: 200, body: { ...rest, examples: [example, example] } };
  }
}

function received(number: number, now: number) {
  return {
    startEpochNanos: `${now - 1000 - number * 100}000000`,
    class: "shop.payment.PaymentGateway$Charge",
    senderPath: "pekko://shop/user/shoppingcart",
    waitNanos: 1e6,
    processingNanos: number * 1e6,
    failed: number === 2,
    traceId: TRACE,
    spanId: `000000000000000${number}`,
  };
}
