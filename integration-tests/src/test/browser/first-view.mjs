// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/**
 * How long the page takes from an empty tab until its first rows are painted: PAGE_URL=<url> node first-view.mjs <rounds>. Each round is a
 * tab with nothing kept of the one before, in a browser that has been warmed up by one. Prints as JSON the median and the longest,
 * where the time of the median went, and how much of the processor the tab's main thread took, which hardly depends on what else
 * the machine does.
 */
import { open, url } from "./browser.mjs";
import { VIEWS } from "./views.mjs";

const rounds = Number(process.argv[2]);
const { tab, run } = await open(url);

await run(async () => {
  const views = {};
  for (const name of ["overview", "actors"]) {
    const all = [];
    for (let round = 0; round <= rounds; round++) {
      all.push(await look(VIEWS[name]));
    }
    const sorted = all.slice(1).sort((a, b) => a.painted - b.painted);
    views[name] = { median: sorted[sorted.length >> 1], longest: sorted.at(-1).painted, first: all[0].painted };
  }
  console.log(JSON.stringify({ rounds, millis: views }, null, 1));
});

async function look({ hash, shown }) {
  const page = await tab();
  const { origin } = new URL(url);
  await page.goto(url); // takes the token
  await page.locator("header").waitFor();
  await page.goto("about:blank");
  // The tab itself looks when what is wanted is there, so that no way to this program is in the figure.
  await page.addInitScript((wanted) => {
    const look = () => {
      if (document.querySelector(wanted) === null) {
        requestAnimationFrame(look);
      } else {
        requestAnimationFrame(() => (window.painted = performance.now())); // the frame with it is out
      }
    };
    requestAnimationFrame(look);
  }, shown);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(`${origin}/${hash}`, { waitUntil: "commit" });
  await page.waitForFunction(() => window.painted !== undefined);
  const times = await page.evaluate(() => {
    const [document] = performance.getEntriesByType("navigation");
    const asked = performance.getEntriesByType("resource").map(({ name, startTime, responseEnd }) => ({
      path: new URL(name).pathname,
      from: Math.round(startTime),
      to: Math.round(responseEnd),
    }));
    return {
      painted: Math.round(window.painted),
      pageReceived: Math.round(document.responseEnd),
      scriptRun: Math.round(document.domContentLoadedEventEnd),
      asked: asked.filter(({ from }) => from < window.painted),
    };
  });
  const { metrics } = await session.send("Performance.getMetrics");
  const { value } = metrics.find(({ name }) => name === "TaskDuration");
  await page.context().close();
  return { ...times, mainThread: Math.round(value * 1000) };
}
