// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The made-up shop's living actors, as `/api/v1/actors` tells of them. */

const CLASSES = ["shop.cart.ShoppingCart", "shop.inventory.Inventory", "shop.payment.PaymentGateway"];
const SORTS = ["mailbox", "peak", "rate", "busy", "wait", "messages", "failures", "restarts", "age"] as const;
const FIELDS = {
  mailbox: "mailbox",
  peak: "mailboxPeak",
  rate: "ratePerSecond",
  busy: "busyShare",
  wait: "waitP99Nanos",
  messages: "messages",
  failures: "failures",
  restarts: "restarts",
} as const;
const PARENT = "pekko://shop/user";
const MADE_MILLIS = 60_000;

type Line = ReturnType<FixtureActors["line"]>;

export class FixtureActors {
  /** How many there are. */
  living = 240;
  recordedShare: number | null = 1;
  mailboxes: number | null = null;
  /** The classes behind `class=other`. */
  other: { classes: number; most: { class: string; living: number }[] } | null = null;

  private line(number: number, now: number) {
    const className = CLASSES[number % CLASSES.length] ?? "";
    const top = number < CLASSES.length;
    const name = className.slice(className.lastIndexOf(".") + 1).toLowerCase();
    return {
      id: number + 1,
      path: top ? `${PARENT}/${name}` : `${PARENT}/${name}/${name}-${number}`,
      class: className,
      system: "shop",
      pekko: false,
      group: number % 3 === 1 ? "/user/inventory/**" : null,
      mailbox: (number * 7919) % 5003,
      mailboxPeak: ((number * 7919) % 5003) + number,
      children: top ? Math.ceil((this.living - number) / CLASSES.length) - 1 : 0,
      ratePerSecond: (number * 31) % 97,
      busyShare: ((number * 13) % 100) / 100,
      waitP99Nanos: number % 10 === 9 ? null : ((number * 101) % 1000) * 1e6,
      messages: number * 10,
      processingNanos: number * 1e6,
      failures: number % 50 === 7 ? 3 : 0,
      restarts: number % 50 === 7 ? 1 : 0,
      madeAtMillis: now - MADE_MILLIS - number * 1000,
    };
  }

  list(query: URLSearchParams, now: number): { status: number; body: unknown } {
    const given = query.get("sort") ?? "-mailbox";
    const descending = given.startsWith("-");
    const sort = SORTS.find((one) => one === (descending ? given.slice(1) : given));
    if (sort === undefined) {
      return { status: 400, body: { error: `sort=${given}: must be one of ${SORTS.join(", ")}` } };
    }
    const words = (query.get("q") ?? "").toLowerCase().split(/\s+/);
    const className = query.get("class") ?? "";
    const group = query.get("group") ?? "";
    const parent = query.get("parent") ?? "";
    const key = (line: Line) => (sort === "age" ? now - line.madeAtMillis : (line[FIELDS[sort]] ?? -1));
    const found: Line[] = [];
    for (let number = 0; number < this.living; number++) {
      const line = this.line(number, now);
      const text = `${line.path} ${line.class}`.toLowerCase();
      const isChild = parent === "" || line.path.slice(0, line.path.lastIndexOf("/")) === parent;
      const isOf = group === "" || line.group === group;
      if (
        isChild &&
        isOf &&
        (className === "" || className === "other" || line.class === className) &&
        words.every((word) => text.includes(word))
      ) {
        found.push(line);
      }
    }
    found.sort((a, b) => (descending ? key(b) - key(a) : key(a) - key(b)));
    const offset = Number(query.get("offset") ?? 0);
    return {
      status: 200,
      body: {
        nowMillis: now,
        total: found.length,
        living: this.living,
        offset,
        known: { recordedShare: this.recordedShare, mailboxes: this.mailboxes ?? this.living, followed: 1, letGo: 0 },
        other: className === "other" ? this.other : null,
        outlook: { growing: [], heap: null },
        actors: found.slice(offset, offset + Number(query.get("limit") ?? 100)),
      },
    };
  }

  one(path: string, now: number): { status: number; body: unknown } {
    for (let number = 0; number < this.living; number++) {
      const line = this.line(number, now);
      if (line.path === path) {
        return { status: 200, body: { ...line, ...this.more(line, now) } };
      }
    }
    return { status: 404, body: { error: `no such actor lives now: ${path}.` } };
  }

  private more(line: Line, now: number) {
    const other = this.line(line.id, now);
    return {
      nowMillis: now,
      alive: true,
      now: "processes shop.payment.PaymentGateway$Charge for 3.2 s",
      dispatcher: "pekko.actor.default-dispatcher",
      mailboxType: "org.apache.pekko.dispatch.UnboundedMailbox$MessageQueue",
      mailboxNow: line.mailbox,
      childrenNow: line.children,
      stashed: null,
      settings: [
        { key: "tracing", value: "on", source: "deimos.tracing.user, as it comes" },
        { key: "metrics", value: "on", source: 'deimos.actors."/user/inventory/**"' },
        { key: "sampling", value: "0.5", source: 'pekko.actor.deployment."/inventory/*".deimos' },
      ],
      log: { messages: 131_072, sinceMillis: now - 90_000 },
      received: Array.from({ length: 50 }, (_, i) => ({
        startEpochNanos: String(BigInt(now - i * 400) * 1_000_000n),
        class: "shop.payment.PaymentGateway$Charge",
        sender: i % 3 === 2 ? 0 : other.id,
        senderPath: i % 3 === 2 ? null : other.path,
        waitNanos: i % 3 === 2 ? null : i * 1e6,
        processingNanos: 2e6 + i * 1e5,
        failed: i === 3,
        traceId: "5000".repeat(8),
        spanId: String(i).padStart(16, "0"),
      })),
      senders: [
        { id: other.id, path: other.path, class: other.class, messages: 34, failures: 1 },
        { id: 0, path: null, class: null, messages: 16, failures: 0 },
      ],
      receivers: [],
    };
  }
}
