// The extensions of a simulated FreePBX: the documented mutations with their words, their checks and their habits.
import { randomBytes } from 'node:crypto';
import type { JsonObject, Store } from '../store';

type Input = Record<string, unknown>;
export interface Outcome {
  status: boolean;
  message: string;
}

const TYPES: Record<string, 'string' | 'boolean'> = {
  extensionId: 'string',
  name: 'string',
  email: 'string',
  tech: 'string',
  channelName: 'string',
  outboundCid: 'string',
  emergencyCid: 'string',
  umEnable: 'boolean',
  umGroups: 'string',
  umPassword: 'string',
  vmEnable: 'boolean',
  vmPassword: 'string',
  callerID: 'string',
  maxContacts: 'string',
  clientMutationId: 'string',
};
const INPUTS: Record<string, { types: typeof TYPES; required: string[] }> = {
  addExtension: { types: TYPES, required: ['extensionId', 'name', 'email'] },
  updateExtension: { types: { ...TYPES, extPassword: 'string' }, required: ['extensionId'] },
  deleteExtension: { types: { extensionId: 'string', clientMutationId: 'string' }, required: ['extensionId'] },
};

/** As a GraphQL server checks an input object against its type, before anything is done. */
export function checkInput(mutation: string, input: Input): string | undefined {
  const shape = INPUTS[mutation];
  if (!shape) return `Cannot query field "${mutation}" on type "Mutation".`;
  for (const name of shape.required) {
    if (input[name] === undefined) return `Field ${mutation}Input.${name} of required type was not provided.`;
  }
  for (const [name, value] of Object.entries(input)) {
    const type = shape.types[name];
    if (type === undefined) return `Field "${name}" is not defined by type ${mutation}Input.`;
    const isId = name === 'extensionId' && typeof value === 'number';
    if (typeof value !== type && value !== null && !isId) return `Expected type ${type}; got ${JSON.stringify(value)}`;
  }
  return undefined;
}

const DRIVERS = new Set<unknown>(['pjsip', 'sip', 'virtual', 'custom']);

export interface Extensions {
  run(mutation: string, input: Input): Promise<Outcome>;
  /** What is left when `updateExtension` fails after it has deleted and before it has created. */
  half(mutation: string, input: Input): Promise<void>;
  get(number: string): JsonObject | undefined;
  list(): JsonObject[];
}

export function openExtensions(store: Store, instance: string): Extensions {
  const place = (input: Input) => ({ instance, number: String(input['extensionId']) });
  const refuse = (message: string): Outcome => ({ status: false, message });
  const write = (input: Input, before: JsonObject) => {
    const extension = { ...made(input, before), number: Number(input['extensionId']) };
    return store.put(place(input), { extension, key: null });
  };

  async function run(mutation: string, input: Input): Promise<Outcome> {
    if (!/^\d+$/.test(String(input['extensionId']))) return refuse('Please enter only numeric values');
    const before = store.get(place(input))?.extension;
    if (mutation === 'addExtension') {
      if (before) return refuse('This device id is already in use');
      if (!DRIVERS.has(input['tech'] ?? 'pjsip')) {
        return refuse('The existing driver not support this tech');
      }
      if (input['umEnable'] === true && !input['umPassword']) return refuse('Please provide the umPassword');
      await write(input, {});
      return { status: true, message: 'Extension has been created Successfully' };
    }
    if (!before) return refuse('Extension does not exists.');
    if (mutation === 'deleteExtension') {
      await store.remove(place(input));
      return { status: true, message: 'Extension has been deleted' };
    }
    await write(input, before);
    return { status: true, message: 'Extension has been updated' };
  }

  return {
    run,
    half: async (mutation, input) => {
      if (mutation === 'updateExtension') await store.remove(place(input));
    },
    get: (number) => store.get({ instance, number })?.extension,
    list: () => store.list(instance),
  };
}

/** Deleted and made anew: what was not named falls back to its default, only a few fields are carried over. */
function made(input: Input, before: JsonObject): JsonObject {
  const text = (name: string, fallback: unknown = '') => String(input[name] ?? fallback);
  return {
    name: text('name', before['name']),
    email: text('email', before['email']),
    tech: text('tech', before['tech'] ?? 'pjsip'),
    outboundcid: text('outboundCid', before['outboundcid'] ?? ''),
    emergency_cid: text('emergencyCid'),
    max_contacts: text('maxContacts', '1'),
    callerid: text('callerID'),
    voicemail: input['vmEnable'] === false ? 'novm' : 'default',
    voicemail_vmpwd: text('vmPassword'),
    has_user: input['umEnable'] !== false,
    ringtimer: 0,
    secret: text('extPassword', before['secret'] ?? randomBytes(16).toString('hex')),
  };
}
