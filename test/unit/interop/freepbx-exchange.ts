/** The parts of recorded exchanges: the queries, and the two shapes of a response. */

interface Answer {
  readonly status: number;
  /** A jest pattern: values that a live FreePBX generates are not compared. */
  readonly body: object;
}

export interface Exchange extends Answer {
  readonly title: string;
  readonly query: string;
  readonly variables: object;
}

export const exchange = (title: string, query: string, variables: object, answer: Answer): Exchange => ({
  title,
  query,
  variables,
  ...answer,
});

export const mutation = (name: string, shows = '{ status message clientMutationId }') =>
  `mutation ($input: ${name}Input!) { ${name}(input: $input) ${shows} }`;
export const ADD = mutation('addExtension');
export const UPDATE = mutation('updateExtension');
export const DELETE = mutation('deleteExtension');
export const ENABLE = mutation('enableVoiceMail', '{ status message }');

const fetchExtension = (more: string) =>
  'query ($id: ID) { fetchExtension(extensionId: $id) { status message extensionId tech ' +
  `user { name outboundCid extPassword voicemail ringtimer callwaiting } ${more} } }`;
export const FETCH = fetchExtension('');
export const FETCH_WHOLE = fetchExtension('coreDevice { deviceId dial description emergencyCid }');
export const FETCH_MAILBOX =
  'query ($id: ID!) { fetchVoiceMail(extensionId: $id) ' +
  '{ status message context password name email pager attach saycid envelope delete } }';
export const STATE = 'query ($id: ID!) { fetchApiStatus(txnId: $id) { status message } }';

/** The smallest recorded one. */
export const add = (extensionId: string, more: object = {}) => ({
  input: {
    extensionId,
    name: 'Ann Lee',
    email: '',
    tech: 'pjsip',
    outboundCid: '',
    emergencyCid: '',
    maxContacts: '1',
    umEnable: false,
    ...more,
  },
});

export const refused = (message: string): Answer => ({ status: 400, body: { errors: [{ message, status: false }] } });

/** Without a message, it neither confirmed nor refused. */
export const said = (field: string, message: string | null, more: object = {}): Answer => ({
  status: 200,
  body: { data: { [field]: { status: message === null ? null : true, message, ...more } } },
});
