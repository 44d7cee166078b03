// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** One small application, and the class paths and class loaders it is run in. */
package frameworks;
