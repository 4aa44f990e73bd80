/** The rules for stream names. */
import { NAME_LENGTH, lengthOf } from './stream';
import { invalidStreamName, streamNameHasNull, streamNameTooLong } from './stream-faults';

/** Returns the name as stored. */
export function checkStreamName(written: string): string {
  const name = written.trim();
  if (name === '') throw invalidStreamName(name);
  if (lengthOf(name) > NAME_LENGTH) throw streamNameTooLong();
  if (name.includes('\0')) throw streamNameHasNull(name);
  return name;
}
