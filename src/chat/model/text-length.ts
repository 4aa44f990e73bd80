/** Text lengths as the wire format counts them: in code points, not in UTF-16 units. */
import { tooLong } from './users/user-faults';

export const lengthOf = (text: string): number => Array.from(text).length;

/** Throws the message that clients know if a text is too long. */
export function checkLength(what: string, text: string, limit: number): void {
  if (lengthOf(text) > limit) throw tooLong(what, limit);
}
