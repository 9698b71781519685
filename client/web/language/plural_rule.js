/**
 * Which plural form a number takes, by the rule in the header of a gettext catalogue: an expression of C in `n`, such as
 * `n%10==1 && n%100!=11 ? 0 : 1`. It is read here, since the page's security policy forbids `eval`. No DOM.
 */

/** Returns the number of the form. @typedef {(n: number) => number} PluralRule */

const TOKEN = /\s*(\d+|n|[()?:]|[!=<>]=|[!<>%*/+-]|&&|\|\|)\s*/y;

/** The operators with two operands, those that bind loosest first. @type {Record<string, (a: number, b: number) => number>[]} */
const OPERATORS = [
  { "||": (a, b) => Number(Boolean(a || b)) },
  { "&&": (a, b) => Number(Boolean(a && b)) },
  { "==": (a, b) => Number(a === b), "!=": (a, b) => Number(a !== b) },
  { "<": (a, b) => Number(a < b), ">": (a, b) => Number(a > b), "<=": (a, b) => Number(a <= b), ">=": (a, b) => Number(a >= b) },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": (a, b) => Math.trunc(a / b), "%": (a, b) => a % b },
];

/** @param {string} text @returns {PluralRule} @throws {SyntaxError} If the text is no such expression. */
export function parsePluralRule(text) {
  const tokens = split(text);
  const rule = parseChoice(tokens);
  if (tokens.length > 0) throw new SyntaxError(`The plural rule ${text} goes on after its end.`);
  return rule;
}

/** @param {string} text @returns {string[]} */
function split(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(text);
    if (found === null) throw new SyntaxError(`The plural rule ${text} cannot be read at ${text.slice(at)}.`);
    tokens.push(found[1]);
  }
  return tokens;
}

/** @param {string[]} tokens Those that are read are taken away. @returns {PluralRule} */
function parseChoice(tokens) {
  const condition = parseOperation(tokens, 0);
  if (tokens[0] !== "?") return condition;
  tokens.shift();
  const yes = parseChoice(tokens);
  take(tokens, ":");
  const no = parseChoice(tokens);
  return (n) => (condition(n) ? yes(n) : no(n));
}

/** @param {string[]} tokens @param {number} level @returns {PluralRule} */
function parseOperation(tokens, level) {
  if (level === OPERATORS.length) return parseOperand(tokens);
  let left = parseOperation(tokens, level + 1);
  while (tokens.length > 0 && Object.hasOwn(OPERATORS[level], tokens[0])) {
    const apply = OPERATORS[level][/** @type {string} */ (tokens.shift())];
    const [first, second] = [left, parseOperation(tokens, level + 1)];
    left = (n) => apply(first(n), second(n));
  }
  return left;
}

/** @param {string[]} tokens @returns {PluralRule} */
function parseOperand(tokens) {
  const token = tokens.shift() ?? "";
  if (token === "n") return (n) => n;
  if (/^\d+$/.test(token)) return () => Number(token);
  if (token === "!") {
    const operand = parseOperand(tokens);
    return (n) => Number(!operand(n));
  }
  if (token !== "(") throw new SyntaxError(`A plural rule has "${token}" in place of a number.`);
  const inner = parseChoice(tokens);
  take(tokens, ")");
  return inner;
}

/** @param {string[]} tokens @param {string} wanted */
function take(tokens, wanted) {
  if (tokens.shift() !== wanted) throw new SyntaxError(`A plural rule lacks "${wanted}".`);
}
