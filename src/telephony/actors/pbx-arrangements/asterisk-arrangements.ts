/**
 * Ring groups, numbers from outside and forwards on an Asterisk: keys of AstDB that the dial plan of Partyline reads. The
 * feature codes of the dial plan write the keys of forwards too.
 */
import type { ForwardsData, MadeKind } from '../../model/arrangements/arrangement';
import { arrangementSettings, arrangementText } from '../../model/arrangements/arrangement-settings';
import type { Space } from '../../model/sites/site';
import { MAX_SETTINGS_BYTES, settingsText } from '../../model/extensions/call-settings';
import type { HeldArrangement, PbxArrangements, PbxForwards, WantedArrangement } from './arrangements';
import { ifMissing, isMissing, type Ami } from '../pbx-instance/asterisk-ami';
import type { AsteriskApi } from '../pbx-instance/asterisk-api';
import { dialplanTrouble } from '../pbx-instance/asterisk-health';
import { keepSpace } from './asterisk-space';
import { NotThere, type CallContext } from '../pbx-instance/driver';
import { throwInTheMiddle, untilDeadline } from '../pbx-instance/pbx-http';

const FAMILY = 'partyline';

/** The rows below a key, by what follows it. */
async function tree(ami: Ami, key: string, context: CallContext): Promise<Map<string, string>> {
  const [, ...events] = await ami.ask('DBGetTree', { Family: FAMILY, Key: key }, context);
  const prefix = `/${FAMILY}/${key}/`;
  return new Map(
    events.flatMap(({ Key: found = '', Val: value = '' }) =>
      found.startsWith(prefix) ? [[found.slice(prefix.length), value] as const] : [],
    ),
  );
}

export function asteriskArrangements(api: AsteriskApi, ami: Ami, whose: Space): PbxArrangements {
  const { code: space } = whose;
  const folderOf = (kind: MadeKind): string => (kind === 'number' ? 'did' : `group/${space}`);
  const keyOf = (kind: MadeKind, number: number): string => `${folderOf(kind)}/${number}`;

  async function stored(kind: MadeKind, number: number, context: CallContext): Promise<string | undefined> {
    try {
      const [, ...events] = await ami.ask('DBGet', { Family: FAMILY, Key: keyOf(kind, number) }, context);
      return events.find(({ Val: value }) => value !== undefined)?.['Val'];
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Another space's number is not ours to see: the PBX is shared. */
  function heldOf(kind: MadeKind, number: number, value: string): HeldArrangement | undefined {
    const { op, ...settings } = settingsIn(value);
    if (kind === 'number' && typeof settings['space'] === 'string' && settings['space'] !== space) return undefined;
    return { kind, number, content: settingsText(settings), ...(typeof op === 'string' ? { operation: op } : {}) };
  }

  return {
    contentOf: (wanted) => arrangementText(wanted, space),
    refusal: (context) => dialplanTrouble(api, context),
    async put(wanted, context) {
      const step = untilDeadline(context);
      const { kind, number } = wanted;
      if (await isForeign(kind, number, step())) {
        throw new NotThere(`number: +${number} is that of another company on this PBX`);
      }
      await keepSpace(ami, whose, step);
      await ami.ask('DBPut', { Family: FAMILY, Key: keyOf(kind, number), Val: textOf(wanted, space) }, step());
    },
    async remove(kind, number, context) {
      const step = untilDeadline(context);
      if (await isForeign(kind, number, step())) return;
      await ami.ask('DBDel', { Family: FAMILY, Key: keyOf(kind, number) }, step()).catch(ifMissing);
    },
    async get(kind, number, context) {
      const value = await stored(kind, number, context);
      return value === undefined ? undefined : heldOf(kind, number, value);
    },
    async list(context) {
      const found = await Promise.all(
        (['ring-group', 'number'] as const).map(async (kind) =>
          [...(await tree(ami, folderOf(kind), context))].flatMap(([name, value]) =>
            /^[1-9]\d{0,14}$/.test(name) ? (heldOf(kind, Number(name), value) ?? []) : [],
          ),
        ),
      );
      return found.flat();
    },
  };

  /** Whether another company on this PBX has the number, by whatever server. */
  async function isForeign(kind: MadeKind, number: number, context: CallContext): Promise<boolean> {
    const value = kind === 'number' ? await stored(kind, number, context) : undefined;
    return value !== undefined && heldOf(kind, number, value) === undefined;
  }
}

function textOf(wanted: WantedArrangement, space: string): string {
  const text = settingsText({ ...arrangementSettings(wanted, space), op: wanted.operation });
  const size = Buffer.byteLength(text);
  if (size <= MAX_SETTINGS_BYTES) return text;
  throw new NotThere(`members: take ${size} bytes on the PBX, and may take ${MAX_SETTINGS_BYTES}`);
}

/** What cannot be read is different from everything. */
function settingsIn(value: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(value);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, unknown>;
  } catch {
    // Written by hand, or cut.
  }
  return { unreadable: value };
}

/** The keys of the dial plan, by the names of the wire. */
const FORWARDS = { always: 'cfu', busy: 'cfb', no_answer: 'cfna' } as const;
const NAMES = Object.keys(FORWARDS) as (keyof typeof FORWARDS)[];
const DND = 'dnd';

/** Whatever the value of the key, do not disturb is on if it is there: so the dial plan reads it. */
const forwardsIn = (held: ReadonlyMap<string, string>): ForwardsData => ({
  do_not_disturb: held.has(DND),
  always: held.get(FORWARDS.always) || null,
  busy: held.get(FORWARDS.busy) || null,
  no_answer: held.get(FORWARDS.no_answer) || null,
});

const keysOf = (forwards: ForwardsData): [key: string, value: string | null][] => [
  [DND, forwards.do_not_disturb ? '1' : null],
  ...NAMES.map((name): [string, string | null] => [FORWARDS[name], forwards[name]]),
];

export function asteriskForwards(api: AsteriskApi, ami: Ami, { code: space }: Space): PbxForwards {
  const folder = `state/${space}`;
  const read = (number: number, context: CallContext) => tree(ami, `${folder}/${number}`, context);
  return {
    refusal: (context) => dialplanTrouble(api, context),
    get: async (number, context) => forwardsIn(await read(number, context)),
    async set(number, forwards, context) {
      const step = untilDeadline(context);
      const before = await read(number, step());
      const changes = keysOf(forwards).filter(([key, value]) => (before.get(key) ?? null) !== value);
      for (const [at, [key, value]] of changes.entries()) {
        const row = { Family: FAMILY, Key: `${folder}/${number}/${key}` };
        const write =
          value === null
            ? ami.ask('DBDel', row, step()).then(() => undefined, ifMissing)
            : ami.ask('DBPut', { ...row, Val: value }, step());
        await (at === 0 ? write : write.catch(throwInTheMiddle));
      }
    },
    async list(context) {
      const byNumber = new Map<number, Map<string, string>>();
      for (const [name, value] of await tree(ami, folder, context)) {
        const [number = '', key = ''] = name.split('/');
        if (!/^[1-9]\d{0,14}$/.test(number)) continue;
        byNumber.set(Number(number), (byNumber.get(Number(number)) ?? new Map<string, string>()).set(key, value));
      }
      return new Map([...byNumber].map(([number, held]) => [number, forwardsIn(held)]));
    },
  };
}
