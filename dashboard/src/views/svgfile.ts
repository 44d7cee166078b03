// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0

/** Drawings of the page as a file that needs nothing else: each element has its own looks. */

const LOOKS = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "paint-order",
];
const NAMESPACE = "http://www.w3.org/2000/svg";

/** One below the other, as they look now, on the ground that they stand on. */
export function svgFile(drawings: readonly SVGSVGElement[]): string {
  const whole = document.createElementNS(NAMESPACE, "svg");
  const size = (of: SVGSVGElement, name: string) => Number(of.getAttribute(name));
  const width = Math.max(...drawings.map((one) => size(one, "width")));
  const height = drawings.reduce((sum, one) => sum + size(one, "height"), 0);
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    whole.setAttribute(name, String(value));
  }
  const ground = document.createElementNS(NAMESPACE, "rect");
  const panel = getComputedStyle(document.documentElement).getPropertyValue("--panel").trim();
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: panel })) {
    ground.setAttribute(name, value);
  }
  whole.append(ground);
  let y = 0;
  for (const drawing of drawings) {
    const part = document.createElementNS(NAMESPACE, "g");
    part.setAttribute("transform", `translate(0 ${y})`);
    part.append(...[...drawing.children].map(copied));
    whole.append(part);
    y += size(drawing, "height");
  }
  for (const unseen of whole.querySelectorAll("[data-unseen]")) {
    unseen.remove();
  }
  return new XMLSerializer().serializeToString(whole);
}

function copied(element: Element): Element {
  const copy = element.cloneNode(true) as Element;
  const from = [element, ...element.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((one, i) => {
    const like = to[i];
    if (like === undefined) {
      return;
    }
    const looks = getComputedStyle(one);
    for (const name of ["class", "style", "role", "id", "aria-selected", "aria-label"]) {
      like.removeAttribute(name);
    }
    if (one.classList.contains("seq-hit")) {
      like.setAttribute("data-unseen", "");
    } else if (one.tagName !== "title" && one.tagName !== "g") {
      LOOKS.forEach((name) => like.setAttribute(name, looks.getPropertyValue(name)));
    }
  });
  return copy;
}
