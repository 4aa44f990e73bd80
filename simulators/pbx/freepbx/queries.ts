// The full answers of a simulated FreePBX's recorded queries. The caller's selection is taken from them.
import type { JsonObject, Store } from '../store';
import { Said } from './checks';
import type { Extensions } from './extensions';
import { shownFollowMe } from './follow-me';
import type { Field } from './graphql-reader';
import { inboundRoutesOf, shownRoute } from './inbound-routes';
import { shownMailbox } from './mailboxes';
import { NeverRecorded } from './never-recorded';
import type { Reloads } from './reloads';
import { ringGroupsOf, shownRingGroup } from './ring-groups';

interface Shown {
  store: Store;
  instance: string;
  extensions: Extensions;
  reloads: Reloads;
}

const QUERIES: Record<string, (own: Shown, field: Field) => JsonObject> = {
  fetchExtension({ extensions }, { args, selection }) {
    const found = extensions.get(String(args['extensionId']));
    if (found) return { status: true, message: 'Extension found successfully', ...shownExtension(found) };
    const isBroken = selection.some(({ name }) => name === 'coreDevice');
    throw new Said(isBroken ? 'Internal server error' : 'Extension does not exists');
  },
  fetchAllExtensions({ extensions }, { args, selection }) {
    if (selection.some(({ name }) => name === 'pageInfo')) throw new Said('Internal server error');
    for (const name of ['before', 'last']) if (args[name] !== undefined) throw new NeverRecorded(`a list with ${name}`);
    return page(extensions.list(), args);
  },
  fetchVoiceMail({ extensions }, { args }) {
    const found = extensions.withMailbox(String(args['extensionId']));
    if (found?.['voicemail'] !== 'default') throw new Said('Sorry unable to fetch the status');
    return { status: true, message: 'Voicemail data found successfully', ...shownMailbox(found) };
  },
  fetchApiStatus: ({ reloads }, { args }) => ({
    status: true,
    message: reloads.state(String(args['txnId'])) ?? 'Sorry unable to fetch the status',
  }),
  fetchNeedReload: ({ reloads }) => ({
    status: true,
    message: reloads.isNeeded() ? 'Doreload is required' : 'Doreload is not required',
  }),
  // As recorded: it said so while `fetchNeedReload` said the opposite.
  system: () => ({ version: '16.0.40.11', engine: '16.28.0', needReload: false }),
  fetchFollowMe: ({ extensions }, { args }) => {
    const number = String(args['extensionId']);
    return shownFollowMe(extensions.withMailbox(number), number);
  },
  fetchRingGroup({ store, instance }, { args }) {
    const found = store.get({ instance: ringGroupsOf(instance), number: String(args['groupNumber']) })?.extension;
    if (!found) throw new Said('Sorry, unable to find any ringgroup');
    return { status: true, message: 'Record found successfully', ...shownRingGroup(found) };
  },
  fetchAllRingGroups: ({ store, instance }) => ({
    status: true,
    message: null,
    ringgroups: store.list(ringGroupsOf(instance)).map(shownRingGroup),
  }),
  allInboundRoutes: ({ store, instance }) => ({
    inboundRoutes: store.list(inboundRoutesOf(instance)).map((held) => shownRoute(store, instance, held)),
  }),
  inboundRoute({ store, instance }, { args }) {
    const [number = ''] = String(args['id']).split('/');
    const found = store.get({ instance: inboundRoutesOf(instance), number })?.extension;
    if (!found) throw new NeverRecorded('an inbound route that is not there');
    return shownRoute(store, instance, found);
  },
  coreUser: () => {
    throw new Said('Internal server error');
  },
  fetchCoreDevice: () => {
    throw new Said('Internal server error');
  },
};

export function show(own: Shown, field: Field): JsonObject {
  const query = QUERIES[field.name];
  if (!query) throw new NeverRecorded(field.name);
  return query(own, field);
}

/** A Relay connection over an array: cursors are indexes, and both counts are totals. */
function page(all: JsonObject[], args: Record<string, unknown>): JsonObject {
  const first = typeof args['first'] === 'number' ? args['first'] : all.length;
  const after = typeof args['after'] === 'string' ? Buffer.from(args['after'], 'base64').toString() : '';
  const begin = Number(/^arrayconnection:(\d+)$/.exec(after)?.[1] ?? -1) + 1;
  const extension = all.slice(begin, begin + first).map(shownExtension);
  const message = "Extension's found successfully";
  return { status: true, message, totalCount: all.length, count: all.length, edges: null, extension };
}

function shownExtension(held: JsonObject): JsonObject {
  const number = String(held['number']);
  return {
    id: Buffer.from(`extension:${number}`).toString('base64'),
    extensionId: number,
    tech: held['tech'] ?? 'pjsip',
    user: shownUser(held),
    coreDevice: {
      deviceId: number,
      dial: `PJSIP/${number}`,
      devicetype: 'fixed',
      description: held['description'] ?? held['name'],
      emergencyCid: held['emergency_cid'] ?? '',
    },
  };
}

/** The default that a user shows for each unset field, and the name that it is stored under. */
const USER: Readonly<Record<string, readonly [usual: unknown, stored?: string]>> = {
  password: [''],
  name: [''],
  voicemail: ['novm'],
  ringtimer: [0],
  noanswer: [''],
  recording: [''],
  outboundCid: ['', 'outboundcid'],
  sipname: [''],
  extPassword: [null, 'secret'],
  noanswerCid: ['', 'noanswer_cid'],
  busyCid: ['', 'busy_cid'],
  chanunavailCid: ['', 'chanunavail_cid'],
  noanswerDestination: ['', 'noanswer_dest'],
  busyDestination: ['', 'busy_dest'],
  chanunavailDestination: ['', 'chanunavail_dest'],
  callwaiting: ['enabled'],
  // In the schema, but FreePBX does not store it.
  mohclass: [null],
  recording_in_external: ['dontcare'],
  recording_in_internal: ['dontcare'],
  recording_out_external: ['dontcare'],
  recording_out_internal: ['dontcare'],
  recording_ondemand: ['disabled'],
  recording_priority: [10],
};

/** A device whose user is gone shows null in every field of the user. */
export const shownUser = (held: JsonObject): JsonObject => ({
  extension: String(held['number']),
  ...Object.fromEntries(
    Object.entries(USER).map(([name, [usual, stored = name]]) => [
      name,
      held['lacks'] === 'user' ? null : (held[stored] ?? usual),
    ]),
  ),
});
