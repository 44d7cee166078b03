// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package large;

/** The template of all classes of workers, which differ in the five digits of their names. */
public final class Actor00000 extends Worker {}
