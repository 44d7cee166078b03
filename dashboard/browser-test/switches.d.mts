// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

export const SWITCHES: string[];
