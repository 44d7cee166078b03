// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Where a message is: the address of the view, and fates in words. */
export const WHERE_HASH = "#/where";

/** The fate of a message, in a reader's words. */
export const FATES: Readonly<Record<string, string>> = {
  processing: "processing",
  in_mailbox: "in a mailbox",
  stashed: "stashed",
  buffered: "buffered",
  outbound: "to another node",
  ask_open: "no answer yet",
  dead_letter: "dead letter",
  ask_timeout: "ask time-out",
  ask_failed: "failed ask",
  stuck: "stuck",
  failed: "failed",
  answered: "answered",
  processed: "processed",
};

export const BAD_FATES: ReadonlySet<string> = new Set(["dead_letter", "ask_timeout", "ask_failed", "stuck", "failed"]);

export function whereHash(query: string): string {
  return query.trim() === "" ? WHERE_HASH : `${WHERE_HASH}?${new URLSearchParams({ q: query.trim() }).toString()}`;
}

/** The query; null if the address is another view's. */
export function parseWhereHash(hash: string): string | null {
  if (hash !== WHERE_HASH && !hash.startsWith(WHERE_HASH + "?")) {
    return null;
  }
  return new URLSearchParams(hash.slice(WHERE_HASH.length + 1)).get("q") ?? "";
}
