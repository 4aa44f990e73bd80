/**
 * Changes that delete the messages and greetings of a mailbox. FreePBX changes some fields only by deleting the extension
 * and creating it again, and its mailbox is emptied with it. Such a change needs the caller's confirmation.
 */
import type { Fault } from '../../../kernel/fault';
import { invalid } from '../faults';
import type { Backend } from '../sites/backends';
import type { Extension } from './extension';

/** The fields of `data` that FreePBX changes only by its updateExtension. */
export const REMADE_BY_FREEPBX = ['secret', 'tech', 'max_contacts', 'emergency_cid'] as const;

const REMADE: Readonly<Partial<Record<Backend, readonly string[]>>> = { freepbx: REMADE_BY_FREEPBX };

/** The fields to change, or that the PBX holds only half of the extension. */
export type Remake = readonly string[] | 'half';

const namesOf = (fields: readonly string[]): string => fields.map((name) => `data.${name}`).join(', ');

/** What mending or changing an extension would cost. */
export const lossBy = (remake: Remake): string =>
  remake === 'half'
    ? 'the PBX holds only half of the extension, and mending it deletes the messages and greetings of its mailbox'
    : `changing ${namesOf(remake)} deletes the messages and greetings of the mailbox`;

export const mustConfirm = (remake: Remake): Fault =>
  remake === 'half'
    ? invalid(
        'discard_voicemail: must be true, as the PBX holds only half of the extension, and mending it deletes the messages and greetings of its mailbox',
      )
    : invalid(
        `discard_voicemail: must be true, as changing ${namesOf(remake)} deletes the messages and greetings of the mailbox`,
      );

/** In the answer to an order that has deleted them. */
export const LOST =
  'The messages and greetings of the mailbox were deleted, as this kind of PBX changes it in no other way';

const hasMailbox = ({ data }: Pick<Extension, 'data'>): boolean => data['voicemail'] === 'default';

const valuesOf = ({ data, credentials }: Pick<Extension, 'data' | 'credentials'>): Record<string, unknown> => ({
  ...data,
  ...credentials,
});

/** The fields whose change would empty the mailbox, as far as the database knows. */
export function emptiesMailbox(
  backend: Backend,
  before: Pick<Extension, 'data' | 'credentials'>,
  after: Pick<Extension, 'data' | 'credentials'>,
): readonly string[] {
  const remade = REMADE[backend];
  if (!remade || !hasMailbox(before)) return [];
  const [one, other] = [valuesOf(before), valuesOf(after)];
  const changed = remade.filter((name) => one[name] !== other[name]);
  return hasMailbox(after) ? changed : [...changed, 'voicemail'];
}
