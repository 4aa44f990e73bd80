/** Lengths as the wire counts them: in code points, not in the units JavaScript keeps text in. */
import { tooLong } from './users/user-faults';

export const lengthOf = (text: string): number => Array.from(text).length;

/** Throws the words clients know when a text is too long. */
export function checkLength(what: string, text: string, limit: number): void {
  if (lengthOf(text) > limit) throw tooLong(what, limit);
}
