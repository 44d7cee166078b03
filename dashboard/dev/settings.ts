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
  {
    key: "deimos.actor-classes.never",
    default: "[]",
    values: "a list of texts",
    choices: [],
    mayChange: true,
    wrong: /^$/,
  },
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

const PRESETS = [
  { name: "look-closely", title: "Look closely", forMillis: 300_000, key: "deimos.tracing.asks", then: "true" },
  { name: "production", title: "Production", forMillis: null, key: "deimos.tracing.tail.enabled", then: "true" },
];

interface FixtureChange {
  readonly id: string;
  readonly preset: string | null;
  readonly key: string | null;
  readonly value: string | null;
  readonly sinceMillis: number;
  readonly endMillis: number | null;
  readonly by: string;
}

export class FixtureSettings {
  readonly changed = new Map<string, string>();
  /** Presets, and settings that are changed for a time. */
  changes: FixtureChange[] = [];
  readonly history: { atMillis: number; by: string; what: string; settings: unknown[]; leftOut: number }[] = [];
  /** Why a preset is refused; empty if none is. */
  refused = "";
  private made = 0;

  running(now = Date.now()): unknown[] {
    this.changes = this.changes.filter((change) => change.endMillis === null || change.endMillis > now);
    return this.changes.map(({ endMillis, ...change }) => ({
      ...change,
      leftMillis: endMillis === null ? null : endMillis - now,
    }));
  }

  all(token: string | undefined): unknown {
    return {
      nowMillis: Date.now(),
      control: token === TOKEN ? "on" : "token",
      changes: this.running(),
      history: [...this.history].reverse(),
      presets: PRESETS.map(({ key, then, ...preset }) => ({
        ...preset,
        does: `does what ${preset.name} does`,
        costs: "a record for each message",
        settings: [
          { key, rule: "set", value: then, now: this.changed.get(key) ?? "false", then },
          { key: "deimos.stuck.threshold", rule: "at most", value: "10s", now: "10s", then: "10s" },
        ],
        refused: this.refused === "" ? null : this.refused,
      })),
      settings: SETTINGS.map((setting) => ({
        key: setting.key,
        value: shown(setting, this.changed.get(setting.key)),
        default: setting.default,
        values: setting.values,
        choices: setting.choices,
        does: `what \`${setting.key}\` does, as in [Telemetry](telemetry.md#spans)`,
        costs: "a comparison a message",
        source: this.changed.has(setting.key) ? "this page" : "default",
        mayChange: setting.mayChange,
        changedHere: this.changed.has(setting.key),
        preset: null,
        leftMillis: null,
      })),
    };
  }

  /** Why not, or null when it is done. */
  request(token: string | undefined, asked: URLSearchParams): { status: number; error: string } | null {
    const preset = asked.get("preset");
    const end = asked.get("end");
    const during = asked.get("for");
    const key = asked.get("key") ?? "";
    const value = asked.get("value") ?? "";
    const millis = during === null ? null : parseInt(during, 10) * (during.endsWith("s") ? 1000 : 60_000);
    if (token !== TOKEN) {
      return { status: 403, error: "a change needs the token" };
    }
    if (preset !== null) {
      const known = PRESETS.find((one) => one.name === preset);
      this.changes = this.changes.filter((change) => change.preset !== preset);
      this.begin({ preset, key: null, value: null }, millis ?? known?.forMillis ?? null);
      this.say(`${preset} began`, [{ key: known?.key, from: "false", to: known?.then }]);
      return null;
    }
    if (end !== null) {
      const ended = this.changes.find((change) => change.id === end);
      this.changes = this.changes.filter((change) => change !== ended);
      this.say(`ended ${ended?.preset ?? ended?.key}`, []);
      return null;
    }
    const refused = this.change(token, key, value);
    if (refused === null && millis !== null) {
      this.begin({ preset: null, key, value }, millis);
    }
    return refused;
  }

  private begin(change: Pick<FixtureChange, "preset" | "key" | "value">, millis: number | null): void {
    const now = Date.now();
    this.changes.push({
      ...change,
      id: String(++this.made),
      sinceMillis: now,
      endMillis: millis === null ? null : now + millis,
      by: "the page",
    });
  }

  private say(what: string, settings: unknown[]): void {
    this.history.push({ atMillis: Date.now(), by: "the page", what, settings, leftOut: 0 });
  }

  private change(token: string | undefined, key: string, value: string): { status: number; error: string } | null {
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

/** As the agent writes it: a list with quotes. */
function shown(setting: FixtureSetting, changed: string | undefined): string {
  return changed !== undefined && setting.default === "[]"
    ? JSON.stringify(changed.split(", "))
    : (changed ?? setting.default);
}
