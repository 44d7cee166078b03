// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Classes whose messages get no span, by the settings that name them. */
import type { Settings } from "./contract";

export const ACTOR_CLASSES_NEVER = "deimos.actor-classes.never";
export const MESSAGES_NEVER = "deimos.messages.never";

/** Whether a class is named by one of these two settings; null if the settings are not known. */
export function isSwitchedOff(settings: Settings | null, key: string, className: string): boolean | null {
  const named = namedBy(settings, key);
  return named === null ? null : named.includes(className);
}

/** The value of the setting with which a class is traced, or not; empty for what it would be without this page. */
export function switched(settings: Settings, key: string, className: string, traced: boolean): string {
  const others = (namedBy(settings, key) ?? []).filter((one) => one !== className);
  return (traced ? others : [...others, className]).join(", ");
}

function namedBy(settings: Settings | null, key: string): readonly string[] | null {
  const value = settings?.settings.find((setting) => setting.key === key)?.value;
  if (value === undefined) {
    return null;
  }
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) ? read.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
