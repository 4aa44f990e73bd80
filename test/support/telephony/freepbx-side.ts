/** Extensions on a simulated FreePBX with messages in their mailboxes, and what is left of them. */
import { INSTANCE_ONE } from '../../api/telephony/people';
import type { HeldExtension, TelephonyStack } from './telephony';

export const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
export const DRIFT = `/instances/${INSTANCE_ONE}/drift`;
export const CONFIRMED = '?discard_voicemail=true';
export const LOSS = 'deletes the messages and greetings of the mailbox';
export const LOST =
  'The messages and greetings of the mailbox were deleted, as this kind of PBX changes it in no other way';

type Held = HeldExtension & Readonly<Record<string, unknown>>;
export interface Made {
  readonly _id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const numberOf = ({ data }: Made): number => data['id'] as number;

let next = 5000;
export const draft = (more: object = {}) => ({ data: { id: ++next, name: `Phone ${next}`, ...more } });

export function freePbxSide({ pbx, people }: TelephonyStack) {
  const heldOf = async (number: number) =>
    (await pbx.holds(INSTANCE_ONE)).find((each) => each.number === number) as Held | undefined;
  /** As if changed on the PBX itself. */
  const alter = async (made: Made, more: object) =>
    pbx.put(INSTANCE_ONE, numberOf(made), { ...(await heldOf(numberOf(made))), ...more });
  const create = async (more: object = {}): Promise<Made> => {
    const { status, body } = await people.owner('POST', PATH, draft(more));
    expect(status).toBe(201);
    return body;
  };
  return {
    heldOf,
    alter,
    create,
    messagesOf: async (number: number) => (await heldOf(number))?.['voicemail_messages'],
    callsFor: async (number: number) =>
      (await pbx.requests(INSTANCE_ONE)).filter((each) => each.number === String(number)).map(({ method }) => method),
    patch: (made: Made, data: object, query = '') => people.owner('PATCH', `${PATH}/${made._id}${query}`, { data }),
    /** An extension with three messages in its mailbox. */
    async withMessages(): Promise<Made> {
      const made = await create({ voicemail: 'default' });
      await alter(made, { voicemail_messages: 3 });
      return made;
    },
    /** In the state that deleteCoreDevice leaves: with its user and its mailbox, but without its device. */
    halve: (made: Made) => alter(made, { lacks: 'device' }),
  };
}
