// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The senders and receivers of the made-up shop, as `/api/v1/map` has it. */

const TRACE = "5000".repeat(8);

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly message: string;
  readonly rate: number;
  readonly failures?: number;
  readonly waitMillis?: number;
}

const CART = "class:shop.cart.ShoppingCart";
const STOCK = "class:shop.inventory.Inventory";
const PAYMENT = "class:shop.payment.PaymentGateway";
const AUDIT = "class:shop.AuditTrail";

const EDGES: readonly Edge[] = [
  { from: "outside", to: CART, message: "shop.cart.ShoppingCart$AddItem", rate: 840 },
  { from: CART, to: STOCK, message: "shop.inventory.Inventory$Reserve", rate: 410 },
  {
    from: CART,
    to: PAYMENT,
    message: "shop.payment.PaymentGateway$Charge",
    rate: 55,
    failures: 12,
    waitMillis: 900,
  },
  { from: "timer", to: STOCK, message: "shop.inventory.Inventory$Tick", rate: 1 },
  { from: PAYMENT, to: CART, message: "shop.cart.ShoppingCart$Paid", rate: 52 },
  { from: STOCK, to: STOCK, message: "shop.inventory.Inventory$Retry", rate: 3 },
  { from: CART, to: AUDIT, message: "shop.AuditTrail$Note", rate: 300, waitMillis: 250 },
];

export class FixtureMap {
  /** The edges beyond the limit. */
  leftOut = 0;

  read(query: URLSearchParams) {
    const words = (query.get("q") ?? "").toLowerCase().split(/\s+/);
    const open = (query.get("open") ?? "").split("|");
    const edges = EDGES.flatMap((edge) => opened(edge, open)).filter((edge) =>
      words.every((word) => `${edge.from} ${edge.to} ${edge.message}`.toLowerCase().includes(word)),
    );
    const keys = [...new Set(edges.flatMap((edge) => [edge.from, edge.to]))];
    return {
      nowMillis: Date.now(),
      seconds: Math.min(60, Number(query.get("seconds") ?? 60)),
      messages: edges.reduce((sum, edge) => sum + edge.rate * 60, 0),
      edgesLeftOut: this.leftOut,
      messagesLeftOut: this.leftOut * 7,
      recordedShare: 1,
      nodes: keys.map((key) => node(key, edges)),
      edges: edges.map((edge) => ({
        from: edge.from,
        to: edge.to,
        messages: edge.rate * 60,
        ratePerSecond: edge.rate,
        failures: edge.failures ?? 0,
        asks: 0,
        waitP99Nanos: (edge.waitMillis ?? 0.2) * 1e6,
        processingNanos: edge.rate * 1e6,
        classes: [
          { class: edge.message, messages: edge.rate * 60, failures: edge.failures ?? 0, waitP99Nanos: 200_000 },
        ],
        classesLeftOut: 0,
        latest: sample(),
        failed: edge.failures === undefined ? null : sample(),
        slowest: sample(),
      })),
    };
  }
}

/** Two actors for a class that is open. */
function opened(edge: Edge, open: readonly string[]): Edge[] {
  const name = edge.to.replace("class:", "");
  return open.includes(name) ? [1, 2].map((id) => ({ ...edge, to: `actor:${id}`, rate: edge.rate / 2 })) : [edge];
}

function node(key: string, edges: readonly Edge[]) {
  const kind = key.replace(/:.*/, "");
  const received = edges.filter((edge) => edge.to === key);
  const name = key.startsWith("actor:") ? `pekko://shop/user/payment/${key}` : key.replace("class:", "");
  return {
    key,
    kind,
    name: { outside: "outside", timer: "timers" }[kind] ?? name,
    class: kind === "class" ? name : kind === "actor" ? "shop.payment.PaymentGateway" : null,
    pekko: false,
    living: kind === "class" ? 80 : kind === "actor" ? 1 : null,
    ratePerSecond: received.reduce((sum, edge) => sum + edge.rate, 0),
    busyCores: 0.2,
    messages: received.reduce((sum, edge) => sum + edge.rate * 60, 0),
    failures: received.reduce((sum, edge) => sum + (edge.failures ?? 0), 0),
    slowest: received.length === 0 ? null : sample(),
  };
}

function sample() {
  return { traceId: TRACE, spanId: "0".repeat(16), atMillis: Date.now(), waitNanos: 1e6, processingNanos: 2e6 };
}
