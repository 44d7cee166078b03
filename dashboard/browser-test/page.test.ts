// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { FixtureServer } from "../dev/server";
import { TOKEN } from "../dev/settings";
import { conversation } from "../src/lib/conversation";
import { BURST_MILLIS } from "../src/lib/keys";
import { mermaid } from "../src/lib/mermaid";
import { buildTree, readTrace } from "../src/lib/tree";
import { launch } from "./chromium";
import { mermaidScript } from "./mermaid";

const PAGE = "target/classes/io/deimos/dashboard/index.html";

let browser: Browser | undefined;
let server: FixtureServer;
let port: number;
let page: Page;
let complaints: string[];

before(async () => {
  try {
    browser = await launch();
  } catch (error) {
    // One clear line, not one stack for each test.
    console.error(`browser tests: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
});

after(async () => browser?.close());

beforeEach(async () => {
  assert.ok(browser !== undefined);
  server = new FixtureServer(PAGE);
  port = await server.start(0);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(15_000);
  page = await context.newPage();
  await page.addInitScript(() =>
    addEventListener("keydown", (event) => Object.assign(globalThis, { lastKeyAt: event.timeStamp }), true),
  );
  complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("Failed to load resource")) {
      complaints.push(message.text());
    }
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`http://127.0.0.1:${port}/`) && !request.url().startsWith("data:")) {
      complaints.push(`asked for ${request.url()}`);
    }
  });
});

afterEach(async () => {
  await page.context().close();
  await server.stop();
  assert.deepEqual(complaints, [], "nothing in the console, nothing fetched from elsewhere");
});

test("overview_loaded_showsServiceHooksAndActorClasses", async () => {
  await open();
  assert.equal(await text("header h1"), "shop");
  assert.match(await text(".badge.ok"), /14 of 14 hooks verified on Pekko 1\.7\.0/);
  assert.match(await page.title(), /^shop · Deimos$/);
  assert.equal(await page.locator("tr.actor").count(), 9);
  // Two readings make a rate.
  const rate = actor("ShoppingCart").locator(".rate-value");
  await until(async () => /^\d{3,4}|^\d,\d{3}/.test((await rate.textContent()) ?? ""), "a rate appears");
  assert.match((await actor("PaymentGateway").locator("td.p99").first().textContent()) ?? "", /ms|s/);
  assert.match(await text("#tile-messages .tile-value"), /^\d,\d{3}$/);
  assert.equal(await page.locator(".notice").count(), 0);
  await page.waitForSelector(".chart canvas");
});

test("updates_afterTheFirstAnswers_comeByOneStream", async () => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await open();
  await until(() => Promise.resolve(server.streams > 0), "a stream");
  const requests = asked.length;
  const states = server.statesAsked;
  await until(() => Promise.resolve(server.statesAsked >= states + 4), "four more states");
  assert.ok(asked.length <= requests + 2, `asked by themselves: ${asked.slice(requests).join(", ")}`);
  assert.ok(asked.filter((path) => path === "/api/state").length <= 2, asked.join(", "));
});

test("updates_noStreamToBeHad_allIsAskedInTheOrdinaryWay", async () => {
  server.hasStream = false;
  await open();
  const states = server.statesAsked;
  await until(() => Promise.resolve(server.statesAsked >= states + 4), "four more states");
  assert.equal(server.streams, 0);
  await until(async () => /^\d/.test(await text("#tile-messages .tile-value")), "a rate");
});

test("actors_filteredSortedAndOpened_showWhatWasAskedFor", async () => {
  await open();
  await page.keyboard.press("/");
  await page.keyboard.type("payment");
  await until(async () => (await page.locator("tr.actor").count()) === 1, "one class is left");
  await page.fill("#actor-filter", "no such class");
  await page.waitForSelector("text=No class matches");
  await page.fill("#actor-filter", "");
  await page.locator("th.col-className button").click();
  assert.equal(await page.locator("th.col-className").getAttribute("aria-sort"), "ascending");
  assert.match((await page.locator("tr.actor").first().textContent()) ?? "", /AuditTrail/);
  await actor("ShoppingCart").locator(".disclose").press("Enter");
  assert.equal(await page.locator("tr.message").count(), 5);
  assert.match((await page.locator("tr.message").first().textContent()) ?? "", /ShoppingCart\.AddItem/);
});

test("traces_errorsOnlyAndPaused_holdStill", async () => {
  await open();
  await page.waitForSelector(".trace-row");
  await page.getByRole("button", { name: "errors" }).click();
  await until(
    async () => (await page.locator(".trace-row:not(.error)").count()) === 0,
    "only traces with errors are left",
  );
  assert.ok((await page.locator(".trace-row .mark.odd").count()) > 0, "time-outs are marked");
  await shortcut("p");
  await page.waitForSelector(".paused");
  await page.fill("#trace-filter", "nothing is called so");
  await page.waitForSelector("text=No trace with errors found");
});

test("trace_opened_showsNestingWaitAndDetail", async () => {
  await open();
  await page.fill("#trace-filter", "checkout");
  await page.locator(".trace-row", { hasText: "17 spans" }).first().click();
  await page.waitForSelector(".wf-row");
  assert.match(page.url(), /#\/trace\/[0-9a-f]{32}$/);
  assert.equal(await page.locator(".wf-row").count(), 17);
  const levels = await page.locator(".wf-row").evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-level")));
  assert.deepEqual(levels.slice(0, 4), ["1", "2", "3", "4"]);
  const charge = page.locator(".wf-row", { hasText: "process Charge" }).first();
  const wait = await box(".bar-wait");
  const work = await box(".bar-work");
  assert.ok(wait.width > 2, "the wait is drawn");
  assert.ok(Math.abs(wait.x + wait.width - work.x) < 1, "the processing begins where the wait ends");
  assert.match(await charge.locator(".bar-wait").evaluate((bar) => getComputedStyle(bar).backgroundImage), /gradient/);
  assert.match((await page.locator(".wf-row").first().textContent()) ?? "", /POST \/carts.*pekko-http-1\.0/);

  await charge.click();
  assert.match(page.url(), /#\/trace\/[0-9a-f]{32}\/[0-9a-f]{16}$/);
  const detail = await text(".detail");
  for (const part of ["shop.payment.PaymentGateway", "in the mailbox", "pekko.actor.path", "waiting", "message"]) {
    assert.ok(detail.includes(part), `the detail holds ${part}`);
  }
  await page.reload();
  await page.waitForSelector(".detail h3:text-is('process Charge')");
  await page.keyboard.press("ArrowLeft");
  await until(async () => (await page.locator(".wf-row").count()) < 17, "the children are folded away");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.waitForSelector("tr.actor");

  async function box(part: string) {
    const found = await charge.locator(part).boundingBox();
    assert.ok(found !== null, part);
    return found;
  }
});

test("trace_actorFailed_showsTheException", async () => {
  await open();
  await page.fill("#trace-filter", "checkout");
  await page.keyboard.press("Escape");
  await shortcut("e");
  await page.locator(".trace-row.error:not(:has(.mark.odd))", { hasText: "12 spans" }).first().click();
  await page.locator(".wf-row.error", { hasText: "process Charge" }).click();
  assert.match(await text(".detail-error"), /was declined/);
  assert.match(await text(".detail pre"), /CardDeclinedException.*\n\s+at shop\.payment/);
});

test("trace_parentMissing_saysSo", async () => {
  const traces = server.traces.list(Date.now(), "", false, 500) as { traces: { traceId: string; spans: number }[] };
  const orphaned = traces.traces.find((trace) => trace.spans === 18);
  assert.ok(orphaned !== undefined);
  await page.goto(`http://127.0.0.1:${port}/#/trace/${orphaned.traceId}`);
  await page.waitForSelector("#orphans");
  assert.match(await text(".wf-row .orphan"), /parent not in store/);
});

test("trace_notKept_saysSo", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/trace/${"ab".repeat(16)}`);
  await page.waitForSelector("text=This trace cannot be shown");
  await page.waitForSelector("text=This trace was never taken.");
});

test("tiles_redNumbers_leadToTheirTraces", async () => {
  await open();
  await page.locator("#tile-timeouts a").click();
  await until(
    async () => (await page.locator("#trace-filter").inputValue()) === "event:ask_timeout",
    "it is asked for",
  );
  assert.match(page.url(), /#\/\?q=event%3Aask_timeout$/);
  assert.match((await page.locator("#tile-not-kept").getAttribute("title")) ?? "", /310 ordinary traces beyond 50/);
  assert.match(await text("#tile-not-kept .tile-note"), /6 with trouble/);
});

test("tiles_stuckActor_leadsToItsRowInTrouble", async () => {
  server.fixture.knobs.stuckNow = 1;
  try {
    await open();
    await page.locator("#tile-stuck a").click();
    await page.waitForSelector("#trouble");
    assert.match(page.url(), /#\/trouble\?.*kind=stuck/);
  } finally {
    server.fixture.knobs.stuckNow = 0;
  }
});

test("tiles_spansThatAreNotHere_saySomethingOfHowMany", async () => {
  await open();
  assert.match(await text("#tile-not-kept .tile-value"), /^[\d.,k]+ of [\d.,k]+$/);
  assert.match((await page.locator("#tile-not-kept").getAttribute("title")) ?? "", /of other instrumentation/);
});

test("list_inTheAddress_isSharedAndComeBackTo", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/?q=checkout&errors=true&sort=className`);
  await page.waitForSelector(".trace-row");
  assert.equal(await page.locator("#trace-filter").inputValue(), "checkout");
  assert.equal(await page.getByRole("button", { name: "errors" }).getAttribute("aria-pressed"), "true");
  assert.equal(await page.locator("th.col-className").getAttribute("aria-sort"), "ascending");
  await page.locator(".trace-row").first().click();
  await page.waitForSelector(".wf-row");
  await page.locator(".back").click();
  await page.waitForSelector(".trace-row");
  assert.match(page.url(), /#\/\?q=checkout&errors=true&sort=className$/);
});

test("where_openedAndTypedInto_isAskedWhatWasTyped", async () => {
  await open();
  await page.locator(".places a", { hasText: "Where" }).click();
  await page.waitForSelector("#where-filter");
  await page.keyboard.type("cart-37503");
  assert.equal(await page.locator("#where-filter").inputValue(), "cart-37503");
  await page.keyboard.press("Enter");
  await until(() => Promise.resolve(page.url().endsWith("#/where?q=cart-37503")), "it is asked for");
});

test("keys_textTypedWhereNoFieldIs_isOneShortcutAtMost", async () => {
  await open();
  const seen: string[] = [];
  page.on("framenavigated", () => seen.push(new URL(page.url()).hash));
  await page.keyboard.type("cart-37503-payment");
  await page.waitForSelector(".members");
  assert.deepEqual(seen, ["#/cluster"]);
});

test("traces_queryTypedInOneView_isNotInTheOther", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/traces`);
  await page.fill("#trace-filter", "-37503");
  await page.waitForSelector("text=No trace found");
  await page.locator(".places a", { hasText: "Overview" }).click();
  await page.waitForSelector("tr.actor");
  await page.waitForSelector(".trace-row");
  assert.equal(await page.locator("#trace-filter").inputValue(), "");
  assert.match(page.url(), /#\/$/);
});

test("search_refused_saysWhy", async () => {
  server.hasStream = false;
  await page.route("**/api/traces?*", (route) =>
    route.fulfill({ status: 400, json: { error: "duration>5: needs a number with a unit" } }),
  );
  await open();
  await page.waitForSelector("text=needs a number with a unit");
});

test("trace_nextError_goesFromOneToTheNext", async () => {
  await open();
  await shortcut("e");
  await page.locator(".trace-row.error:not(:has(.mark.odd))", { hasText: "12 spans" }).first().click();
  await page.locator(".next-error").click();
  await page.waitForSelector(".wf-row.selected.error");
  const first = page.url();
  await shortcut("n");
  await until(async () => page.url() !== first || (await text(".next-error")).startsWith("1 error "), "the next one");
});

test("charts_pageOpenedLate_haveAPast", async () => {
  await open();
  await until(async () => {
    const shown = await page.locator(".chart canvas").first().getAttribute("width");
    return shown !== null;
  }, "a chart");
  const past = page.waitForResponse("**/api/history");
  await page.reload();
  assert.equal((await past).status(), 200);
  await page.waitForSelector(".chart canvas");
  // The readout under the middle of the chart tells of a time before the page was opened.
  const box = await page.locator(".chart .u-over").first().boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await until(async () => /messages \d/.test(await text(".readout")), "a figure of the past");
});

test("wideWindow_header_isALineOfFactsAndOneOfPlaces", async () => {
  server.fixture.knobs.problems = [];
  await open();
  for (const line of ["header .top", "header .places"]) {
    const box = await page.locator(line).boundingBox();
    assert.ok(box !== null && box.height <= 44, `${line} is ${box?.height} pixels high`);
  }
});

test("tiles_inEachWidth_areNotCut", async () => {
  for (const width of [1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await open();
    const cut = await page.locator(".tile dt, .tile .tile-note").evaluateAll((parts) =>
      parts
        .filter((part) => {
          const text = document.createRange();
          text.selectNodeContents(part);
          return text.getBoundingClientRect().width > part.getBoundingClientRect().width;
        })
        .map((part) => part.textContent),
    );
    assert.deepEqual(cut, [], `${width}: texts of tiles that are cut off`);
  }
});

test("header_inEachWidth_namesServiceAndWhereSpansGoUncut", async () => {
  server.fixture.knobs.service = "webshop-orders";
  server.fixture.knobs.export = "http/protobuf http://collector.observability.svc.cluster.local:4318";
  for (const width of [1440, 1024, 400]) {
    await page.setViewportSize({ width, height: 900 });
    await open();
    const said = (await text("header .service")).replaceAll(/\s+/g, " ");
    assert.match(
      said,
      /^webshop-orders ?actor system shop.*up \d.*Pekko 1\.7\.0.*JDK 17.*spans to http\/protobuf http:\/\/collector\..*:4318$/,
    );
    const wrong = await page
      .locator("header a, header h1, header .facts li, header .top-right > *")
      .evaluateAll((parts) => {
        const boxes = parts.map((part) => ({ part, box: part.getBoundingClientRect() }));
        return boxes
          .filter(
            ({ part, box }, i) =>
              box.width === 0 ||
              box.right > innerWidth ||
              part.scrollWidth > part.clientWidth + 1 ||
              boxes.some(
                (other, j) =>
                  i < j &&
                  !part.contains(other.part) &&
                  box.left < other.box.right - 1 &&
                  other.box.left < box.right - 1 &&
                  box.top < other.box.bottom - 1 &&
                  other.box.top < box.bottom - 1,
              ),
          )
          .map(({ part }) => part.textContent);
      });
    assert.deepEqual(wrong, [], `${width}: unseen, cut or over another`);
    const beyond = await page
      .locator(".chart .panel-head")
      .evaluateAll((heads) => heads.filter((head) => head.scrollWidth > head.clientWidth + 1).length);
    assert.equal(beyond, 0, `${width}: heads of charts that are wider than their charts`);
  }
});

test("trace_fiveThousandSpans_drawsOnlyWhatIsInView", async () => {
  server.traces.largeSpans = 5000;
  await page.goto(`http://127.0.0.1:${port}/#/trace/${"5000".repeat(8)}`);
  await page.waitForSelector(".wf-row");
  assert.match(await text(".trace-head"), /5,000 spans/);
  assert.ok((await page.locator(".wf-row").count()) < 100);
  await page.locator(".wf-scroll").press("End");
  await until(
    async () => (await page.locator(".wf-row.selected").count()) === 1,
    "the last span is chosen and in view",
  );
  const last = await page.locator(".wf-row.selected").boundingBox();
  assert.ok(last !== null && last.y < 900);
});

test("actors_thousandsOfClasses_areCappedAndItIsSaid", async () => {
  server.fixture.knobs.extraClasses = 3000;
  await open();
  assert.equal(await page.locator("tr.actor").count(), 100);
  assert.match(await text(".actors .more"), /100 of 3,009 classes are shown/);
  await page.fill("#actor-filter", "Worker2999");
  await until(async () => (await page.locator("tr.actor").count()) === 1, "the filter reaches those not shown");
});

test("actors_classesWithoutARow_areSaidToBeLeftOut", async () => {
  server.fixture.knobs.classesLeftOut = 9000;
  await open();
  assert.match(await text("#tile-actors-live .tile-note"), /of 9,009 classes/);
  assert.match(await text(".actors .more"), /the 9 busiest of 9,009 classes/);
  await page.locator(".actors .more a").click();
  await page.waitForSelector("tr.actor-row");
});

test("actors_classesThatAreCountedTogether_areNamed", async () => {
  server.fixture.knobs.folded = { actorClasses: 5_904, messagePairs: 12 };
  server.actors.other = { classes: 5_904, most: [{ class: "shop.cart.ShoppingCart", living: 7 }] };
  await open();
  assert.match(await text(".actors .others"), /about 5,904 classes.*and the messages of 12 rarer pairs/);
  await page.locator(".actors .others a").click();
  await page.waitForSelector("tr.actor-row");
  assert.match(await text(".actor-list .others"), /of 5,904 classes beyond.*ShoppingCart \(7\)/);
  await page.locator(".actor-list .others a").click();
  await until(async () => (await page.locator(".actor-list .others").count()) === 0, "one class, its own");
});

test("spansDropped_aboveZero_isLoud", async () => {
  await open();
  assert.equal(await page.locator("#tile-dropped-spans.alarm").count(), 0);
  server.fixture.knobs.spansDropped = 12_345;
  await page.waitForSelector("#spans-dropped");
  assert.match(await text("#spans-dropped"), /12,345 spans dropped/);
  assert.equal(await page.locator("#spans-dropped").getAttribute("role"), "alert");
  assert.equal(await page.locator("#tile-dropped-spans.alarm").count(), 1);
});

test("hooksMissing_someAre_namesThem", async () => {
  server.fixture.knobs.missingHooks = ["ActorCell.invoke", "Mailbox.run"];
  server.fixture.knobs.problems = ["deimos.page.port = 9797 is in use; set deimos.page.port to another one"];
  await open();
  assert.match(await text("#hooks-missing"), /2 hooks missing on Pekko 1\.7\.0: ActorCell\.invoke, Mailbox\.run/);
  assert.match(await text("#problem-0"), /9797 is in use/);
  assert.match(await text(".badge.warn"), /12 of 14/);
});

test("settings_withoutTheToken_sayWhatToDoAndTakeIt", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/settings`);
  await page.waitForSelector("tr.setting");
  assert.equal(await page.locator("tr.setting select, tr.setting input").count(), 0);
  assert.match(await text("#control-token"), /deimos: page at .*#token=/);
  await page.fill("#control-token input", TOKEN);
  await page.keyboard.press("Enter");
  await setting("deimos.tracing.asks").locator("select").waitFor();
  assert.equal(await page.locator("#control-token").count(), 0);
});

test("settings_changed_holdAndCanBeUndone", async () => {
  await page.goto(`http://127.0.0.1:${port}/#token=${TOKEN}`);
  await page.waitForSelector("tr.actor");
  assert.doesNotMatch(page.url(), /token/);
  await shortcut("s");
  await page.waitForSelector("tr.setting");
  assert.match(page.url(), /#\/settings$/);
  assert.equal(await page.locator("tr.setting").count(), 6);
  const asks = setting("deimos.tracing.asks");
  assert.match(
    (await asks.textContent()) ?? "",
    /default.*What deimos\.tracing\.asks does, as in Telemetry \(docs\/telemetry\.md\)\..*Cost: a comparison/s,
  );
  assert.equal(await asks.locator(".said code").textContent(), "deimos.tracing.asks");
  await asks.locator("select").selectOption("false");
  await until(async () => /this page/.test((await asks.textContent()) ?? ""), "the change is shown");
  assert.equal(server.settings.changed.get("deimos.tracing.asks"), "false");
  await asks.getByRole("button", { name: "undo" }).click();
  await until(async () => (await asks.locator("select").inputValue()) === "true", "it is undone");
  assert.equal(server.settings.changed.size, 0);

  const stuck = setting("deimos.stuck.threshold");
  await stuck.locator("input").fill("3s");
  await stuck.locator("input").press("Enter");
  await until(async () => server.settings.changed.get("deimos.stuck.threshold") === "3s", "a text is set");
  await until(async () => (await stuck.locator(".text-button").count()) === 1, "only undo is left");

  const fixed = setting("deimos.page.port");
  assert.equal(await fixed.locator("input, select").count(), 0);
  assert.match((await fixed.textContent()) ?? "", /not from this page/);

  await page.fill("#setting-filter", "tail");
  await until(async () => (await page.locator("tr.setting").count()) === 1, "one setting is left");
});

test("settings_inSections_sayInOneSentenceWhatTheyDoAndTheRestOnDemand", async () => {
  await page.goto(`http://127.0.0.1:${port}/#token=${TOKEN}`);
  await page.goto(`http://127.0.0.1:${port}/#/settings`);
  await page.waitForSelector("tr.setting");
  assert.deepEqual(await page.locator(".setting-section").allTextContents(), [
    "Tracing 2",
    "Chosen actors and messages 2",
    "Incidents and findings 1",
    "This page 1",
  ]);
  const said = setting("deimos.page.port").locator(".said");
  assert.equal(await said.getByText("Cost:").isVisible(), false);
  await said.locator("summary").click();
  await said.getByText("Cost:").waitFor();
  await page.locator(".setting-index button", { hasText: "This page" }).click();
  await until(async () => ((await said.boundingBox())?.y ?? 0) > 80, "the section is in view, below the head");
  await setting("deimos.tracing.asks").locator("select").selectOption("false");
  await page.locator("#set-only").check();
  await until(async () => (await page.locator("tr.setting").count()) === 1, "the one that was changed");
});

test("settings_refused_saysWhyAndKeepsWhatWas", async () => {
  await page.goto(`http://127.0.0.1:${port}/#token=${TOKEN}`);
  await page.goto(`http://127.0.0.1:${port}/#/settings`);
  const stuck = setting("deimos.stuck.threshold");
  await stuck.locator("input").fill("soon");
  await stuck.getByRole("button", { name: "set" }).click();
  await stuck.locator(".refused").waitFor();
  assert.match((await stuck.locator(".refused").textContent()) ?? "", /soon is not a duration/);
  assert.equal(server.settings.changed.size, 0);
  await stuck.locator("input").press("Escape");
  assert.equal(await stuck.locator("input").inputValue(), "10s");
});

test("preset_begun_countsDownEverywhereAndEndsByClickOrByItself", async () => {
  await page.goto(`http://127.0.0.1:${port}/#token=${TOKEN}`);
  await page.goto(`http://127.0.0.1:${port}/#/settings`);
  const closely = page.locator("#preset-look-closely");
  await closely.waitFor();
  assert.match((await closely.textContent()) ?? "", /Does what look-closely does\..*Cost: a record for each message/s);
  await closely.locator("summary").click();
  assert.match((await closely.locator("li").first().textContent()) ?? "", /deimos\.tracing\.asks false → true/);
  assert.equal(await closely.locator("select").inputValue(), "5m");
  assert.equal(await page.locator("#preset-production select").inputValue(), "");
  await closely.getByRole("button", { name: "begin" }).click();
  await until(async () => /^4:5\d left$/.test((await closely.locator(".badge").textContent()) ?? ""), "it counts down");
  await until(async () => /^look closely 4:5\d$/.test(await text("#preset-badge")), "the head tells of it");
  await page.locator("#preset-production").getByRole("button", { name: "begin" }).click();
  await until(async () => /holds now/.test(await text("#preset-production")), "another one holds");
  await until(async () => (await text("#preset-badge")) === "production", "the head tells of the strongest");
  await page.locator("#preset-production").getByRole("button", { name: "end now" }).click();
  await until(async () => /^look closely 4:/.test(await text("#preset-badge")), "the one below it shows again");
  await page.locator("header a", { hasText: "overview" }).first().click();
  await page.waitForSelector("tr.actor");
  await page.locator("#preset-badge").click();
  await closely.getByRole("button", { name: "end now" }).click();
  await until(async () => (await page.locator("#preset-badge").count()) === 0, "it is ended");
  assert.match(await text(".history"), /the page: ended look-closely/);

  server.settings.changes = [];
  await closely.locator("select").selectOption("30s");
  await closely.getByRole("button", { name: "begin" }).click();
  await until(async () => /^0:(30|2\d) left$/.test((await closely.locator(".badge").textContent()) ?? ""), "seconds");
  server.settings.changes = server.settings.changes.map((change) => ({ ...change, endMillis: Date.now() }));
  await until(async () => (await closely.locator(".badge").count()) === 0, "it has ended by itself");
  assert.match(await text(".history"), /deimos\.tracing\.asks false → true/);
});

test("preset_refused_saysWhyBeforeItIsTried", async () => {
  server.settings.refused = "deimos.tracing.enabled cannot change while the application runs";
  await page.goto(`http://127.0.0.1:${port}/#token=${TOKEN}`);
  await page.goto(`http://127.0.0.1:${port}/#/settings`);
  await page.waitForSelector("#preset-production .refused");
  assert.match(await text("#preset-look-closely .refused"), /cannot change while the application runs/);
  assert.equal(await page.locator("#preset-look-closely .toggle").isDisabled(), true);
});

test("presets_withoutTheToken_sayWhatTheyDoAndHaveNoButton", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/settings`);
  await page.waitForSelector("#preset-production");
  assert.equal(await page.locator(".preset button").count(), 0);
});

test("settings_changedForATime_sayHowMuchIsLeft", async () => {
  await page.goto(`http://127.0.0.1:${port}/#token=${TOKEN}`);
  await page.goto(`http://127.0.0.1:${port}/#/settings`);
  await page.locator("#changes-hold").selectOption("30s");
  await setting("deimos.tracing.asks").locator("select").selectOption("false");
  await until(async () => /asks=false.*by the page, 0:(30|2\d) left/.test(await text(".changes")), "it counts down");
  await page.locator(".changes").first().getByRole("button", { name: "end now" }).click();
  await until(async () => (await page.locator(".changes").count()) === 1, "only the history is left");
  await page.locator("#changeable-only").check();
  assert.equal(await setting("deimos.page.port").count(), 0);
  assert.equal(await setting("deimos.tracing.asks").count(), 1);
});

test("tracing_ofOneClass_isStoppedAndResumedWhereTheClassIs", async () => {
  await page.goto(`http://127.0.0.1:${port}/#token=${TOKEN}`);
  await page.waitForSelector("tr.actor");
  await actor("ShoppingCart").locator(".disclose").click();
  await page.getByRole("button", { name: "stop tracing: AddItem" }).click();
  await page.getByRole("button", { name: "trace again: AddItem" }).waitFor();
  assert.match(server.settings.changed.get("deimos.messages.never") ?? "", /ShoppingCart\$AddItem/);
  await page.getByRole("button", { name: "trace again: AddItem" }).click();
  await page.getByRole("button", { name: "stop tracing: AddItem" }).waitFor();
  assert.equal(server.settings.changed.size, 0);
});

test("tracing_stoppedWithoutTheToken_goesOnOnceItIsGiven", async () => {
  await open();
  await actor("ShoppingCart").locator(".disclose").click();
  await page.getByRole("button", { name: "stop tracing: AddItem" }).click();
  assert.match(await text("#control-token"), /then stop tracing: AddItem goes on/);
  await page.fill("#control-token input", TOKEN);
  await page.keyboard.press("Enter");
  await page.waitForSelector("tr.actor");
  assert.match(server.settings.changed.get("deimos.messages.never") ?? "", /ShoppingCart\$AddItem/);
});

test("heads_clickedAnywhereInTheirCell_sort", async () => {
  for (const [view, column] of [
    ["#/", ".actors th.col-failed"],
    ["#/actors", ".actor-list th.col-failures"],
  ] as const) {
    await page.goto(`http://127.0.0.1:${port}/${view}`);
    const head = page.locator(column);
    await head.waitFor();
    await head.click({ position: { x: 3, y: 3 } });
    await until(async () => (await head.getAttribute("aria-sort")) === "descending", `${column} sorts`);
    await head.locator("button").press("Enter");
    await until(async () => (await head.getAttribute("aria-sort")) === "ascending", `${column} sorts by the keyboard`);
  }
});

test("settings_below_showWhatIsNotKept", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/settings`);
  await page.waitForSelector("#traces-cut");
  assert.match(await text("#traces-cut"), /Traces cut3/);
  assert.match(await text("#store-not-kept"), /1,234.*25\.0 %/);
  assert.match(await text("#tail-let-go"), /2,345normal 2,345/);
  assert.match(await text("#tail-kept"), /failure 21, share 4/);
});

test("serverGone_comesBack_isSaidAndHeals", async () => {
  await open();
  await server.stop();
  await page.waitForSelector("#disconnected");
  assert.match(await text("#disconnected"), /No answer from the JVM since \d\d:\d\d:\d\d/);
  assert.match(await text(".live.lost"), /no answer/);
  assert.match(await page.title(), /^⚠/);
  assert.equal(await page.locator("tr.actor").count(), 9, "the last figures stay");
  await server.start(port);
  await page.waitForSelector("#disconnected", { state: "detached" });
  assert.match(await text(".live"), /live/);
  server.fixture.knobs.restarts = 5000;
  await page.waitForSelector("#restarted");
});

test("tab_hidden_asksForNothing", async () => {
  await page.clock.install();
  await open();
  await page.waitForSelector(".trace-row");
  await see("hidden");
  let asked = 0;
  page.on("request", () => asked++);
  await page.clock.runFor(60_000);
  assert.equal(asked, 0);
  await see("visible");
  await until(async () => asked >= 2, "it asks again");

  async function see(visibility: string) {
    await page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { get: () => state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, visibility);
  }
});

test("actors_listed_areFoundSortedAndShared", async () => {
  await open();
  await page.locator("header a", { hasText: "actors" }).click();
  await page.waitForSelector("tr.actor-row");
  assert.match(page.url(), /#\/actors$/);
  assert.match(await text(".actor-list .panel-note"), /240 of 240 living actors/);
  const first = async () => await text("tr.actor-row >> nth=0");
  assert.equal(await page.locator(".actor-list th.col-mailbox").getAttribute("aria-sort"), "descending");
  await page.locator(".actor-list th.col-messages button").click();
  await until(async () => (await first()).includes("paymentgateway-239"), "the busiest is first");
  assert.match(page.url(), /#\/actors\?sort=-messages$/);
  await page.keyboard.press("/");
  await page.keyboard.type("cart-12");
  await until(async () => /^5 of 240/.test(await text(".actor-list .panel-note")), "some are found");
  assert.match(page.url(), /q=cart-12/);
  await page.reload();
  await until(async () => /^5 of 240/.test(await text(".actor-list .panel-note")), "the same after a reload");
  assert.equal(await page.locator("#actors-filter").inputValue(), "cart-12");
  await page.fill("#actors-filter", "no such actor");
  await page.waitForSelector("text=No actor matches");
  await page.locator("text=Show all").click();
  await until(async () => /^240 of 240/.test(await text(".actor-list .panel-note")), "all again");
});

test("actors_aMillion_drawsOnlyWhatIsInView", async () => {
  server.hasStream = false;
  await page.route("**/api/v1/actors?*", (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const offset = Number(asked.get("offset"));
    const limit = Number(asked.get("limit"));
    assert.ok(limit <= 500, `${limit} rows at once`);
    const actors = Array.from({ length: Math.min(limit, 1_000_000 - offset) }, (_, i) => ({
      id: offset + i + 1,
      path: `pekko://shop/user/many-${offset + i}`,
      class: "shop.Many",
      messages: offset + i,
    }));
    return route.fulfill({
      json: {
        nowMillis: 1,
        total: 1_000_000,
        living: 1_000_000,
        offset,
        known: { recordedShare: 1, mailboxes: 20_000 },
        actors,
      },
    });
  });
  await page.goto(`http://127.0.0.1:${port}/#/actors?sort=messages`);
  await until(async () => (await text(".actor-list .panel-note")).startsWith("1,000,000 of"), "a million");
  assert.match(await text(".actor-doubts"), /Only 20,000 mailboxes are looked into/);
  await page.locator(".actor-scroll").evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await page.waitForSelector("tr.actor-row >> text=many-999999");
  await page.locator(".actor-scroll").evaluate((box) => box.scrollTo(0, box.scrollHeight / 2));
  await page.waitForSelector("tr.actor-row >> text=/many-500\\d{3}/");
  assert.ok((await page.locator("tr.actor-row").count()) < 100);
});

test("actors_asTree_leadDownAndUp", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/actors`);
  await page.locator(".crumb", { hasText: "shop/user" }).click();
  await until(async () => (await page.locator("tr.actor-row").count()) === 3, "the top ones");
  await page.locator("tr.actor-row", { hasText: "inventory" }).locator(".children").click();
  await until(async () => /^79 of 240/.test(await text(".actor-list .panel-note")), "its children");
  assert.match(page.url(), /parent=pekko%3A%2F%2Fshop%2Fuser%2Finventory/);
  await page.goBack();
  await until(async () => (await page.locator("tr.actor-row").count()) === 3, "back at the top ones");
});

test("actor_opened_showsMessagesAndPeersAndLeadsOn", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/actor/shop/user/inventory/inventory-4`);
  await page.waitForSelector(".last-messages tbody tr");
  const facts = await text(".actor-facts");
  for (const said of ["default-dispatcher", "UnboundedMailbox", "processes shop.payment", "no"]) {
    assert.ok(facts.includes(said), `the facts hold ${said}`);
  }
  assert.equal(await page.locator(".last-messages tbody tr").count(), 50);
  assert.equal(await page.locator(".last-messages .mark.bad").count(), 1);
  assert.match(await text(".last-messages .panel-note"), /last 131,072 messages of all actors, 1 min 30 s back/);
  assert.match(await text("section.peers"), /paymentgateway-5.*1 failed.*34/);
  assert.match(await text(".actor-settings"), /sampling0\.5pekko\.actor\.deployment/);
  await page.locator(".actor-facts a", { hasText: "/user/inventory/**" }).click();
  await until(async () => /^80 of 240/.test(await text(".actor-list .panel-note")), "all actors of its group");
  assert.match(page.url(), /#\/actors\?group=/);
  await page.goBack();
  await page.waitForSelector("section.peers a");
  await page.locator("section.peers a").first().click();
  assert.match(page.url(), /#\/actor\/shop\/user\/paymentgateway\/paymentgateway-5$/);
  await page.goBack();
  await page.locator(".last-messages th a").first().click();
  assert.match(page.url(), /#\/trace\/(5000){8}\/0{16}$/);
});

test("actor_gone_saysSo", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/actor/shop/user/nobody`);
  await page.waitForSelector("text=This actor is not here");
  await page.waitForSelector("text=no such actor lives now: pekko://shop/user/nobody");
});

test("actors_fewRecorded_saysSo", async () => {
  server.actors.recordedShare = 0.1;
  await page.goto(`http://127.0.0.1:${port}/#/actors`);
  await page.waitForSelector("text=About 10 % of the messages were recorded");
});

test("actors_ofAClassAndOfASpan_areOneClickAway", async () => {
  await open();
  await actor("PaymentGateway").locator("td a").first().click();
  await page.waitForSelector(".chip");
  assert.match(page.url(), /#\/actors\?class=shop\.payment\.PaymentGateway$/);
  await until(async () => /^80 of 240/.test(await text(".actor-list .panel-note")), "those of the class");
  await page.goto(`http://127.0.0.1:${port}/#/`);
  await page.fill("#trace-filter", "checkout");
  await page.locator(".trace-row", { hasText: "17 spans" }).first().click();
  await page.locator(".wf-row", { hasText: "process Charge" }).first().click();
  await page.locator(".detail-actor a").first().click();
  assert.match(page.url(), /#\/actor\/shop\/user\//);
});

test("trace_savedAndOpened_isShownFromTheFile", async () => {
  await open();
  await page.fill("#trace-filter", "checkout");
  await page.locator(".trace-row", { hasText: "17 spans" }).first().click();
  await page.waitForSelector(".wf-row");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(".trace-head button", { hasText: "save" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^trace-[0-9a-f]{32}\.json$/);
  const saved = (await readFile(await download.path(), "utf8")).replace(
    /"traceId":"[0-9a-f]{32}"/g,
    `"traceId":"${"ab".repeat(16)}"`,
  );
  await page.locator(".trace-head .back").click();
  await page.setInputFiles("#open-traces", {
    name: "t.json",
    mimeType: "application/json",
    buffer: Buffer.from(saved),
  });
  await page.waitForSelector(".mark:text-is('from a file')");
  assert.equal(await page.locator(".wf-row").count(), 17);
  await page.locator(".trace-head .back").click();
  await page.waitForSelector(".opened-traces a");
  await page.setInputFiles("#open-traces", { name: "no.json", mimeType: "application/json", buffer: Buffer.from("x") });
  await page.waitForSelector("text=Not opened: no.json: the file is no JSON");
  await page.locator(".opened-traces button").click();
  await until(async () => (await page.locator(".opened-traces").count()) === 0, "closed");
});

test("map_edgeChosen_showsItsMessagesAndLeadsToItsTraces", async () => {
  await open();
  await shortcut("m");
  await page.waitForSelector(".map-node");
  assert.equal(await page.locator(".map-node").count(), 6);
  assert.equal(await page.locator(".map-edge").count(), 7);
  assert.equal(await page.locator(".map-edge.bad").count(), 1, "where messages fail stands out");
  assert.equal(await page.locator(".map-edge.odd").count(), 1, "and where they wait for long");
  const boxes = await page.locator(".map-node > rect:first-of-type").evaluateAll((all) =>
    all.map((one) => {
      const { x, y, right, bottom } = one.getBoundingClientRect();
      return { x, y, right, bottom };
    }),
  );
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) {
      assert.ok(a.right < b.x || b.right < a.x || a.bottom < b.y || b.bottom < a.y, "no node covers another");
    }
  }
  await page.locator(".map-edge.bad .map-hit").click({ force: true });
  await page.waitForSelector(".map-card");
  assert.match(page.url(), /#\/map\?chosen=class%3A/);
  assert.match(await text(".map-card"), /ShoppingCart → PaymentGateway.*failed12, 0\.4 %.*Charge3,300/);
  await page.locator(".map-card a", { hasText: "all its traces" }).click();
  await page.waitForSelector("#trace-filter");
  assert.equal(
    await page.locator("#trace-filter").inputValue(),
    "sender:shop.cart.ShoppingCart actor:shop.payment.PaymentGateway",
  );
  await page.goBack();
  await page.waitForSelector(".map-card");
  await page.locator(".map-card a", { hasText: "failed trace" }).click();
  assert.match(page.url(), /#\/trace\/(5000){8}\/0{16}$/);
});

test("map_keyboardAlone_findsAndOpensAClass", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/map`);
  await page.waitForSelector(".map-edges tbody tr");
  await page.keyboard.press("/");
  await page.keyboard.type("charge");
  await until(async () => (await page.locator(".map-edges tbody tr").count()) === 1, "one edge is left");
  await page.locator(".map-edges tbody button").press("Enter");
  await page.waitForSelector(".map-card");
  await page.keyboard.press("Escape");
  await page.goto(`http://127.0.0.1:${port}/#/map?chosen=class%3Ashop.payment.PaymentGateway`);
  await page.getByRole("button", { name: "show its actors here" }).click();
  await page.waitForSelector(".map-node-name:text-is('actor:2')");
  assert.match(page.url(), /open=shop\.payment\.PaymentGateway/);
  await page.locator(".map-node", { hasText: "actor:2" }).click();
  await page.getByRole("button", { name: "show as one class" }).click();
  await until(async () => (await page.locator(".map-node", { hasText: "actor:2" }).count()) === 0, "closed again");
});

test("map_fromSecondToSecond_keepsItsPlaces", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/map`);
  await page.waitForSelector(".map-node");
  const places = () =>
    page.locator(".map-node").evaluateAll((all) => all.map((one) => one.getAttribute("transform")).join());
  const before = await places();
  const asked = server.mapsAsked;
  await until(() => Promise.resolve(server.mapsAsked >= asked + 2), "another map");
  assert.equal(await places(), before);
  await page.reload();
  await page.waitForSelector(".map-node");
  assert.equal(await places(), before, "the same after a reload");
});

test("trouble_ofManyKinds_isGroupedAndLeadsToTraceAndActor", async () => {
  await open();
  await page.locator("header a", { hasText: "trouble" }).click();
  await page.waitForSelector(".trouble-group");
  assert.equal(await page.locator(".trouble-group").count(), 3);
  assert.match(await text(".trouble-row"), /^10\.0k.*failures.*the card was declined/);
  await page.locator(".trouble-row").first().click();
  await page.waitForSelector(".trouble-examples li");
  assert.match(page.url(), /#\/trouble\?open=1$/);
  assert.match(await text(".trouble-examples pre"), /PaymentGateway\.charge/);
  assert.match(
    await text(".trouble-before summary"),
    /Before that, shop\/user\/paymentgateway had processed 3 messages/,
  );
  await page.locator(".trouble-before summary").first().click();
  await page.waitForSelector(".trouble-before tr.failed >> visible=true");
  await page.locator(".trouble-kinds a", { hasText: "time-outs" }).click();
  await until(async () => (await page.locator(".trouble-group").count()) === 1, "one kind is left");
  assert.match(page.url(), /#\/trouble\?kind=ask_timeout$/);
  await page.goBack();
  await page.waitForSelector(".trouble-examples li");
  await page.locator(".trouble-links a", { hasText: "paymentgateway" }).first().click();
  assert.match(page.url(), /#\/actor\/shop\/user\/paymentgateway$/);
  await page.goBack();
  await page.locator(".trouble-links a", { hasText: "trace" }).first().click();
  assert.match(page.url(), /#\/trace\/(5000){8}$/);
});

test("check_findings_areOneClickAwayAndLeadToTheirEvidence", async () => {
  await open();
  await until(async () => (await text("#tile-check .tile-value")) === "3", "the tile counts them");
  assert.equal(await text("#tile-check .tile-note"), "1 critical");
  await page.locator("#tile-check a").click();
  await page.waitForSelector(".finding");
  assert.match(page.url(), /#\/check$/);
  assert.deepEqual(await page.locator(".findings-head").allTextContents(), ["Critical 1", "Warnings 1", "Advice 1"]);
  const first = page.locator(".finding").first();
  assert.match(
    (await first.innerText()).replaceAll(/\s+/g, " "),
    /blocked a thread.* since \d\d:\d\d:\d\d, 14 s it is certain thread-blocked.*Costs One of 8 threads.*Do Answer with pipeToSelf.*See Threads/,
  );
  assert.match((await first.textContent()) ?? "", /CardNetwork\.java:88/);
  await first.locator(".finding-facts a", { hasText: "shop/user/paymentgateway" }).click();
  assert.match(page.url(), /#\/actor\/shop\/user\/paymentgateway$/);
  await page.goBack();
  await page.locator(".finding-evidence", { hasText: "See Trouble" }).click();
  await until(async () => (await page.locator(".trouble-kinds").count()) === 1, "the trouble is shown");
  assert.match(page.url(), /#\/trouble\?kind=dead_letter$/);
  await shortcut("k");
  await page.waitForSelector(".finding");
  await shortcut("/");
  await page.keyboard.type("stop dead");
  await until(async () => (await page.locator(".finding").count()) === 1, "one is found");
  assert.match(page.url(), /#\/check\?q=stop\+dead$/);
});

test("check_newFindingUnderThePointer_waitsAndSaysSo", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/check`);
  await page.locator(".finding").nth(1).hover();
  const place = await page.locator(".finding").nth(1).boundingBox();
  server.check.worse = true;
  await page.locator(".held-mark", { hasText: "1 newer" }).waitFor();
  assert.deepEqual(await page.locator(".finding").nth(1).boundingBox(), place);
  assert.doesNotMatch(await text(".findings"), /mailbox-grows/);
  await page.mouse.move(1, 1);
  await until(async () => /mailbox-grows/.test(await text(".finding")), "it is shown once the pointer is elsewhere");
});

test("check_nothingFound_saysWhoLookedAndWhatIsNotShown", async () => {
  server.check.any = false;
  await page.goto(`http://127.0.0.1:${port}/#/check`);
  await page.waitForSelector("text=Nothing found");
  await page.waitForSelector("text=20 rules looked at this process and the last 10 min 00 s of it.");
  server.check.ignored = 2;
  server.check.failed = 1;
  server.check.knownMillis = 12_000;
  await page.waitForSelector("text=2 findings that deimos.check.ignore accepts are not shown.");
  await page.waitForSelector("text=1 rule failed and found nothing; each is a finding here.");
  await page.waitForSelector("text=Only 12 s are known so far");
  await page.goto(`http://127.0.0.1:${port}/#/`);
  await until(async () => (await text("#tile-check")) === "Check0nothing found", "the tile says so");
});

test("check_off_saysWhyAndHasNoTile", async () => {
  server.check.absent = "nothing is checked: deimos.check.enabled=false";
  await page.goto(`http://127.0.0.1:${port}/#/check`);
  await page.waitForSelector("text=nothing is checked: deimos.check.enabled=false");
  await page.goto(`http://127.0.0.1:${port}/#/`);
  await page.waitForSelector("tr.actor");
  await until(async () => (await page.locator("#tile-check").count()) === 0, "no tile");
});

test("where_isMyMessage_isFoundByAWordAndLeadsToItsTrace", async () => {
  server.traces.largeSpans = 40;
  await open();
  await shortcut("w");
  await page.waitForSelector("#where-filter");
  assert.match(page.url(), /#\/where$/);
  await page.keyboard.type("charge");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".where-list li");
  assert.match(page.url(), /#\/where\?q=charge$/);
  assert.equal(await page.locator(".where-list > li").count(), 3);
  assert.match(await text(".where-list > li"), /in a mailbox.*the 3rd in the mailbox of shop\/user\/paymentgateway/s);
  assert.match(await text(".where-list pre"), /cart-17/);
  assert.match(await text(".where-looked"), /12,345 processed messages|12.345 processed messages/);
  await page.locator(".where-list a", { hasText: "trace" }).click();
  await page.waitForSelector(".trace-head");
  await page.locator(".trace-head a", { hasText: "messages" }).click();
  await page.waitForSelector(".where-looked");
  assert.match(page.url(), /#\/where\?q=trace%3A(5000){8}$/);
  await page.locator("#where-filter").fill("nobody-ever");
  await page.keyboard.press("Enter");
  await until(async () => /Never seen/.test(await text(".where")), "it says that it was never seen");
  server.where.refused = "searches have taken more than a twentieth of a core; ask again in 2 s";
  await page.locator("#where-filter").fill("charge");
  await page.keyboard.press("Enter");
  await until(async () => /ask again in 2 s/.test(await text(".where")), "it says why it does not look");
  server.where.refused = null;
});

test("tap_started_showsMessagesAsTheyCome", async () => {
  await open();
  await page.locator("header a", { hasText: "tap" }).click();
  await page.waitForSelector(".tap-form");
  await page.locator("#tap-filter").fill("*Charge");
  await page.locator("#tap-to").fill("/user/*");
  await page.locator(".tap-form button").click();
  await until(async () => (await page.locator(".tap-table tbody tr.failed").count()) === 1, "a failed one came");
  await until(async () => /ended, it has as many as were wanted/.test(await text(".tap")), "the tap says how it ended");
  assert.match(page.url(), /#\/tap\?class=\*Charge&to=%2Fuser%2F\*$/);
  assert.match(await text(".tap .panel-note"), /3 messages of 3, 7 more came faster.*50\.0 %/);
  assert.match(await text(".tap-table pre"), /cart-17/);
  await page.locator("#tap-to").fill("x");
  await page.locator(".tap-form button").click();
  await until(async () => /begins with a slash/.test(await text(".tap")), "it says what is wrong");
});

test("tap_newMessagesUnderThePointer_waitAndItCanBeStopped", async () => {
  server.where.wanted = 1000;
  await page.goto(`http://127.0.0.1:${port}/#/tap`);
  await page.locator(".tap-form button").click();
  const rows = page.locator(".tap-table tbody tr");
  await until(async () => (await rows.count()) >= 2, "two messages");
  await rows.first().hover();
  const before = await rows.count();
  await page.locator(".tap .held-mark", { hasText: /[1-9] newer/ }).waitFor();
  assert.equal(await rows.count(), before, "no row has come under the pointer");
  await page.getByRole("button", { name: "Stop" }).click();
  await until(async () => /of 1,000.*stopped here/.test(await text(".tap .panel-note")), "it says that it is stopped");
  assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0);
  assert.ok((await rows.count()) > before, "all that came are shown");
});

test("trouble_reSortedUnderThePointer_waitsAndSaysHowMuchIsNewer", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/trouble`);
  const first = async () => (await page.locator(".trouble-row").first().textContent()) ?? "";
  await page.locator(".trouble-row").nth(1).hover();
  server.trouble.turned = true;
  server.trouble.more = 700_000;
  await page.locator(".held-mark", { hasText: "2 newer" }).waitFor();
  assert.match(await first(), /710k.*failures/, "it is where it was, with its count of now");
  await page.mouse.move(1, 1);
  await until(async () => /restarts/.test(await first()), "it is sorted anew once the pointer is elsewhere");

  await page.locator(".trouble-row").first().focus();
  server.trouble.turned = false;
  await page.locator(".held-mark").click();
  await until(async () => /failures/.test(await first()), "it is sorted anew where that is asked for");
});

test("trouble_newKindAndNewExamplesUnderThePointer_moveNothing", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/trouble?open=1`);
  await page.waitForSelector(".trouble-examples li");
  const below = page.locator("#trouble-2 .trouble-row");
  await below.hover();
  const place = await below.boundingBox();
  server.trouble.anotherKind = true;
  server.trouble.story = "A much longer story. ".repeat(40);
  server.trouble.more = 1;
  await page.locator(".trouble-about .held-mark", { hasText: "newer example" }).waitFor();
  await page.locator(".panel-tools .held-mark", { hasText: "1 newer" }).waitFor();
  assert.deepEqual(await below.boundingBox(), place);
  assert.equal(await page.locator(".trouble-kinds a", { hasText: "dead letters" }).count(), 0);
  assert.match(await text(".trouble-examples li"), /the card was declined/);
  await page.mouse.move(1, 1);
  await page.locator(".trouble-kinds a", { hasText: "dead letters" }).waitFor();
  assert.match(await text(".trouble-examples li"), /A much longer story/);
});

test("lists_newRowsUnderThePointer_wait", async () => {
  await open();
  await page.locator(".trace-row").nth(2).hover();
  const name = await page.locator(".trace-row").nth(2).getAttribute("href");
  await page.locator(".traces .held-mark", { hasText: "newer" }).waitFor();
  assert.equal(await page.locator(".trace-row").nth(2).getAttribute("href"), name);
  await page.mouse.move(1, 1);
  await until(
    async () => (await page.locator(".trace-row").nth(2).getAttribute("href")) !== name,
    "the newest are shown",
  );
});

test("groups_cutSearch_sayWhatWasNotLookedAt", async () => {
  server.hasStream = false;
  const note = "Traces but for the newest 7 were not looked at.";
  let none = false;
  await page.route("**/api/v1/traces/groups*", async (route) => {
    const json = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...json, ...(none ? { groups: [] } : {}), notLookedAt: [note] } });
  });
  await page.goto(`http://127.0.0.1:${port}/#/traces`);
  await page.locator(".trace-groups .actor-doubts", { hasText: note }).waitFor();
  none = true;
  await page.locator(".trace-groups .empty", { hasText: `No trace found so far${note}` }).waitFor();
});

test("groups_reSortedUnderThePointer_wait", async () => {
  server.hasStream = false;
  let turned = false;
  await page.route("**/api/v1/traces/groups*", async (route) => {
    const json = (await (await route.fetch()).json()) as { groups: unknown[] };
    await route.fulfill({ json: turned ? { ...json, groups: json.groups.reverse() } : json });
  });
  await page.goto(`http://127.0.0.1:${port}/#/traces`);
  const first = page.locator(".trace-group th").first();
  await first.hover();
  const name = await first.textContent();
  turned = true;
  await page.locator(".trace-groups .held-mark", { hasText: "moved" }).waitFor();
  assert.equal(await first.textContent(), name);
  await page.mouse.move(1, 1);
  await until(async () => (await first.textContent()) !== name, "it is sorted anew once the pointer is elsewhere");
});

test("trouble_whatMadeRoomAndWhatDoesNotCome_isSaid", async () => {
  server.trouble.letGo = 3;
  await page.route("**/api/v1/trouble/*", (route) => route.fulfill({ status: 500 }));
  await page.goto(`http://127.0.0.1:${port}/#/trouble?open=1`);
  await page.waitForSelector("text=3 older ones had to make room");
  await page.waitForSelector("text=The examples did not come: the server answered with status 500.");
});

test("trouble_thatGrowsWhileItsExamplesAreAsked_showsThem", async () => {
  let asked = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/v1/trouble/*", async (route) => {
    asked++;
    await answered;
    await route.continue().catch(() => {}); // who gives up has no answer
  });
  await page.goto(`http://127.0.0.1:${port}/#/trouble?open=1`);
  await page.waitForSelector("text=Asking for examples");
  const count = page.locator("#trouble-1 .trouble-count");
  for (const more of [1, 2]) {
    server.trouble.more = more;
    await until(async () => (await count.getAttribute("title"))?.endsWith(`00${more}`) ?? false, "one more");
  }
  assert.equal(asked, 1, "the first request is still open");
  answer();
  await page.waitForSelector(".trouble-examples li");
  await until(() => Promise.resolve(asked === 2), "it asks once more, for what came since");
});

test("trouble_twoWordsTyped_areBothAskedFor", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/trouble`);
  await page.waitForSelector(".trouble-group");
  await shortcut("/");
  await page.keyboard.type("card declined");
  await until(async () => (await page.locator(".trouble-group").count()) === 1, "one row has both");
  assert.match(page.url(), /#\/trouble\?q=card\+declined$/);
});

test("trouble_none_saysWhatWouldBeHere", async () => {
  server.trouble.any = false;
  await page.goto(`http://127.0.0.1:${port}/#/trouble`);
  await page.waitForSelector("text=Nothing has gone wrong");
});

test("threads_ofADispatcher_leadToStackActorAndTrace", async () => {
  await open();
  await page.locator("header a", { hasText: "threads" }).click();
  await page.waitForSelector(".thread-row");
  assert.equal(await page.locator(".thread-row").count(), 3);
  assert.match(await text(".pool-head"), /default-dispatcher.*8 of 8 busy.*31 tasks wait.*waited for 2\.40 s/);
  assert.match(await text(".thread-row"), /dispatcher-4.*PaymentGateway processes Charge.*14\.2 s/);
  await page.locator(".thread-row").first().click();
  await page.waitForSelector(".thread-open pre");
  assert.match(await text(".thread-open pre"), /CardNetwork\.java:88/);
  assert.match(page.url(), /#\/threads\?open=41$/);
  await page.locator(".thread-open a", { hasText: "trace" }).click();
  assert.match(page.url(), /#\/trace\/(5000){8}\/0{15}1$/);
  await page.goBack();
  await page.locator(".check input").check();
  await until(async () => (await page.locator(".thread-row").count()) === 8, "all threads");
  await page.fill("#threads-filter", "dispatcher-10");
  await until(async () => (await page.locator(".thread-row").count()) === 1, "the one");
  await page.locator(".panel-note a", { hasText: "starved 2 times" }).click();
  assert.match(page.url(), /#\/trouble\?kind=starvation$/);
});

test("profile_ofMessages_namesTheBusiestAndItsLines", async () => {
  await open();
  await page.locator("header a", { hasText: "profile" }).click();
  await page.waitForSelector(".profile-row");
  assert.match(await text(".profile-row"), /61 %.*610.*Charge.*PaymentGateway/);
  const own = page.locator(".profile-others .profile-row", { hasText: "Pekko's own: streams" });
  assert.match((await own.textContent()) ?? "", /5\.0 %.*50.*ActorGraphInterpreter/);
  await page.locator(".profile-row button", { hasText: "Charge" }).click();
  assert.match(page.url(), /#\/profile\?class=.*PaymentGateway&message=.*Charge$/);
  await page.waitForSelector("text=Flame graph of Charge");
  const hash = page.locator(".flame-box", { hasText: "Crypt.hash" });
  await hash.click();
  assert.match(await text(".flame-said"), /bank\.Crypt\.hash: 90 %, 550 samples, 550 of them in itself/);
  assert.equal(await hash.evaluate((box) => Math.round((100 * box.clientWidth) / box.parentElement!.clientWidth)), 100);
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowUp");
  assert.match(await text(".flame-said"), /PaymentGateway\.charge/);
  await page.locator(".profile-chosen button", { hasText: "Charge" }).click();
  assert.match(await text(".profile-notes"), /Native code is not sampled.*4 samples at the border of two messages/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("button", { hasText: "save for speedscope" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "profile.speedscope.json");
});

test("profile_ofWaits_namesTheLockAndItsHolder", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/profile`);
  await page.waitForSelector(".profile-row");
  assert.match(await text(".profile-row .parts-bar"), /^$/);
  const bar = await page.locator(".profile-row .parts-bar").first().getAttribute("aria-label");
  assert.match(bar ?? "", /CPU 33 %, Lock 48 %, I\/O 16 %, GC 1\.1 %, Rest 2\.1 %/);
  await page.locator(".profile-row button", { hasText: "Charge" }).click();
  await page.locator(".profile-kinds button", { hasText: "all waits" }).click();
  assert.match(page.url(), /message=.*Charge&time=wait$/);
  assert.match(await text(".profile-causes"), /waited 9\.00 s for: lock of Vault, held by Audit with Audit\.Close/);
  const lock = page.locator(".flame-box", { hasText: "lock of" });
  await lock.click();
  assert.match(await text(".flame-said"), /lock of bank\.Vault.*: 75 %, 9\.00 s, 9\.00 s of it in itself/);
  assert.match(await text(".profile-notes"), /Waits of 1 ms and more count.*7 waits were left out/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("button", { hasText: "save for pprof" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "profile.pb.gz");
});

test("profile_inEachWidth_cutsNoColumnOffAndMessagesComeFirst", async () => {
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`http://127.0.0.1:${port}/#/profile`);
    await page.waitForSelector(".flame-box");
    const beyond = await page
      .locator(".profile-table, .profile-flame, .profile .panel-head")
      .evaluateAll((parts) => parts.filter((part) => part.scrollWidth > part.clientWidth + 1).length);
    assert.equal(beyond, 0, `${width}: parts that are wider than their place`);
    const flame = await page.locator(".profile-flame").boundingBox();
    const table = await page.locator(".profile-table").boundingBox();
    assert.ok(flame !== null && table !== null);
    assert.equal(flame.x > table.x, width === 1440, `${width}: the flame graph is beside the table, or below it`);
  }
  const names = await page.locator(".profile-row button").allTextContents();
  const outside = names.findIndex((name) => /Pekko's own|threads|without a record/.test(name));
  assert.ok(outside > 0 && names.slice(outside).every((name) => !/^Charge/.test(name)), names.join(", "));
});

test("profile_ofASpan_isOfferedWhereItHasSamplesAndElseOneIsStarted", async () => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("api/v1/profile")) {
      asked.push(request.url());
    }
  });
  await open();
  await page.fill("#trace-filter", "checkout");
  await page.locator(".trace-row", { hasText: "17 spans" }).first().click();
  await page.locator(".wf-row", { hasText: "process Charge" }).first().click();
  const next = page.locator(".detail a", { hasText: "profile the next Charge" });
  await next.waitFor();
  assert.deepEqual(asked, [], "to look at a span starts no profile");

  server.fixture.knobs.profiling = true;
  await until(() => Promise.resolve(asked.length > 0), "the profile is asked");
  await next.waitFor();
  server.profile.spans = true;
  await page.locator(".wf-row", { hasText: "process Checkout" }).first().click();
  await page.locator(".wf-row", { hasText: "process Charge" }).first().click();
  await page.locator(".detail a", { hasText: "its profile" }).click();
  await page.waitForSelector(".flame-box");

  await page.goBack();
  server.fixture.knobs.profiling = false;
  await page.reload();
  await next.click();
  await page.waitForSelector(".flame-box");
  assert.match(page.url(), /#\/profile\?class=.*PaymentGateway&message=.*Charge$/);
});

test("profile_noFlightRecorder_saysWhy", async () => {
  server.profile.absent = "there is no profile: this Java runtime has no module jdk.jfr.";
  await page.goto(`http://127.0.0.1:${port}/#/profile`);
  await page.waitForSelector("text=no module jdk.jfr");
});

test("threads_noDispatcher_saysWhy", async () => {
  server.threads.any = false;
  await page.goto(`http://127.0.0.1:${port}/#/threads`);
  await page.waitForSelector("text=No dispatcher is known");
});

test("dump_savedAndOpened_isShownWithItsTime", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/settings`);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("#dump-save").click()]);
  assert.match(saved.suggestedFilename(), /^deimos-.*\.json\.gz$/);
  const file = await saved.path();
  await page.route("**/api/**", (route) => route.abort());
  await page.goto(`http://127.0.0.1:${port}/?later#/`);
  await page.waitForSelector("text=The JVM does not answer");
  await page.setInputFiles("#dump-open", { name: "no.gz", mimeType: "text/plain", buffer: Buffer.from("no") });
  await page.waitForSelector("text=Not opened: the file is no dump of Deimos");
  await page.setInputFiles("#dump-open", file);
  await page.waitForSelector("tr.actor");
  assert.match(await text("header .badge.warn"), /^dump of \d{4}-\d\d-\d\d \d\d:\d\d/);
  await page.locator("header a", { hasText: "threads" }).click();
  await page.locator(".thread-row").first().click();
  await page.waitForSelector(".thread-open pre");
  await page.locator("header a", { hasText: "trouble" }).click();
  await page.locator(".trouble-row").first().click();
  await page.waitForSelector(".trouble-examples li");
  await page.locator("header a", { hasText: "actors" }).click();
  await page.waitForSelector("tr.actor-row");
  await page.locator("header a", { hasText: "settings" }).click();
  await page.waitForSelector("tr.setting");
  assert.equal(await page.locator("#dump-save").count(), 0);
});

test("system_openedLate_hasTheLastHourAndTheHotShard", async () => {
  await open();
  await page.locator("header a", { hasText: "system" }).click();
  await page.waitForSelector(".bars .minute");
  assert.equal(await page.locator(".bars").count(), 8);
  assert.equal(await page.locator(".bars").first().locator(".minute").count(), 47);
  const sharding = page.locator(".area", { hasText: "Sharding" });
  assert.match((await sharding.locator("tbody tr").first().textContent()) ?? "", /shard-7.*90\.0k/);
  assert.equal(await sharding.locator("tbody tr").count(), 12);
  await sharding.locator("button", { hasText: "8 more rows" }).click();
  await until(async () => (await sharding.locator("tbody tr").count()) === 20, "all shards");
  assert.equal(
    await sharding.locator("tbody tr a").first().getAttribute("href"),
    "#/actors?parent=pekko%3A%2F%2Fshop%2Fsystem%2Fsharding%2Fcart%2Fshard-7&sort=-rate",
    "its entities are one click away",
  );
  const dispatchers = page.locator(".area", { hasText: "Dispatchers" });
  assert.match((await dispatchers.locator("tbody tr").first().textContent()) ?? "", /default.*831.*p99 2\.40 s/);
});

test("system_inEachWidth_cutsNoFigureOffAndFoldsZeros", async () => {
  await page.goto(`http://127.0.0.1:${port}/#/system`);
  for (const width of [1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForSelector(".area");
    const cut = await page
      .locator(".area .table-scroll")
      .evaluateAll((boxes) =>
        boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.textContent),
      );
    assert.deepEqual(cut, [], `${width}: tables with columns that are cut off`);
  }
  const cluster = page.locator(".area", { hasText: "Cluster" });
  assert.match((await cluster.locator(".area-figures").textContent()) ?? "", /leader1/, "one row is no table");
  assert.equal(await cluster.locator("tbody tr").count(), 1);
  await cluster.locator("button", { hasText: "2 more rows, all of zeros" }).click();
  await until(async () => (await cluster.locator("tbody tr").count()) === 3, "the zeros, too");
  await shortcut("/");
  await page.keyboard.type("task wait");
  await until(async () => (await page.locator(".area").count()) === 1, "one metric is found");
  assert.match(await text(".area"), /Dispatchers.*p99 2\.40 s/);
  await page.fill("#system-filter", "nothing is called so");
  await page.waitForSelector("text=Nothing has “nothing is called so” in its name.");
});

test("cluster_oneKilled_isShownAsUnreachableWithLinksClocksAndWhatDiffers", async () => {
  await open();
  await shortcut("c");
  await page.waitForSelector(".members .is-missed");
  assert.match(page.url(), /#\/cluster$/);
  assert.match(await text("header a[aria-current]"), /Cluster/);
  assert.match(await text(".members .is-missed"), /17357.*shop 4713.*not reached from.*17355.*17356/s);
  assert.equal(await page.locator(".ring .member.missed").count(), 1);
  assert.equal(await page.locator(".ring .way").count(), 3);
  assert.match(await text(".singletons"), /stock at 127\.0\.0\.1:17355.*clearing at no node/);
  const clocks = page.locator("section", { has: page.locator("#clocks") });
  assert.match((await clocks.textContent()) ?? "", /shop 4712\s*\+\s*2 min|shop 4712.*\+120/);
  assert.match((await clocks.textContent()) ?? "", /the same, ±/);
  const differences = page.locator("section", { has: page.locator("#differences") });
  assert.match((await differences.textContent()) ?? "", /JDK.*21\.0\.7.*deimos\.stuck\.threshold.*7s.*the default/s);
  const links = page.locator("section", { has: page.locator("#links") });
  assert.match((await links.locator("tbody tr").first().textContent()) ?? "", /17355.*17356/);
  await links.getByRole("button", { name: "Wait" }).click();
  assert.match(page.url(), /#\/cluster\?sort=queued$/);
  assert.match((await links.locator("tbody tr").first().textContent()) ?? "", /17355.*17357/);
  await shortcut("c");
  await page.waitForSelector("tr.actor");
});

test("cluster_none_saysSo", async () => {
  server.cluster = { nowMillis: 1, processes: [], clusters: [], links: [], linksLeftOut: 0, differences: [] };
  await open();
  await page.goto(`http://127.0.0.1:${port}/#/cluster`);
  await page.waitForSelector("text=No process is in a cluster");
  await page.waitForSelector("text=Nothing goes to another node");
  await page.waitForSelector("text=Nothing differs");
});

test("overview_nothingHappenedYet_saysWhatIsMissing", async () => {
  server.hasStream = false;
  await page.route("**/api/state", (route) =>
    route.fulfill({
      json: { service: "shop", nowMillis: Date.now(), startedAtMillis: 1, hooks: { state: "pending" } },
    }),
  );
  await page.route("**/api/traces?*", (route) => route.fulfill({ json: { traces: [] } }));
  await page.goto(`http://127.0.0.1:${port}/`);
  for (const said of ["No actor has been seen yet", "No trace yet", "No actor has failed", "No asks yet"]) {
    await page.waitForSelector(`text=${said}`);
  }
  assert.match(await text(".badge"), /hooks are tested at a quiet moment/);
  assert.equal(await page.locator("#tile-check").count(), 0, "there are no actors to check");
});

test("traces_addedUp_areChosenByDurationTimeAndName", async () => {
  await open();
  await page.locator("header a", { hasText: "Traces" }).click();
  await page.waitForSelector(".trace-group");
  assert.equal(await page.locator("header a[aria-current]").textContent(), "Traces");
  const all = await page.locator(".trace-group").count();
  assert.ok(all >= 4, `${all} names`);
  // A bar by the keyboard: what is chosen stands in the address.
  await page.locator(".bins").first().focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+ArrowLeft");
  assert.equal(await page.locator(".bin.chosen").count(), 2);
  await page.keyboard.press("Enter");
  await until(async () => /duration%3E/.test(page.url()), "the durations are in the address");
  await until(async () => (await page.locator(".trace-group").count()) < all, "fewer names are left");
  const shared = page.url();
  await page.locator(".panel", { hasText: "By duration" }).getByRole("button", { name: "show all" }).click();
  await until(async () => (await page.locator(".trace-group").count()) === all, "all names are back");
  // By the mouse.
  const bars = await page.locator(".bins").nth(1).boundingBox();
  assert.ok(bars !== null);
  await page.mouse.move(bars.x + bars.width * 0.4, bars.y + 20);
  await page.mouse.down();
  await page.mouse.move(bars.x + bars.width * 0.8, bars.y + 20);
  await page.mouse.up();
  await until(async () => /began%3E/.test(page.url()), "the time is in the address");
  await page.locator(".trace-group button", { hasText: "checkout" }).first().click();
  await until(async () => /root%3A/.test(page.url()), "the name is in the address");
  await until(async () => (await page.locator(".trace-group").count()) === 1, "one name is left");
  await page.goto(shared);
  await page.waitForSelector(".trace-group");
  assert.match(await page.locator("#trace-filter").inputValue(), /^duration>/);
});

test("traces_two_areComparedSideBySide", async () => {
  await open();
  await page.fill("#trace-filter", "checkout");
  await page.locator(".trace-row", { hasText: "17 spans" }).first().click();
  await page.locator("a", { hasText: "compare …" }).click();
  await page.waitForSelector(".against");
  await page.waitForSelector(".trace-row");
  await page.locator(".trace-row", { hasText: "checkout" }).last().click();
  await page.waitForSelector(".compared tbody tr");
  assert.match(page.url(), /#\/compare\/[0-9a-f]{32}\/[0-9a-f]{32}$/);
  assert.match(await text(".compared tbody tr"), /checkout/);
  assert.equal(await page.locator(".compared-head a").count(), 2);
});

test("trace_callsOfHttpAndDatabases_sayWhatTheyAre", async () => {
  await open();
  await page.fill("#trace-filter", "checkout");
  await page.locator(".trace-row", { hasText: "17 spans" }).first().click();
  await page.waitForSelector(".wf-row");
  assert.ok((await page.locator(".wf-call.db").count()) >= 3, "the updates of the stock are marked");
  assert.match(await text(".wf-call.http"), /^HTTP/);
});

test("places_byKeyboardAndInEachWidth_leadEverywhere", async () => {
  await open();
  for (const width of [400, 1000, 1440, 3840]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [key, name] of Object.entries({ r: "Traces", m: "Map", a: "Actors", o: "Overview" })) {
      await shortcut(key);
      await until(async () => (await text("header a[aria-current=page]")) === name, `${key} leads to ${name}`);
    }
    const cut = await page
      .locator(".places a")
      .evaluateAll((links) =>
        links
          .filter((link) => link.getBoundingClientRect().right > innerWidth || link.scrollWidth > link.clientWidth + 1)
          .map((link) => link.textContent),
      );
    assert.deepEqual(cut, [], `${width}: links that are cut off`);
  }
  await page.locator(".places a").first().focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".finding");
});

test("places_wide_areAllInNamedGroups", async () => {
  await open();
  const groups = await page.getByRole("navigation", { name: "Views" }).getByRole("group").all();
  const named: string[] = [];
  for (const group of groups) {
    const links = await group.getByRole("link").allTextContents();
    named.push(`${(await group.getAttribute("aria-label")) ?? ""}: ${links.join(" ")}`);
  }
  assert.deepEqual(named, [
    "Now: Overview Check Trouble",
    "Actors & messages: Actors Map Where Tap",
    "Traces & time: Traces Profile Threads",
    "System: System Cluster Settings",
  ]);
});

test("places_onAPhone_areTwoLinesAndAllTwoTapsAway", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open();
  const box = await page.locator(".places").boundingBox();
  assert.ok(box !== null && box.height <= 70, `the places are ${box?.height} pixels high`);
  await page.locator(".place-groups a", { hasText: "System" }).click();
  await page.waitForSelector(".bars .minute");
  assert.deepEqual(await page.locator(".place-group a").allTextContents(), ["System", "Cluster", "Settings"]);
  await page.locator(".place-group a", { hasText: "Settings" }).click();
  await page.waitForSelector("tr.setting");
  assert.equal(await text(".place-group a[aria-current=page]"), "Settings");
  await page.mouse.wheel(0, 3000);
  await until(async () => (await page.evaluate(() => scrollY)) > 200, "scrolled");
  assert.ok(((await page.locator(".places").boundingBox())?.y ?? -1) >= 0, "the places stay in view");
});

test("textFromTheServer_looksLikeMarkup_staysText", async () => {
  server.fixture.knobs.problems = ["<img src=x onerror=\"document.title='owned'\"><script>1</script>"];
  await open();
  assert.match(await text("#problem-0"), /<img src=x onerror=/);
  assert.equal(await page.locator("#problem-0 img, #problem-0 script").count(), 0);
});

test("narrowWindow_bothSchemes_hasNothingCutOff", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 800 });
    await open();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${colorScheme}: the page is ${width} pixels wide`);
    const cut = await page.locator(".tile").evaluateAll((tiles) =>
      tiles
        .flatMap((tile) => [...tile.children])
        .filter((part) => part.scrollWidth > part.clientWidth + 1)
        .map((part) => part.textContent),
    );
    assert.deepEqual(cut, [], `${colorScheme}: texts of tiles that are cut off`);
    await page.goto(`http://127.0.0.1:${port}/#/settings`);
    await page.waitForSelector("tr.setting");
    const said = await page.locator("tr.setting .said").first().boundingBox();
    assert.ok(said !== null && said.x >= 0 && said.x + said.width <= 390, "what a setting does can be read");
    const views = {
      "#/actors": "tr.actor-row",
      "#/actor/shop/user/inventory/inventory-4": ".last-messages tbody tr",
      "#/trouble?open=1": ".trouble-examples li",
      "#/check": ".finding",
      "#/threads?open=41": ".thread-open pre",
      "#/profile": ".flame-box",
      "#/system": ".bars .minute",
      "#/cluster": ".members .is-missed",
      "#/traces": ".trace-group",
    };
    for (const [hash, seen] of Object.entries(views)) {
      await page.goto(`http://127.0.0.1:${port}/${hash}`);
      await page.waitForSelector(seen);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${colorScheme}: ${hash} is ${wide} pixels wide`);
    }
    await page.goto(`http://127.0.0.1:${port}/#/settings`);
    await page.waitForSelector("tr.setting");
    const settingsWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(settingsWidth <= 390, `${colorScheme}: the settings are ${settingsWidth} pixels wide`);
  }
});

test("conversation_ofARealTrace_isReadByClickAndKeysAndTakenAlong", async () => {
  const real = JSON.parse(await readFile("test/traces/timeout.json", "utf8")) as { traceId: string };
  server.traces.real.set(real.traceId, real);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`http://127.0.0.1:${port}/#/trace/${real.traceId}`);
  await page.locator(".switch a", { hasText: "conversation" }).click();
  const steps = page.locator(".seq-step");
  await steps.first().waitFor();
  assert.match(page.url(), /\?as=conversation$/);
  const late = page.getByRole("option", { name: /PaymentActor worker loses dead letters: Approved/ });
  assert.equal(await late.count(), 1);
  // By keys: the focus is in the list already.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  assert.equal(await late.getAttribute("aria-selected"), "true");
  assert.equal(await page.getByRole("listbox").getAttribute("aria-activedescendant"), await late.getAttribute("id"));
  assert.match(await text(".detail h3"), /process Decided/);
  await page.keyboard.press("Escape");
  await page.locator(".detail").waitFor({ state: "detached" });
  // By click: an arrow leads to its span.
  await page.getByRole("option", { name: /PaymentGateway payments answers .* failed: Ask timed out/ }).click();
  await until(async () => /[0-9a-f]{16}\?as=conversation$/.test(page.url()), "the address has the span");
  assert.match(await text(".detail h3"), /ask Charge/);
  await page.getByRole("button", { name: "copy Mermaid" }).click();
  await page.getByText("copied", { exact: true }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^sequenceDiagram\n {2}participant p0 as outside\n[^]*p4--xp3: Charge \(after 1\.02 s\)/);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "save SVG" }).click(),
  ]);
  assert.equal(saved.suggestedFilename(), `conversation-${real.traceId}.svg`);
  const svg = await readFile(await saved.path(), "utf8");
  assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*>Approved</);
  assert.doesNotMatch(svg, /var\(|class=|url\(|style=/, "it needs nothing of the page's");
  await page.locator(".switch a", { hasText: "waterfall" }).click();
  assert.match(await text(".wf-row.selected"), /ask Charge/, "the span stays chosen");
});

test("differences_ofTracesThatMatch_areAskedForWhenOpenAndLeadToATrace", async () => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(decodeURIComponent(request.url())));
  await page.goto(`http://127.0.0.1:${port}/#/traces`);
  await page.locator("tr.trace-group").first().waitFor();
  await page.locator("[aria-labelledby=differences]").getByRole("link", { name: "compare" }).click();
  await page.getByText("Choose some traces").waitFor();
  assert.match(page.url(), /differs=true$/);
  assert.ok(!asked.some((url) => url.includes("/traces/compare")), "nothing is asked for before traces are chosen");
  // By keys: the slowest bar of the histogram.
  await page.locator("[aria-labelledby=by-duration] .bins").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  const rows = page.locator(".differences tbody tr");
  await rows.first().waitFor();
  assert.match(await text(".differences caption"), /^\d+ traces? named .+ against \d+ others?$/);
  assert.match(await text(".differences tbody tr"), /^pekko\.actor\.class .*\d%.*\d+ of \d+.*[+−]\d/);
  assert.ok((await rows.first().locator(".these .share-bar span").boundingBox()) !== null);
  assert.match(page.url(), /duration.*differs=true$/);
  await rows.first().getByText("and 1 value more of the same traces").click();
  assert.match(await rows.first().locator("pre").innerText(), /pekko\.system = shop/);
  await rows.first().getByRole("link").click();
  await page.locator(".waterfall").waitFor();
});

test("mermaid_ofRealTracesAndAnyNames_isReadByMermaid", async () => {
  const names = [
    "end",
    "a#b;c%%d",
    "%%{init: {}}%%",
    "wrap: x",
    "style x:#a;",
    "a->>b: c",
    "---",
    "$$x$$",
    "<b>",
    "漢字",
  ];
  const node = () => "shop 1";
  const real = ["timer", "checkout", "timeout", "failure"].map(async (name) => {
    const trace = readTrace(JSON.parse(await readFile(`test/traces/${name}.json`, "utf8")));
    return conversation(buildTree(trace));
  });
  const talks = await Promise.all(real);
  const [first] = talks;
  assert.ok(first !== undefined);
  const texts = [
    ...talks.map((talk) => mermaid(talk, node)),
    ...names.map((label) => {
      const lanes = first.lanes.map((lane) => ({ ...lane, label }));
      const steps = first.steps.map((step) => ("label" in step ? { ...step, label, failed: label } : step));
      return mermaid({ lanes, steps, isFolded: false }, () => label);
    }),
  ];
  await page.goto("data:text/html,<p></p>");
  await page.addScriptTag({ path: mermaidScript() });
  const read = await page.evaluate(async (all) => {
    const found: (string | null)[][] = [];
    const { mermaid } = globalThis as unknown as {
      mermaid: { render(id: string, text: string): Promise<{ svg: string }> };
    };
    for (const [i, one] of all.entries()) {
      const { svg } = await mermaid.render(`of${i}`, one);
      const drawn = new DOMParser().parseFromString(svg, "text/html");
      found.push([...drawn.querySelectorAll(".messageText")].map((text) => text.textContent));
    }
    return found;
  }, texts);
  assert.match(read[1]?.join("\n") ?? "", /POST \/carts\/\*\/checkout \(waits /);
  names.forEach((name, i) => assert.ok(read[talks.length + i]?.[0]?.startsWith(`${name} (`), `${name} stays as it is`));
});

async function open(): Promise<void> {
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForSelector("tr.actor");
}

/** Presses a key that is no text, for it comes some time after the one before. */
async function shortcut(key: string): Promise<void> {
  await page.evaluate(
    (millis) =>
      new Promise<void>((resolve) => {
        const wait = () => {
          const last = (globalThis as { lastKeyAt?: number }).lastKeyAt ?? -Infinity;
          return performance.now() - last > millis ? resolve() : void requestAnimationFrame(wait);
        };
        wait();
      }),
    BURST_MILLIS,
  );
  await page.keyboard.press(key);
}

function actor(name: string) {
  return page.locator("tr.actor", { hasText: name });
}

function setting(key: string) {
  return page.locator(`tr.setting[id="setting-${key}"]`);
}

async function text(selector: string): Promise<string> {
  return (await page.locator(selector).first().textContent()) ?? "";
}

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `in time: ${what}`);
    await page.waitForTimeout(50);
  }
}
