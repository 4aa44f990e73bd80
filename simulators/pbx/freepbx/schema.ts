// The part of FreePBX 16's GraphQL schema about extensions, from introspection (core 16.0.68.30).
import { BESIDE_INPUTS, BESIDE_MUTATIONS, BESIDE_OBJECTS, BESIDE_QUERIES } from './beside-schema';

/** Type by field or argument name, in GraphQL notation. */
export type Fields = Readonly<Record<string, string>>;

export interface Root {
  readonly type: string;
  readonly args: Fields;
}

const all = (type: string, ...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, type]));

const EXTENSION_INPUT: Fields = {
  ...all('String', 'tech', 'channelName', 'outboundCid', 'emergencyCid', 'umGroups', 'vmPassword', 'callerID'),
  ...all('Boolean', 'umEnable', 'vmEnable'),
  clientMutationId: 'String',
};
const RECORDINGS = ['in_external', 'in_internal', 'out_external', 'out_internal', 'ondemand'];
const CORE_USER_INPUT: Fields = {
  extension: 'ID!',
  ...all('String!', 'noanswer_cid', 'busy_cid', 'chanunavail_cid', 'noanswer_dest', 'busy_dest', 'chanunavail_dest'),
  ...all('String', 'password', 'name', 'voicemail', 'noanswer', 'recording', 'outboundcid', 'sipname', 'mohclass'),
  ...all('String', 'callwaiting', ...RECORDINGS.map((way) => `recording_${way}`)),
  ...all('Int', 'ringtimer', 'recording_priority'),
};

export const INPUTS: Readonly<Record<string, Fields>> = {
  addExtensionInput: {
    ...all('ID!', 'extensionId'),
    ...all('String!', 'name', 'email'),
    ...all('String', 'umPassword', 'maxContacts'),
    ...EXTENSION_INPUT,
  },
  updateExtensionInput: {
    ...all('ID!', 'extensionId'),
    ...all('String', 'name', 'email', 'extPassword', 'umPassword', 'maxContacts'),
    ...EXTENSION_INPUT,
  },
  deleteExtensionInput: { extensionId: 'ID!', clientMutationId: 'String' },
  CreateRangeofExtensionInput: {
    ...all('ID!', 'startExtension', 'numberOfExtensions'),
    ...all('String!', 'name', 'email'),
    ...EXTENSION_INPUT,
  },
  enableVoiceMailInput: {
    ...all('String!', 'extensionId', 'password'),
    ...all('String', 'name', 'email', 'pager'),
    ...all('Boolean', 'saycid', 'envelope', 'attach', 'delete'),
  },
  disableVoiceMailInput: { extensionId: 'String!' },
  addCoreUserInput: CORE_USER_INPUT,
  updateCoreUserInput: CORE_USER_INPUT,
  deleteCoreDeviceInput: { id: 'ID!', clientMutationId: 'String' },
  doreloadInput: { clientMutationId: 'String' },
  ...BESIDE_INPUTS,
};

const PAYLOAD: Fields = { status: 'Boolean', message: 'String', clientMutationId: 'String' };

export const OBJECTS: Readonly<Record<string, Fields>> = {
  extension: {
    id: 'ID!',
    extensionId: 'ID',
    tech: 'String',
    user: 'coreuser',
    coreDevice: 'coredevice',
    status: 'Boolean',
    message: 'String',
  },
  coreuser: {
    id: 'ID!',
    extension: 'String!',
    ...all('String', 'password', 'name', 'voicemail', 'noanswer', 'recording', 'outboundCid', 'sipname', 'extPassword'),
    ...all('String', 'noanswerCid', 'busyCid', 'chanunavailCid'),
    ...all('String', 'noanswerDestination', 'busyDestination', 'chanunavailDestination'),
    ...all('String', 'mohclass', 'callwaiting', ...RECORDINGS.map((way) => `recording_${way}`)),
    ...all('Int', 'ringtimer', 'recording_priority'),
  },
  coredevice: {
    ...all('String', 'deviceId', 'tech', 'dial', 'devicetype', 'description', 'emergencyCid', 'coreDevice', 'message'),
    id: 'ID!',
    user: 'coreuser',
    status: 'Boolean',
  },
  voiceMail: {
    id: 'ID!',
    status: 'Boolean',
    ...all('String', 'message', 'context', 'password', 'name', 'email', 'pager', 'attach', 'saycid', 'envelope'),
    delete: 'String',
  },
  ExtensionConnection: {
    pageInfo: 'PageInfo',
    edges: '[extensionEdge]',
    totalCount: 'Int',
    count: 'Int',
    extension: '[extension]',
    status: 'Boolean',
    message: 'String',
  },
  system: {
    ...all('String', 'version', 'engine', 'asteriskStatus', 'asteriskVersion', 'amiStatus', 'dbStatus', 'guiMode'),
    needReload: 'Boolean',
  },
  module: { status: 'Boolean', message: 'String' },
  payload: PAYLOAD,
  doreloadPayload: { ...PAYLOAD, transaction_id: 'String' },
  updateCoreUserPayload: { coreuser: 'coreuser', clientMutationId: 'String' },
  ...BESIDE_OBJECTS,
};

const PAGE: Fields = { after: 'String', first: 'Int', before: 'String', last: 'Int' };
const mutation = (name: string, type = 'payload'): [string, Root] => [name, { type, args: { input: `${name}Input!` } }];

export const ROOTS: Readonly<Record<'query' | 'mutation', Readonly<Record<string, Root>>>> = {
  query: {
    fetchExtension: { type: 'extension', args: { extensionId: 'ID' } },
    fetchAllExtensions: { type: 'ExtensionConnection', args: PAGE },
    fetchAllValidExtensions: { type: 'ExtensionConnection', args: PAGE },
    fetchVoiceMail: { type: 'voiceMail', args: { extensionId: 'ID!' } },
    fetchCoreDevice: { type: 'coredevice', args: { device_id: 'ID' } },
    coreUser: { type: 'coreuser', args: { id: 'ID' } },
    fetchApiStatus: { type: 'module', args: { txnId: 'ID!' } },
    fetchNeedReload: { type: 'module', args: {} },
    system: { type: 'system', args: {} },
    ...BESIDE_QUERIES,
  },
  mutation: {
    ...Object.fromEntries(['addExtension', 'updateExtension', 'deleteExtension'].map((name) => mutation(name))),
    ...Object.fromEntries(['enableVoiceMail', 'disableVoiceMail', 'deleteCoreDevice'].map((name) => mutation(name))),
    ...Object.fromEntries(['addCoreUser', 'updateCoreUser'].map((name) => mutation(name, 'updateCoreUserPayload'))),
    createRangeofExtension: { type: 'payload', args: { input: 'CreateRangeofExtensionInput!' } },
    ...Object.fromEntries([mutation('doreload', 'doreloadPayload')]),
    ...BESIDE_MUTATIONS,
  },
};
