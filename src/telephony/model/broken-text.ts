/** Finds NUL characters and lone surrogates anywhere in a value, before they reach the database, PBXs or carriers. */
import type { Issue } from '../../kernel/text/plain-words';

const HALF = /\p{Surrogate}/u;
const NONE: readonly Issue[] = [];

/** Returns one issue per broken text. */
export function brokenTexts(value: unknown): readonly Issue[] {
  if (typeof value === 'string') return issuesOf(value);
  if (typeof value !== 'object' || value === null) return NONE;
  return Object.entries(value).flatMap(([name, each]) =>
    brokenTexts(each).map(({ path, message }) => ({ path: [name, ...path], message })),
  );
}

function issuesOf(text: string): readonly Issue[] {
  if (text.includes('\0')) return [{ path: [], message: 'must not contain NUL characters' }];
  return HALF.test(text) ? [{ path: [], message: 'must not contain half a character (a lone surrogate)' }] : NONE;
}
