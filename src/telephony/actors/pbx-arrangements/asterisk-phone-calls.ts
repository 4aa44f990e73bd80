/** Calls that a click begins, and the emergency numbers of the dial plan, on an Asterisk. */
import { isMissing, type Ami, type AmiBlock } from '../pbx-instance/asterisk-ami';
import { isStuck, type AsteriskApi } from '../pbx-instance/asterisk-api';
import { dialplanTrouble } from '../pbx-instance/asterisk-health';
import { NotThere, PbxError, PhoneAway, type CallContext, type PbxPhoneCalls } from '../pbx-instance/driver';
import { untilDeadline } from '../pbx-instance/pbx-http';

/** How long the telephone of who clicked rings. */
const RING_SECONDS = 30;

export const asteriskPhoneCalls = (api: AsteriskApi, suffix: string): PbxPhoneCalls => ({
  async begin({ from, to }, context) {
    const step = untilDeadline(context);
    const trouble = await dialplanTrouble(api, step());
    if (trouble !== undefined) throw new NotThere(trouble);
    const query = new URLSearchParams({
      endpoint: `PJSIP/${from}${suffix}`,
      context: 'partyline-internal',
      extension: to,
      priority: '1',
      timeout: String(RING_SECONDS),
      channelId: context.key,
      // What the telephone of who clicked shows.
      callerId: `"${to}" <${to}>`,
    });
    const variables = { 'CALLERID(num)': String(from) };
    try {
      await api.call('POST', `/channels?${query.toString()}`, step(), { variables });
    } catch (error) {
      // The channel cannot be made without a contact.
      if (isStuck(error)) throw new PhoneAway(from);
      if (!isUnderWay(error)) throw error;
    }
  },
  isThere: async (id, context) => (await api.call('GET', `/channels/${id}`, context)) !== undefined,
  async end(id, context) {
    await api.call('DELETE', `/channels/${id}`, context);
  },
});

/** A channel with this id is there: an earlier attempt has begun the call. */
const isUnderWay = (error: unknown): boolean =>
  error instanceof PbxError && error.message.startsWith('The PBX answered 409');

const FAMILY = 'partyline';

/** Writes the list into AstDB, where the dial plan looks for every call. */
export const emergencyKeeper =
  (ami: Ami, space: string) =>
  async (numbers: readonly string[], context: CallContext): Promise<void> => {
    const step = untilDeadline(context);
    const row = { Family: FAMILY, Key: `emergency/${space}` };
    const wanted = `-${numbers.join('-')}-`;
    const held = await ami.ask('DBGet', row, step()).catch((error: unknown): readonly AmiBlock[] => {
      if (!isMissing(error)) throw error;
      return [];
    });
    if (held.some(({ Val: value }) => value === wanted)) return;
    await ami.ask('DBPut', { ...row, Val: wanted }, step());
  };
