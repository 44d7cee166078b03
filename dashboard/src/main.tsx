// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import { render } from "preact";
import { Store } from "./store";
import { App } from "./views/app";

const store = new Store();
const root = document.getElementById("root");
if (root !== null) {
  render(<App store={store} />, root);
}
store.open();
