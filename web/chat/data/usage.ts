/** How often this account used emoji and mentioned people in this browser: what is used often is offered first. */
import { readStored, writeStored } from './stored';
import { chat } from './store';

/** Uses by emoji name and by the id of a person. */
interface Uses {
  readonly emoji: Readonly<Record<string, number>>;
  readonly people: Readonly<Record<string, number>>;
}

const NONE: Uses = { emoji: {}, people: {} };
/** Enough for the emoji that a person uses, and bounded. */
const MAX_KEPT = 60;

const place = (): string => `uses:${chat().ownId}`;

/** Read from storage each time, because another tab may have written. */
export const usesOf = (kind: keyof Uses): ReadonlyMap<string, number> =>
  new Map(Object.entries({ ...NONE, ...readStored<Partial<Uses>>(place(), {}) }[kind]));

export function noteUse(kind: keyof Uses, name: string): void {
  const stored = { ...NONE, ...readStored<Partial<Uses>>(place(), {}) };
  const counts = new Map(Object.entries(stored[kind]));
  const count = (counts.get(name) ?? 0) + 1;
  counts.delete(name);
  const others = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_KEPT - 1);
  writeStored(place(), { ...stored, [kind]: Object.fromEntries([[name, count], ...others]) });
}

/** The most used names first. */
export const mostUsed = (kind: keyof Uses, most: number): string[] =>
  [...usesOf(kind)]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name]) => name);
