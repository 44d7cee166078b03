// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The findings of the made-up shop, as `/api/v1/check` tells of them. */

const NOWHERE = {
  actorPath: null,
  actorClass: null,
  messageClass: null,
  line: null,
  dispatcher: null,
  peer: null,
} as const;

export class FixtureCheck {
  /** Why there are none; empty if there are. */
  absent = "";
  /** Without it nothing is wrong. */
  any = true;
  /** Whether one more is wrong, the worst of all. */
  worse = false;
  ignored = 0;
  failed = 0;
  knownMillis = 600_000;

  read(now: number): { status: number; body: unknown } {
    if (this.absent !== "") {
      return { status: 404, body: { error: this.absent } };
    }
    return {
      status: 200,
      body: {
        nowMillis: now,
        rules: 20,
        knownMillis: this.knownMillis,
        findings: this.any ? [...(this.worse ? [worst(now)] : []), ...findings(now)] : [],
        ignored: this.ignored,
        findingsLeftOut: 0,
        factsLeftOut: 0,
        failed: this.failed,
        notLookedAt: [],
      },
    };
  }
}

function worst(now: number) {
  return {
    ...findings(now)[0],
    rule: "mailbox-grows",
    sure: "likely",
    where: { ...NOWHERE, actorPath: "pekko://shop/user/audit", actorClass: "shop.AuditTrail" },
    sinceMillis: now - 20_000,
    says: "The mailbox of shop/user/audit grows by 1,200 messages a second; 44,000 wait.",
    costs: "At this rate the heap is full in about 12 minutes.",
    advice: "Make the handler faster, or slow the senders down.",
    evidence: "#/actor/shop/user/audit",
  };
}

function findings(now: number) {
  return [
    {
      rule: "thread-blocked",
      severity: "critical",
      sure: "certain",
      where: {
        ...NOWHERE,
        actorPath: "pekko://shop/user/paymentgateway",
        actorClass: "shop.payment.PaymentGateway",
        messageClass: "shop.payment.PaymentGateway$Charge",
        line: "bank.CardNetwork.await(CardNetwork.java:88)",
        dispatcher: "pekko.actor.default-dispatcher",
      },
      sinceMillis: now - 14_200,
      says: "PaymentGateway has blocked a thread of pekko.actor.default-dispatcher for 14.2 s with Charge.",
      costs: "One of 8 threads does nothing else; the tasks behind it have waited for up to 2.4 s.",
      advice: "Answer with pipeToSelf, or give the actor a dispatcher of its own.",
      evidence: "#/threads?q=dispatcher-4",
    },
    {
      rule: "dead-letters-repeat",
      severity: "warning",
      sure: "likely",
      where: { ...NOWHERE, messageClass: "shop.cart.ShoppingCart$Stop" },
      sinceMillis: now - 300_000,
      says: "120 messages of ShoppingCart.Stop became dead letters within 5 minutes.",
      costs: "They are lost, and so is what they should have done.",
      advice: "Watch the receiver, or do not tell it once it stops.",
      evidence: "#/trouble?kind=dead_letter",
    },
    {
      rule: "dispatcher-size",
      severity: "advice",
      sure: "possible",
      where: { ...NOWHERE, dispatcher: "pekko.actor.default-blocking-io-dispatcher" },
      sinceMillis: null,
      says: "pekko.actor.default-blocking-io-dispatcher has 16 threads and used at most one.",
      costs: "About 16 MiB of stacks.",
      advice: "Make it smaller.",
      evidence: "#/system",
    },
  ];
}
