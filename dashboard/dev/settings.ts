// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** A few made-up settings that can be changed as the agent lets them be. */
export const TOKEN = "0123456789abcdef";

interface FixtureSetting {
  readonly key: string;
  readonly default: string;
  readonly values: string;
  readonly choices: readonly string[];
  readonly mayChange: boolean;
  readonly wrong: RegExp;
}

const SETTINGS: readonly FixtureSetting[] = [
  flag("deimos.tracing.asks", "true"),
  flag("deimos.tracing.tail.enabled", "false"),
  {
    key: "deimos.stuck.threshold",
    default: "10s",
    values: "a duration in [0s, 3600s]",
    choices: [],
    mayChange: true,
    wrong: /[^0-9ms]/,
  },
  { key: "deimos.messages.never", default: "[]", values: "a list of texts", choices: [], mayChange: true, wrong: /^$/ },
  { key: "deimos.page.port", default: "9797", values: "a whole number", choices: [], mayChange: false, wrong: /^$/ },
];

function flag(key: string, otherwise: string): FixtureSetting {
  return {
    key,
    default: otherwise,
    values: "true or false",
    choices: ["true", "false"],
    mayChange: true,
    wrong: /^(?!true$|false$)/,
  };
}

export class FixtureSettings {
  readonly changed = new Map<string, string>();

  all(token: string | undefined): unknown {
    return {
      control: token === TOKEN ? "on" : "token",
      settings: SETTINGS.map((setting) => ({
        key: setting.key,
        value: this.changed.get(setting.key) ?? setting.default,
        default: setting.default,
        values: setting.values,
        choices: setting.choices,
        does: `what \`${setting.key}\` does`,
        costs: "a comparison a message",
        source: this.changed.has(setting.key) ? "this page" : "default",
        mayChange: setting.mayChange,
        changedHere: this.changed.has(setting.key),
      })),
    };
  }

  /** Why not, or null when it is done. */
  change(token: string | undefined, key: string, value: string): { status: number; error: string } | null {
    const setting = SETTINGS.find((one) => one.key === key);
    if (token !== TOKEN) {
      return { status: 403, error: "a change needs the token" };
    }
    if (setting === undefined || !setting.mayChange) {
      return { status: 400, error: `${key} cannot change while the application runs` };
    }
    if (value === "") {
      this.changed.delete(key);
    } else if (setting.wrong.test(value)) {
      return { status: 400, error: `${key}=${value} is not ${setting.values}` };
    } else {
      this.changed.set(key, value);
    }
    return null;
  }
}
