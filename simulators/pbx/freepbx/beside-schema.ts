// The part of FreePBX's GraphQL schema beside core's extensions: follow-me, ring groups and inbound routes. Not recorded:
// read in the source of findmefollow 16.0.23, ringgroups 16.0.11 and core 16.0.68.30.
import type { Fields, Root } from './schema';

const all = (type: string, ...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, type]));

const RING_GROUP: Fields = {
  ...all(
    'String',
    'description',
    'strategy',
    'extensionList',
    'ringTime',
    'groupPrefix',
    'callerMessage',
    'postAnswer',
  ),
  ...all('String', 'alertInfo', 'receiverMessageConfirmCall', 'receiverMessage', 'ringingMusic', 'callRecording'),
  ...all('String', 'overrideRingerVolume', 'clientMutationId'),
  ...all('Boolean', 'needConf', 'ignoreCallForward', 'ignoreCallWait', 'pickupCall', 'callProgress'),
  answeredElseWhere: 'Boolean',
};
const ROUTE: Fields = {
  ...all('String', 'extension', 'cidnum', 'description', 'alertinfo', 'mohclass', 'grppre', 'pmmaxretries'),
  ...all('String', 'pmminlength', 'rvolume', 'clientMutationId'),
  ...all('Boolean', 'privacyman', 'ringing', 'pricid', 'reversal', 'fanswer'),
  ...all('Int', 'delay_answer'),
  destination: 'String!',
};

const FOLLOW_ME: Fields = {
  enabled: 'Boolean!',
  strategy: 'ringstrategiesv2',
  externalCallerIdMode: 'externalcidmode',
  ...all('Int', 'ringTime', 'initialRingTime'),
  ...all('String', 'followMePrefix', 'followMeList', 'noAnswerDestination', 'alertInfo', 'ringingMusic'),
  ...all('String', 'fixedCallerId'),
  confirmCalls: 'Boolean',
};

export const BESIDE_INPUTS: Readonly<Record<string, Fields>> = {
  updateFollowMeInput: { ...FOLLOW_ME, extensionId: 'ID!', clientMutationId: 'String' },
  addRingGroupInput: { ...RING_GROUP, groupNumber: 'ID!', strategy: 'String!', extensionList: 'String!' },
  updateRingGroupInput: { ...RING_GROUP, groupNumber: 'ID!' },
  DeleteRingGroupInput: { groupNumber: 'Int!', clientMutationId: 'String' },
  addInboundRouteInput: ROUTE,
  updateInboundRouteInput: { ...ROUTE, ...all('String', 'oldExtension', 'oldCidnum'), extension: 'String!' },
  removeInboundRouteInput: { id: 'ID!', clientMutationId: 'String' },
};

export const BESIDE_OBJECTS: Readonly<Record<string, Fields>> = {
  findmefollow: { ...FOLLOW_ME, extensionId: 'ID!', status: 'Boolean', message: 'String' },
  ringgroup: {
    id: 'ID!',
    ...all('Int', 'groupNumber', 'groupTime'),
    ...all('String', 'description', 'groupList', 'groupPrefix', 'strategy', 'postAnswer', 'message'),
    status: 'Boolean',
  },
  ringgroupConnection: { totalCount: 'Int', ringgroups: '[ringgroup]', message: 'String', status: 'Boolean' },
  did: { id: 'ID!', extension: 'String!', ...all('String', 'cidnum', 'description', 'destinationConnection') },
  didConnection: { totalCount: 'Int', inboundRoutes: '[did]' },
};

const mutation = (name: string, input = `${name}Input!`): [string, Root] => [
  name,
  { type: 'payload', args: { input } },
];

export const BESIDE_QUERIES: Readonly<Record<string, Root>> = {
  fetchFollowMe: { type: 'findmefollow', args: { extensionId: 'ID!' } },
  fetchAllRingGroups: { type: 'ringgroupConnection', args: {} },
  fetchRingGroup: { type: 'ringgroup', args: { groupNumber: 'ID' } },
  allInboundRoutes: { type: 'didConnection', args: {} },
  inboundRoute: { type: 'did', args: { id: 'ID!' } },
};

export const BESIDE_MUTATIONS: Readonly<Record<string, Root>> = Object.fromEntries([
  mutation('addRingGroup'),
  mutation('updateRingGroup'),
  mutation('deleteRingGroup', 'DeleteRingGroupInput!'),
  mutation('updateFollowMe'),
  ...['addInboundRoute', 'updateInboundRoute', 'removeInboundRoute'].map((name) => mutation(name)),
]);
