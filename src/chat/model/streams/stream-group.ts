/** Groups of streams that a new user may choose in addition to the default streams. */
import { ensure } from '../../../kernel/fault';
import { badRequest } from '../faults';
import { invalidGroupName } from '../organisation/organisation-faults';
import { checkLength, lengthOf } from '../text-length';
import type { StreamId } from './stream';

export interface StreamGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly streamIds: readonly StreamId[];
}

/** The columns' lengths, as in Zulip. */
const MAX_NAME_LENGTH = 60;
const MAX_DESCRIPTION_LENGTH = 1024;
/** Every change publishes all groups to everyone. */
export const MAX_GROUPS = 100;
export const MAX_STREAMS_IN_GROUP = 100;

export function checkStreamGroup({ name, description }: Pick<StreamGroup, 'name' | 'description'>): void {
  ensure(name.trim() !== '', invalidGroupName(name));
  const tooLong = `Default stream group name too long (limit: ${MAX_NAME_LENGTH} characters)`;
  ensure(lengthOf(name) <= MAX_NAME_LENGTH, badRequest(tooLong));
  const hasNull = `Default stream group name '${name.replaceAll('\0', '')}' contains NULL (0x00) characters.`;
  ensure(!name.includes('\0'), badRequest(hasNull));
  checkLength('description', description, MAX_DESCRIPTION_LENGTH);
}
