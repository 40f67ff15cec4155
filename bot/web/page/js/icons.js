// Drawings for emoji in texts, because machines have different fonts. They are decoration: the text beside them says
// the same.

import { svg } from "./dom.js";

const line = { fill: "none", stroke: "currentColor", "stroke-width": 8, "stroke-linejoin": "round",
  "stroke-linecap": "round" };
const dot = (cx, cy) => ["circle", { cx, cy, r: 8, fill: "currentColor" }];

const signs = {
  "🎲": [["rect", { x: 12, y: 12, width: 76, height: 76, rx: 18, ...line }], dot(34, 34), dot(66, 34), dot(50, 50),
    dot(34, 66), dot(66, 66)],
  "🏁": [["path", { d: "M22 92V10M22 14h60l-16 20 16 20H22", ...line }]],
  "👑": [["path", { d: "M16 84h68M20 70 14 28l22 18 14-26 14 26 22-18-6 42z", ...line }]],
  "📦": [["path", { d: "M12 34h76v52H12zM12 34l12-20h52l12 20M50 14v36", ...line }]],
  "🪑": [["path", { d: "M28 10v80M28 52h44v38M28 10h8v42", ...line }]],
  "🔒": [["rect", { x: 18, y: 44, width: 64, height: 46, rx: 8, ...line }],
    ["path", { d: "M32 44V30a18 18 0 0 1 36 0v14", ...line }]],
  "🏠": [["path", { d: "M10 50 50 14l40 36M22 42v46h56V42M42 88V62h16v26", ...line }]],
  "💡": [["path", { d: "M38 72c0-12-14-18-14-36a26 26 0 0 1 52 0c0 18-14 24-14 36zM40 88h20", ...line }]],
  "⏮": [["path", { d: "M20 18v64M80 18 36 50l44 32z", ...line }]],
  "⏭": [["path", { d: "M80 18v64M20 18l44 32-44 32z", ...line }]],
  "📈": [["path", { d: "M14 12v76h76M26 70l18-22 16 12 26-38", ...line }]],
  "📊": [["path", { d: "M14 12v76h76M34 84V56M54 84V30M74 84V46", ...line }]],
};
const sign = new RegExp(`(${Object.keys(signs).join("|")})`, "u");

/** dress sets the text of a node, with its emoji as drawings. */
export function dress(node, text) {
  if (node.said === text) return;
  node.said = text;
  node.replaceChildren(...text.split(sign).filter(Boolean).map((part) => {
    if (!signs[part]) return document.createTextNode(part);
    const drawing = svg("0 0 100 100", signs[part]);
    drawing.classList.add("sign");
    return drawing;
  }));
}
