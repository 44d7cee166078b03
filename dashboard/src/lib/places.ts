// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** The places of the page in groups: what each is called, where it is, and which key leads there. */
import { CHECK_HASH } from "./check";
import { CLUSTER_HASH } from "./cluster";
import { MAP_HASH } from "./map";
import { PROFILE_HASH } from "./profile";
import { ACTORS_HASH, type Route, SETTINGS_HASH, SYSTEM_HASH, THREADS_HASH, TRACES_HASH, TROUBLE_HASH } from "./route";
import { TAP_HASH } from "./tap";
import { WHERE_HASH } from "./where";

export interface Place {
  readonly name: string;
  readonly hash: string;
  readonly key: string;
  /** The views that belong to it. */
  readonly views: readonly Route["view"][];
}

/** Places for one kind of task. */
export interface PlaceGroup {
  readonly name: string;
  readonly places: readonly Place[];
}

export const GROUPS: readonly PlaceGroup[] = [
  {
    name: "Now",
    places: [
      { name: "Overview", hash: "#/", key: "o", views: ["overview"] },
      { name: "Check", hash: CHECK_HASH, key: "k", views: ["check"] },
      { name: "Trouble", hash: TROUBLE_HASH, key: "x", views: ["trouble"] },
    ],
  },
  {
    name: "Actors & messages",
    places: [
      { name: "Actors", hash: ACTORS_HASH, key: "a", views: ["actors", "actor"] },
      { name: "Map", hash: MAP_HASH, key: "m", views: ["map"] },
      { name: "Where", hash: WHERE_HASH, key: "w", views: ["where"] },
      { name: "Tap", hash: TAP_HASH, key: "b", views: ["tap"] },
    ],
  },
  {
    name: "Traces & time",
    places: [
      { name: "Traces", hash: TRACES_HASH, key: "r", views: ["traces", "trace", "compare"] },
      { name: "Profile", hash: PROFILE_HASH, key: "f", views: ["profile"] },
      { name: "Threads", hash: THREADS_HASH, key: "d", views: ["threads"] },
    ],
  },
  {
    name: "System",
    places: [
      { name: "System", hash: SYSTEM_HASH, key: "y", views: ["system"] },
      { name: "Cluster", hash: CLUSTER_HASH, key: "c", views: ["cluster"] },
      { name: "Settings", hash: SETTINGS_HASH, key: "s", views: ["settings"] },
    ],
  },
];

export const PLACES: readonly Place[] = GROUPS.flatMap(({ places }) => places);

/** The place that a view belongs to. */
export function placeOf(view: Route["view"]): Place | undefined {
  return PLACES.find((place) => place.views.includes(view));
}
