/**
 * Requests to FreePBX 16.0.40.11 (core 16.0.68.30, api 16.0.13, voicemail 16.0.58) and its responses, in a working
 * order: later ones use what earlier ones created.
 */
import * as wire from './freepbx-exchange';
import { exchange, mutation, refused, said, type Exchange } from './freepbx-exchange';
import { refusals } from './freepbx-refusals';

const SECRET = '0123456789abcdef0123456789abcdef';
const CREATED = 'Extension has been created Successfully';
const UPDATED = 'Extension has been updated';
const NO_ID = { clientMutationId: null };

const update = (extensionId: string, more: object = {}) => ({
  input: {
    extensionId,
    name: 'Cid Two',
    email: 'cid2@example.com',
    tech: 'pjsip',
    outboundCid: '"Cid" <5551>',
    emergencyCid: '911',
    maxContacts: '3',
    vmEnable: true,
    vmPassword: '9999',
    umEnable: false,
    extPassword: SECRET,
    ...more,
  },
});

const shown = (extensionId: string, user: object, more: object = {}) =>
  said('fetchExtension', 'Extension found successfully', {
    extensionId,
    tech: 'pjsip',
    user: expect.objectContaining(user) as object,
    ...more,
  });

function creations(one: string, three: string): Exchange[] {
  const withMailbox = wire.add(one, { vmEnable: true, vmPassword: '4711', clientMutationId: 'op-1' });
  const device = { deviceId: one, dial: `PJSIP/${one}`, description: 'Ann Lee', emergencyCid: '' };
  const user = {
    name: 'Ann Lee',
    outboundCid: '',
    extPassword: expect.stringMatching(/^\w{8,64}$/) as string,
    voicemail: 'default',
    ringtimer: 0,
    callwaiting: 'enabled',
  };
  return [
    exchange(
      'addExtension takes an empty email',
      wire.ADD,
      withMailbox,
      said('addExtension', CREATED, { clientMutationId: 'op-1' }),
    ),
    exchange(
      'fetchExtension shows user and device',
      wire.FETCH_WHOLE,
      { id: one },
      shown(one, user, { coreDevice: device }),
    ),
    exchange(
      'addExtension without vmEnable makes no mailbox',
      wire.ADD,
      wire.add(three),
      said('addExtension', CREATED, NO_ID),
    ),
    exchange('an extension without mailbox shows novm', wire.FETCH, { id: three }, shown(three, { voicemail: 'novm' })),
  ];
}

function updates(three: string): Exchange[] {
  const fetched = (title: string, user: object) => exchange(title, wire.FETCH, { id: three }, shown(three, user));
  const updated = (title: string, more: object, clientMutationId: string | null = null) =>
    exchange(title, wire.UPDATE, update(three, more), said('updateExtension', UPDATED, { clientMutationId }));
  const ignored = said('updateExtension', null, NO_ID);
  const empty = {
    extensionId: three,
    name: 'Cid Three',
    email: '',
    umEnable: false,
    extPassword: 'aa',
    vmEnable: true,
    vmPassword: '1',
  };
  const described = { coreDevice: expect.objectContaining({ description: 'Ann <x>', emergencyCid: '911' }) as object };
  return [
    updated('updateExtension sets the secret', { clientMutationId: 'op-4' }, 'op-4'),
    exchange(
      'updateExtension with an empty email is 200 and says neither yes nor no',
      wire.UPDATE,
      { input: empty },
      ignored,
    ),
    exchange(
      'so is one without email',
      wire.UPDATE,
      { input: { extensionId: three, name: 'Cid Four', umEnable: false } },
      ignored,
    ),
    fetched('neither of these has changed anything', {
      name: 'Cid Two',
      outboundCid: '"Cid" <5551>',
      extPassword: SECRET,
    }),
    updated('a blank is taken for an email', { name: 'Ann <x>', email: ' ', vmEnable: false }),
    exchange(
      'angle brackets become round ones in the name of the user, not in the description',
      wire.FETCH_WHOLE,
      { id: three },
      shown(three, { name: 'Ann (x)', voicemail: 'novm' }, described),
    ),
    ...userChanges(three),
    fetched('the ring time shows, and the secret is as it was', {
      name: 'Cid Seven',
      ringtimer: 25,
      extPassword: SECRET,
    }),
    updated('an update without extPassword makes up a new secret', { extPassword: undefined }),
    fetched('the old secret is gone', { extPassword: expect.not.stringContaining(SECRET) as string }),
  ];
}

function userChanges(three: string): Exchange[] {
  const input = {
    extension: three,
    name: 'Cid Seven',
    ringtimer: 25,
    noanswer_cid: '',
    busy_cid: '',
    chanunavail_cid: '',
    noanswer_dest: '',
    busy_dest: '',
    chanunavail_dest: '',
  };
  const query = mutation('updateCoreUser', '{ coreuser { extension ringtimer } }');
  const body = { data: { updateCoreUser: { coreuser: { extension: three, ringtimer: 25 } } } };
  return [exchange('updateCoreUser sets the ring time', query, { input }, { status: 200, body })];
}

function mailboxes(four: string): Exchange[] {
  const DISABLE = mutation('disableVoiceMail', '{ status message }');
  const options = { saycid: true, envelope: true, attach: true, delete: false };
  const mailbox = { password: '1234', name: 'Dan', email: 'dan@example.com' };
  const shownOptions = { attach: 'yes', saycid: 'yes', envelope: 'yes', delete: 'no' };
  return [
    exchange(
      'a fourth extension is made',
      wire.ADD,
      wire.add(four, { name: 'Dan' }),
      said('addExtension', CREATED, NO_ID),
    ),
    exchange(
      'fetchVoiceMail where there is none',
      wire.FETCH_MAILBOX,
      { id: four },
      refused('Sorry unable to fetch the status'),
    ),
    exchange(
      'disableVoiceMail where there is none',
      DISABLE,
      { input: { extensionId: four } },
      refused('Sorry,voicemail does not  exists.'),
    ),
    exchange(
      'enableVoiceMail makes a mailbox with options',
      wire.ENABLE,
      { input: { extensionId: four, ...mailbox, ...options } },
      said('enableVoiceMail', 'Voicemail has been created successfully'),
    ),
    exchange(
      'fetchVoiceMail shows them',
      wire.FETCH_MAILBOX,
      { id: four },
      said('fetchVoiceMail', 'Voicemail data found successfully', {
        context: 'default',
        pager: '',
        ...mailbox,
        ...shownOptions,
      }),
    ),
  ];
}

/** The user exists, the device does not. */
function halves(five: string): Exchange[] {
  const DELETE_DEVICE = mutation('deleteCoreDevice', '{ status }');
  const missing = 'Extension does not exists';
  return [
    exchange('a fifth extension is made', wire.ADD, wire.add(five), said('addExtension', CREATED, NO_ID)),
    exchange(
      'deleteCoreDevice leaves half of it',
      DELETE_DEVICE,
      { input: { id: five } },
      { status: 200, body: { data: { deleteCoreDevice: { status: true } } } },
    ),
    exchange('fetchExtension of half an extension', wire.FETCH, { id: five }, refused(missing)),
    exchange('updateExtension of half an extension', wire.UPDATE, update(five), refused(`${missing}.`)),
    exchange(
      'addExtension of half an extension',
      wire.ADD,
      wire.add(five),
      refused(`This user/extension ${five} is already in use`),
    ),
    exchange(
      'deleteExtension removes half an extension',
      wire.DELETE,
      { input: { extensionId: five } },
      said('deleteExtension', 'Extension has been deleted', NO_ID),
    ),
    exchange('addExtension after it', wire.ADD, wire.add(five), said('addExtension', CREATED, NO_ID)),
  ];
}

/** The numbers 7001, 7003, 7004 and 7005 of the recording, and one that is never created. */
export function recordedExchanges(first: number): Exchange[] {
  const [one, three, four, five, none] = [1, 3, 4, 5, 99].map((each) => String(first + each)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const text = expect.any(String) as string;
  const system = { version: text, engine: text, needReload: expect.any(Boolean) as boolean };
  return [
    ...creations(one, three),
    ...updates(three),
    ...mailboxes(four),
    ...halves(five),
    ...refusals(none, one),
    ...[one, three, four, five].map((extensionId) =>
      exchange(
        `deleteExtension removes ${extensionId}`,
        wire.DELETE,
        { input: { extensionId, clientMutationId: 'd1' } },
        said('deleteExtension', 'Extension has been deleted', { clientMutationId: 'd1' }),
      ),
    ),
    exchange(
      'changes wait for a reload',
      'query { fetchNeedReload { status message } }',
      {},
      said('fetchNeedReload', 'Doreload is required'),
    ),
    exchange(
      'system says its version',
      'query { system { version engine needReload } }',
      {},
      { status: 200, body: { data: { system } } },
    ),
    exchange(
      'an unknown transaction is a status of true',
      wire.STATE,
      { id: '999999' },
      said('fetchApiStatus', 'Sorry unable to fetch the status'),
    ),
  ];
}
