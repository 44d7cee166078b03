// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
/** An application with very many actors, classes of actors and incidents, for the page to show. */
package large;
