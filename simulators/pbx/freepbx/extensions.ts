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
};

const refuse = (message: string): Outcome => ({ status: false, message });
const done = (mutation: string): Outcome => ({ status: true, message: SAYS[mutation]! });

export interface Extensions {
  run(mutation: string, input: Input): Promise<Outcome>;
  /** What is left when `updateExtension` fails after its deletion and before its creation. */
  half(mutation: string, input: Input): Promise<void>;
  get(number: string): JsonObject | undefined;
  list(): JsonObject[];
}

export function openExtensions(store: Store, instance: string): Extensions {
  const numberOf = (input: Input) => String(input['extensionId'] ?? input['extension']);
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
    async updateCoreUser(input, before) {
      await write(input, { ...before, ...madeUser(input) });
      return { status: true, message: '' };
    },
    async enableVoiceMail(input, before) {
      if (before['voicemail'] === 'default') throw new NeverRecorded('enableVoiceMail where there is a mailbox');
      await write(input, { ...before, ...changedMailbox(input) });
      return done('enableVoiceMail');
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
    if (store.get(place(input))) return refuse('This device id is already in use');
    await write(input, madeExtension(input, {}));
    return done('addExtension');
  }

  return {
    async run(mutation, input) {
      if (mutation === 'addExtension') return add(input);
      if (mutation === 'createRangeofExtension' && input['tech'] === undefined) return refuse(wrongTech(''));
      const change = CHANGES[mutation];
      if (!change) throw new NeverRecorded(mutation);
      const before = store.get(place(input))?.extension;
      if (before) return change(input, before);
      if (mutation === 'updateCoreUser') throw new NeverRecorded('updateCoreUser of an extension that is not there');
      return refuse('Extension does not exists.');
    },
    half: async (mutation, input) => {
      if (mutation === 'updateExtension') await store.remove(place(input));
    },
    get: (number) => store.get({ instance, number })?.extension,
    list: () => store.list(instance),
  };
}

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

/** Deleted and created anew: missing fields fall back to defaults, except name, email and mailbox. */
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
