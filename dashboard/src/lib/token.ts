// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The token of the process, which the page's address carries behind the `#`, where no server and no log of one
 * sees it. It is kept for this tab, and taken out of the address, so that it is not copied with it.
 */
const KEY = "deimos.token";
const IN_HASH = /^#token=(.+)$/;

/** The characters of a user's own token, as `SharedToken` of the agent says; those that processes make are shorter. */
const ALPHABET = /^[!-~]{16,512}$/;

/** As much of `sessionStorage` as is used. */
export interface Kept {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export class Token {
  private readonly kept: Kept | null;
  private value: string;

  /** `kept` is null where a browser forbids to keep anything; the token then holds until a reload. */
  constructor(kept: Kept | null) {
    this.kept = kept;
    this.value = kept?.getItem(KEY) ?? "";
  }

  /** Takes the token out of an address's hash; false if there is none in it. */
  takeFrom(hash: string): boolean {
    const found = decoded(IN_HASH.exec(hash)?.[1] ?? "");
    if (!ALPHABET.test(found)) {
      return false;
    }
    this.set(found);
    return true;
  }

  set(value: string): void {
    this.value = value.trim();
    try {
      this.kept?.setItem(KEY, this.value);
    } catch {
      // full, or forbidden: it holds until a reload
    }
  }

  /** The headers of each request. */
  headers(): Record<string, string> {
    return this.value === "" ? {} : { "X-Deimos-Token": this.value };
  }
}

/** Browsers write some characters of an address as `%3C`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a token with a % of its own
  }
}

export function keptForThisTab(): Kept | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
