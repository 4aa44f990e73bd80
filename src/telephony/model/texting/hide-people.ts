/**
 * What operators see of a carrier's call: its structure, ids, states and times. Texts and people's numbers are hidden:
 * they are needed for no repair.
 */

/** Fields in which carriers write what people wrote, in any spelling. */
const WRITTEN = /^(?:text|body|message|content|subject|caption|name|first_?name|last_?name|profile_?name)$/i;
const NUMBER = /^\+?\d[\d ()./-]{5,}$/;
/** Ids, states, times and codes have no blanks. */
const PLAIN = /^\S{0,80}$/;
const SHOWN_DIGITS = 3;
const MAX_DEPTH = 12;

/** A body as it arrived: JSON, or a form. */
export function withoutPeople(body: string): unknown {
  return hidden('', parsed(body), 0);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}

function hidden(name: string, value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((each) => hidden(name, each, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hidden(key, each, depth + 1)]));
  }
  return typeof value === 'string' ? hiddenText(name, value) : value;
}

function hiddenText(name: string, text: string): string {
  if (text === '') return text;
  // Twilio signs ids with letters, so only digits are a number.
  if (NUMBER.test(text)) return `…${text.replace(/\D/g, '').slice(-SHOWN_DIGITS)}`;
  if (/^https?:\/\//.test(text)) return URL.canParse(text) ? `${new URL(text).origin}/…` : '…';
  return WRITTEN.test(name) || !PLAIN.test(text) ? `(${text.length} characters)` : text;
}
