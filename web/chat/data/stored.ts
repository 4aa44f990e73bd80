/** What survives a reload, in localStorage: drafts, unsent messages, browser preferences. Never a key or password. */
const PREFIX = 'partyline:';

export function readStored<Value>(name: string, fallback: Value): Value {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : (JSON.parse(text) as Value);
  } catch {
    return fallback;
  }
}

/** The chat also works if storage is disabled or full. */
export function writeStored(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Only what a reload would lose anyway is lost.
  }
}

export const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};
