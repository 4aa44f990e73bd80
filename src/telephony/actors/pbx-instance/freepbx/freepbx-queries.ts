/** FreePBX's GraphQL queries and the types of their results. */
import { USER_FIELDS, type ShownUser } from './freepbx-fields';
import { FOLLOW_ME_SHOWN } from './freepbx-follow-me';

const DONE = '{ status message }';
const mutation = (name: string, shows = DONE): string =>
  `mutation ($input: ${name}Input!) { ${name}(input: $input) ${shows} }`;

export const ADD = mutation('addExtension');
export const UPDATE = mutation('updateExtension');
export const DELETE = mutation('deleteExtension');
export const ENABLE_MAILBOX = mutation('enableVoiceMail');
/** It has no status field; a returned user means success. */
export const UPDATE_USER = mutation('updateCoreUser', '{ coreuser { extension } }');

const EXTENSION = `extensionId tech user { ${USER_FIELDS} }`;
const fetchExtension = (shows: string): string =>
  `query ($id: ID) { fetchExtension(extensionId: $id) { status message ${shows} } }`;

/** Only this query reports a missing extension as "does not exist". */
export const FETCH = fetchExtension(EXTENSION);
export const FETCH_WHOLE = fetchExtension(`${EXTENSION} coreDevice { emergencyCid }`);
export const MAILBOX =
  'query ($id: ID!) { fetchVoiceMail(extensionId: $id) ' +
  '{ status message password email pager attach saycid envelope delete } }';
export const LIST =
  'query ($first: Int, $after: String) { fetchAllExtensions(first: $first, after: $after) ' +
  `{ status message totalCount extension { ${EXTENSION} } } }`;

export const UPDATE_FOLLOW_ME = mutation('updateFollowMe');
export const FOLLOW_ME = `query ($id: ID!) { fetchFollowMe(extensionId: $id) { status message ${FOLLOW_ME_SHOWN} } }`;

export const ADD_RING_GROUP = mutation('addRingGroup');
export const UPDATE_RING_GROUP = mutation('updateRingGroup');
/** Its input has a name of another form. */
export const DELETE_RING_GROUP = `mutation ($input: DeleteRingGroupInput!) { deleteRingGroup(input: $input) ${DONE} }`;
const GROUP = 'groupNumber description strategy groupList groupTime groupPrefix postAnswer';
export const RING_GROUP = `query ($number: ID) { fetchRingGroup(groupNumber: $number) { status message ${GROUP} } }`;
export const RING_GROUPS = `query { fetchAllRingGroups { status message ringgroups { ${GROUP} } } }`;

export const ADD_ROUTE = mutation('addInboundRoute');
export const UPDATE_ROUTE = mutation('updateInboundRoute');
export const REMOVE_ROUTE = mutation('removeInboundRoute');
export const ROUTE =
  'query ($id: ID!) { inboundRoute(id: $id) { extension cidnum description destinationConnection } }';
export const ROUTES = 'query { allInboundRoutes { inboundRoutes { extension cidnum } } }';

export const RELOAD = 'mutation { doreload(input: {}) { status message transaction_id } }';
export const RELOADED = 'query ($id: ID!) { fetchApiStatus(txnId: $id) { status message } }';
export const NEED_RELOAD = 'query { fetchNeedReload { status message } }';
export const SYSTEM = 'query { system { version engine needReload } }';

export interface ShownExtension {
  readonly extensionId: string;
  readonly tech: string;
  readonly user: ShownUser | null;
  readonly coreDevice?: { readonly emergencyCid: string | null } | null;
}

export interface ShownList {
  readonly extension: readonly ShownExtension[] | null;
}

export interface ShownRingGroup {
  readonly groupNumber: number;
  readonly description: string | null;
  readonly strategy: string | null;
  readonly groupList: string | null;
  readonly groupTime: number | null;
  readonly groupPrefix: string | null;
  readonly postAnswer: string | null;
}

export interface ShownRingGroups {
  readonly ringgroups: readonly ShownRingGroup[] | null;
}

export interface ShownRoute {
  readonly extension: string;
  readonly cidnum: string | null;
  readonly description: string | null;
  /** In the words of FreePBX's page. */
  readonly destinationConnection: string | null;
}

export interface ShownRoutes {
  readonly inboundRoutes: readonly Pick<ShownRoute, 'extension' | 'cidnum'>[] | null;
}
