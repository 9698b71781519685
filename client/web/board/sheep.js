/** The sheep of pastures: white wool, and the colour of its seat on its collar and, as shepherds paint it, on its flank. */

import { svgElement } from "../element.js";

/** A fleece of twelve tufts, on an oval. */
const FLEECE = tufts(12, 0.29, 0.23, 0.09);
/** The tuft between the ears. */
const CAP = tufts(5, 0.07, 0.045, 0.05);

/**
 * @param {number} count
 * @param {number} across Half the width of the oval on which the tufts meet.
 * @param {number} down Half its height.
 * @param {number} radius Of a tuft.
 */
function tufts(count, across, down, radius) {
  const points = Array.from({ length: count + 1 }, (_, index) => {
    const angle = (2 * Math.PI * index) / count;
    return `${(across * Math.cos(angle)).toFixed(3)} ${(down * Math.sin(angle)).toFixed(3)}`;
  });
  return `M${points.join(`A${radius} ${radius} 0 0 1 `)}Z`;
}

/**
 * A sheep seen from its side, centred on the origin. The style sheets show a second one behind it for a stack.
 * @param {string} colour
 * @param {string} emblem Path data.
 * @returns {SVGGElement}
 */
export function drawSheep(colour, emblem) {
  const part = (/** @type {string} */ name, /** @type {string} */ d, transform = "") => svgElement("path", { class: name, d, transform });
  return svgElement(
    "g",
    { class: `man sheep ${colour}` },
    svgElement("ellipse", { class: "shade", cx: 0.04, cy: 0.29, rx: 0.34, ry: 0.075 }),
    part("fleece flock", FLEECE, "translate(.11 -.13)"),
    part("sheep-legs", "M-.12 .15V.29M-.03 .15V.3M.16 .15V.29M.25 .12V.28"),
    part("fleece", FLEECE, "translate(.05 -.03)"),
    part("mark", emblem, "translate(.08 -.02) scale(.86)"),
    part("sheep-head", "M-.27-.22C-.38-.22-.44-.07-.42 .04C-.41 .1-.33 .11-.29 .05C-.22-.02-.18-.22-.27-.22ZM-.23-.18C-.15-.22-.1-.15-.12-.09C-.17-.07-.22-.1-.24-.14Z"),
    part("collar", "M-.27 .08C-.2 .06-.16-.03-.16-.12"),
    part("fleece", CAP, "translate(-.27 -.22)"),
    svgElement("circle", { class: "sheep-eye", cx: -0.34, cy: -0.09, r: 0.022 }),
    svgElement("use", { class: "pixels", href: "#pixel-sheep", y: -0.036 }),
    svgElement("use", { class: "pixels", href: `#pixel-${colour}`, x: 0.107, y: -0.072 }),
  );
}
