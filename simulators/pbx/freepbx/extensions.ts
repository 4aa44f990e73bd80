// The extensions of a simulated FreePBX: the effect of each recorded mutation, and the messages of its refusals.
import { randomBytes } from 'node:crypto';
import type { JsonObject, Store } from '../store';
import { changedMailbox, madeMailbox } from './mailboxes';
import { NeverRecorded } from './never-recorded';

export type Input = Record<string, unknown>;

/** An update without an email does nothing; status and message are then null. */
export interface Outcome {
  status: boolean | null;
  message: string | null;
}

export const SAYS: Readonly<Record<string, string>> = {
  addExtension: 'Extension has been created Successfully',
  updateExtension: 'Extension has been updated',
  deleteExtension: 'Extension has been deleted',
  enableVoiceMail: 'Voicemail has been created successfully',
  deleteCoreDevice: 'Core device has been deleted successfully',
};

const refuse = (message: string): Outcome => ({ status: false, message });
const done = (mutation: string): Outcome => ({ status: true, message: SAYS[mutation]! });

export interface Extensions {
  run(mutation: string, input: Input): Promise<Outcome>;
  /** What is left when a change that deletes before it creates fails in between. */
  half(mutation: string, input: Input): Promise<void>;
  /** Finds an extension by its device, as FreePBX does. */
  get(number: string): JsonObject | undefined;
  /** Finds it also without its device: FreePBX looks a mailbox up by its number alone. */
  withMailbox(number: string): JsonObject | undefined;
  list(): JsonObject[];
}

export function openExtensions(store: Store, instance: string): Extensions {
  const numberOf = (input: Input) => String(input['extensionId'] ?? input['extension'] ?? input['id']);
  const place = (input: Input) => ({ instance, number: numberOf(input) });
  const write = (input: Input, extension: JsonObject) =>
    store.put(place(input), { extension: { ...extension, number: Number(numberOf(input)) }, key: null });

  const CHANGES: Record<string, (input: Input, before: JsonObject) => Promise<Outcome>> = {
    async updateExtension(input, before) {
      const wrong = mistakeIn(input);
      if (wrong !== undefined) return refuse(wrong);
      if (text(input, 'email') === '') return { status: null, message: null };
      await write(input, madeExtension(input, before));
      return done('updateExtension');
    },
    async deleteExtension(input) {
      await store.remove(place(input));
      return done('deleteExtension');
    },
    async updateCoreUser(input, { lacks, ...before }) {
      if (lacks === 'device') throw new NeverRecorded('updateCoreUser of half an extension');
      await write(input, { ...before, ...madeUser(input) });
      return { status: true, message: '' };
    },
    async enableVoiceMail(input, before) {
      // Messages stay, also if there is a mailbox already.
      await write(input, { ...before, ...changedMailbox(input) });
      return done('enableVoiceMail');
    },
    async deleteCoreDevice(input, before) {
      await write(input, { ...before, lacks: 'device' });
      return done('deleteCoreDevice');
    },
    disableVoiceMail(_, before) {
      if (before['voicemail'] === 'default') throw new NeverRecorded('disableVoiceMail where there is a mailbox');
      return Promise.resolve(refuse('Sorry,voicemail does not  exists.'));
    },
  };

  async function add(input: Input): Promise<Outcome> {
    if (!/^\d+$/.test(numberOf(input))) return refuse('Please enter only numeric values');
    const wrong = mistakeIn(input);
    if (wrong !== undefined) return refuse(wrong);
    const there = store.get(place(input))?.extension;
    if (there?.['lacks'] === 'device') return refuse(`This user/extension ${numberOf(input)} is already in use`);
    if (there) return refuse('This device id is already in use');
    await write(input, madeExtension(input, {}));
    return done('addExtension');
  }

  return {
    async run(mutation, input) {
      if (mutation === 'addExtension') return add(input);
      if (mutation === 'createRangeofExtension' && input['tech'] === undefined) return refuse(wrongTech(''));
      const change = CHANGES[mutation];
      if (!change) throw new NeverRecorded(mutation);
      // As recorded: it says neither yes nor no, whether the extension is there or not.
      if (mutation === 'updateExtension' && input['name'] === undefined) return { status: null, message: null };
      const before = store.get(place(input))?.extension;
      if (before && !(mutation === 'updateExtension' && before['lacks'] === 'device')) return change(input, before);
      if (OF_CORE.has(mutation)) throw new NeverRecorded(`${mutation} of an extension that is not there`);
      return refuse('Extension does not exists.');
    },
    half: async (mutation, input) => {
      if (mutation === 'updateExtension') await store.remove(place(input));
      const before = store.get(place(input))?.extension;
      if (mutation === 'updateCoreUser' && before) await write(input, { ...before, lacks: 'user' });
    },
    get: (number) => {
      const found = store.get({ instance, number })?.extension;
      return found?.['lacks'] === 'device' ? undefined : found;
    },
    withMailbox: (number) => store.get({ instance, number })?.extension,
    list: () => store.list(instance).filter(({ lacks }) => lacks !== 'device'),
  };
}

const OF_CORE = new Set(['updateCoreUser', 'deleteCoreDevice']);

const wrongTech = (tech: string) =>
  `The existing driver not support this tech(${tech}) option . Please use pjsip instead`;

function mistakeIn(input: Input): string | undefined {
  const tech = text(input, 'tech', 'pjsip');
  if (tech !== 'pjsip') return wrongTech(tech);
  const wantsUser = input['umEnable'] === true && text(input, 'umPassword') === '';
  return wantsUser ? 'User management is enabled please provide password' : undefined;
}

const text = (input: Input, name: string, fallback = ''): string => {
  const value = input[name] ?? fallback;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Only in the user's name; the device's description keeps them. */
const withoutAngles = (name: string): string => name.replaceAll('<', '(').replaceAll('>', ')');

/**
 * Deleted and created anew: missing fields fall back to defaults, except name, email and mailbox, and the messages of the
 * mailbox (`voicemail_messages`, which only tests write) are gone.
 */
function madeExtension(input: Input, before: JsonObject): JsonObject {
  const name = text(input, 'name', text(before, 'name'));
  return {
    name: withoutAngles(name),
    description: name,
    email: text(input, 'email', text(before, 'email')),
    tech: 'pjsip',
    outboundcid: text(input, 'outboundCid'),
    emergency_cid: text(input, 'emergencyCid'),
    max_contacts: text(input, 'maxContacts', '1'),
    callerid: text(input, 'callerID'),
    ...madeMailbox(input, before),
    has_user: input['umEnable'] !== false,
    secret: text(input, 'extPassword') || randomBytes(16).toString('hex'),
  };
}

const USER_TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['noanswer', 'busy', 'chanunavail'].flatMap((way) => [`${way}_cid`, `${way}_dest`]).map((name) => [name, '']),
  ),
  ...Object.fromEntries(['outboundcid', 'sipname', 'noanswer', 'recording'].map((name) => [name, ''])),
  ...Object.fromEntries(
    ['in_external', 'in_internal', 'out_external', 'out_internal'].map((way) => [`recording_${way}`, 'dontcare']),
  ),
  recording_ondemand: 'disabled',
  callwaiting: 'enabled',
};

function madeUser(input: Input): JsonObject {
  const texts = Object.entries(USER_TEXTS).map(([name, fallback]) => [name, text(input, name, fallback)]);
  return {
    ...Object.fromEntries(texts),
    name: withoutAngles(text(input, 'name')),
    ringtimer: input['ringtimer'] ?? 0,
    recording_priority: input['recording_priority'] ?? 10,
  };
}
