// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** A tap on the messages to come: the address of the view. */
export const TAP_HASH = "#/tap";

/** The parameters of a tap, as they were typed; empty for what the server does by itself. */
export interface TapChoice {
  readonly className: string;
  readonly to: string;
  readonly count: string;
  readonly rate: string;
  readonly seconds: string;
}

const ANY: TapChoice = { className: "", to: "", count: "", rate: "", seconds: "" };

/** The parameters of a tap: in the page's address and in the server's alike. */
export function tapParameters(choice: Partial<TapChoice>): URLSearchParams {
  const { className, to, count, rate, seconds } = { ...ANY, ...choice };
  const parameters = new URLSearchParams();
  for (const [name, typed] of Object.entries({ class: className, to, count, rate, seconds })) {
    if (typed.trim() !== "") {
      parameters.set(name, typed.trim());
    }
  }
  return parameters;
}

export function tapHash(choice: Partial<TapChoice> = {}): string {
  const typed = tapParameters(choice).toString();
  return typed === "" ? TAP_HASH : `${TAP_HASH}?${typed}`;
}

/** A tap on one actor, by its path. */
export function tapOfActor(path: string): string {
  return tapHash({ to: path.replace(/^[a-z]+:\/\/[^/]*/, "") });
}

/** The parameters; null if the address is another view's. */
export function parseTapHash(hash: string): TapChoice | null {
  if (hash !== TAP_HASH && !hash.startsWith(TAP_HASH + "?")) {
    return null;
  }
  const given = new URLSearchParams(hash.slice(TAP_HASH.length + 1));
  return {
    className: given.get("class") ?? "",
    to: given.get("to") ?? "",
    count: given.get("count") ?? "",
    rate: given.get("rate") ?? "",
    seconds: given.get("seconds") ?? "",
  };
}
