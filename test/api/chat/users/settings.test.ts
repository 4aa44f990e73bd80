import {
  DISPLAY_SETTINGS,
  NOTIFICATION_SETTINGS,
  type SettingValue,
} from '../../../../src/chat/model/users/user-settings';
import { getRealm } from '../../../../src/chat/queries/organisation/find-realm';
import { settingsOf } from '../../../../src/chat/queries/users/settings';
import * as userSettings from '../../../../src/chat/store/users/user-settings';
import * as users from '../../../../src/chat/store/users/users';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { demoPeople, refusal, type DemoPeople } from '../../../support/chat/people';
import { publishedBy } from '../../../support/chat/published';
import { chatOf } from '../../../support/kernel/parts';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
});
afterAll(() => cluster.close());

const NO_BOTS = refusal('This endpoint does not accept bot requests.');
const mine = async () => {
  const { id: realmId } = await getRealm(chatOf(node.kernel));
  const { mysql } = node.kernel;
  const by = (await users.byId(mysql, realmId, people.member.id))!;
  return settingsOf(by, await userSettings.ofUser(mysql, by.id));
};

/** A value other than the default, as clients send it. */
const OTHER: Readonly<Record<string, SettingValue>> = {
  default_language: 'de',
  demote_inactive_streams: 2,
  emojiset: 'twitter',
  timezone: 'Europe/Berlin',
  desktop_icon_count_display: 3,
  notification_sound: 'ding',
  quiet_hours_days: '67',
  quiet_hours_from: '21:30',
  quiet_hours_to: '06:15',
};
const another = (name: string, usual: SettingValue) => OTHER[name] ?? !usual;

describe.each([
  ['display', DISPLAY_SETTINGS, 'update_display_settings', 'setting_name'],
  ['notifications', NOTIFICATION_SETTINGS, 'update_global_notifications', 'notification_name'],
])('PATCH /settings/%s', (kind, table, type, nameKey) => {
  test.each(Object.entries(table))(
    'Changing the setting %s returns it, publishes it to the user and stores it',
    async (name, { default: usual }) => {
      const value = another(name, usual);
      const change = async () => {
        const { body } = await people.member.patch(`/settings/${kind}`, { [name]: JSON.stringify(value) });
        expect(body).toEqual({ result: 'success', msg: '', [name]: value });
      };
      const published = await publishedBy(node.kernel, change);
      expect(published[0]).toEqual({
        to: [people.member.id],
        event: {
          type,
          user: 'member@example.com',
          [nameKey]: name,
          setting: value,
          ...(name === 'default_language' ? { language_name: 'German' } : {}),
        },
      });
      expect((await mine())[kind as 'display' | 'notifications'][name]).toBe(value);
      const again = await publishedBy(node.kernel, async () => {
        const same = await people.member.patch(`/settings/${kind}`, { [name]: JSON.stringify(value) });
        expect(same.body).toEqual({ result: 'success', msg: '' });
      });
      expect(again).toEqual([]);
    },
  );

  test('Bots cannot change these settings', async () => {
    expect(await people.helper.patch(`/settings/${kind}`, {})).toMatchObject(NO_BOTS);
  });
});

test('A changed time zone is published to everybody', async () => {
  const published = await publishedBy(node.kernel, () =>
    people.member.patch('/settings/display', { timezone: 'Asia/Tokyo' }),
  );
  expect(published[1]).toEqual({
    to: 'everyone',
    event: {
      type: 'realm_user',
      op: 'update',
      person: { user_id: people.member.id, email: 'member@example.com', timezone: 'Asia/Tokyo' },
    },
  });
});

test.each([
  ['display', 'timezone', '"Mars/Olympus"', "Invalid timezone 'Mars/Olympus'"],
  ['display', 'emojiset', '"apple"', "Invalid emojiset 'apple'"],
  ['display', 'default_language', '"x"', "Invalid language 'x'"],
  ['display', 'demote_inactive_streams', '9', "Invalid setting value '9'"],
  ['display', 'night_mode', 'True', 'Argument "night_mode" is not valid JSON.'],
  ['display', 'night_mode', '1', 'night_mode is not a boolean'],
  ['notifications', 'notification_sound', '"gong"', "Invalid notification sound 'gong'"],
  ['notifications', 'quiet_hours_from', '"24:00"', "Invalid time '24:00'"],
  ['notifications', 'quiet_hours_days', '"1178"', "Invalid days '1178'"],
  ['notifications', 'desktop_icon_count_display', '"a"', 'desktop_icon_count_display is not an integer'],
])('PATCH /settings/%s refuses a wrong value of %s', async (kind, name, value, msg) => {
  expect(await people.member.patch(`/settings/${kind}`, { [name]: value })).toMatchObject(
    refusal(msg, { code: 'BAD_REQUEST' }),
  );
});

describe('PATCH /settings', () => {
  test("Changing one's own name publishes it to everybody", async () => {
    let body: unknown;
    const published = await publishedBy(node.kernel, async () => {
      ({ body } = await people.other.patch('/settings', { full_name: ' Ola Third ' }));
    });
    expect(body).toMatchObject({ full_name: 'Ola Third' });
    expect(published[0]!.event.person).toMatchObject({ full_name: 'Ola Third' });
    expect(await people.other.patch('/settings', { full_name: 'O' })).toMatchObject(refusal('Name too short!'));
  });

  test('Changing the password needs the old password and a strong new one', async () => {
    const change = (old_password: string, new_password: string) =>
      people.other.patch('/settings', { old_password, new_password });
    expect(await change('wrong', 'longer than that')).toMatchObject(refusal('Wrong password!'));
    expect(await change('demo', 'short')).toMatchObject(refusal('New password is too weak!'));
    expect((await change('demo', 'longer than that')).body).toEqual({ result: 'success', msg: '' });
    const login = { username: 'other@example.com', password: 'longer than that' };
    expect((await node.call('/api/v1/fetch_api_key', { form: login })).status).toBe(200);
  });

  test('PATCH /settings refuses empty requests, bots, and new addresses where these are disabled', async () => {
    expect(await people.other.patch('/settings')).toMatchObject(refusal('Please fill out all fields.'));
    await people.owner.patch('/realm', { email_changes_disabled: 'true' });
    expect(await people.other.patch('/settings', { email: 'new@example.com' })).toMatchObject(
      refusal('Email address changes are disabled in this organization.'),
    );
    expect(await people.helper.patch('/settings', { full_name: 'Other Bot' })).toMatchObject(NO_BOTS);
  });

  test('An organisation can disable changes of names', async () => {
    await people.owner.patch('/realm', { name_changes_disabled: 'true' });
    expect((await people.other.patch('/settings', { full_name: 'Ola Fourth' })).body).toEqual({
      result: 'success',
      msg: '',
    });
    await people.owner.patch('/realm', { name_changes_disabled: 'false' });
    expect((await people.other.get('/users/me')).body.full_name).toBe('Ola Third');
  });
});

test('The setting enter_sends can be turned on', async () => {
  expect((await people.member.post('/users/me/enter-sends', { enter_sends: 'true' })).status).toBe(200);
  expect((await mine()).entersSend).toBe(true);
});

describe('Alert words', () => {
  test('Alert words are added and removed in order, and published to the user alone', async () => {
    const { member } = people;
    const published = await publishedBy(node.kernel, async () => {
      const { body } = await member.post('/users/me/alert_words', { alert_words: '["Tea"," coffee ","Tea",""]' });
      expect(body.alert_words).toEqual(['Tea', 'coffee']);
    });
    expect(published).toEqual([{ to: [member.id], event: { type: 'alert_words', alert_words: ['Tea', 'coffee'] } }]);
    expect((await member.post('/users/me/alert_words', { alert_words: '["tea"]' })).body.alert_words).toHaveLength(3);
    expect((await member.del('/users/me/alert_words', { alert_words: '["Tea","none"]' })).body.alert_words).toEqual([
      'coffee',
      'tea',
    ]);
    expect((await member.get('/users/me/alert_words')).body.alert_words).toEqual(['coffee', 'tea']);
    expect((await people.other.get('/users/me/alert_words')).body.alert_words).toEqual([]);
  });

  test('Alert words that are no text, too long or too many are refused', async () => {
    const add = (words: unknown) => people.other.post('/users/me/alert_words', { alert_words: JSON.stringify(words) });
    expect(await add([1])).toMatchObject(refusal('alert_words[0] is not a string'));
    expect(await add('x')).toMatchObject(refusal('alert_words is not a list'));
    expect(await add(['x'.repeat(101)])).toMatchObject(refusal('alert_words is too long (limit: 100 characters)'));
    expect((await add(Array.from({ length: 101 }, (_, index) => `word ${index}`))).status).toBe(400);
  });
});

test('A changed user status is published to everybody', async () => {
  const published = await publishedBy(node.kernel, () =>
    people.member.post('/users/me/status', { away: 'true', status_text: ' at lunch ' }),
  );
  const event = { type: 'user_status', user_id: people.member.id, away: true, status_text: 'at lunch' };
  expect(published).toEqual([{ to: 'everyone', event }]);
  expect(await people.member.post('/users/me/status', { status_text: 'x'.repeat(61) })).toMatchObject(
    refusal('status_text is too long (limit: 60 characters)'),
  );
  expect(await people.member.post('/users/me/status')).toMatchObject(refusal('Client did not pass any new values.'));
});

test('The pointer moves only forwards, and only to messages that the user can see', async () => {
  const { member } = people;
  const sent = await member.post('/messages', { type: 'stream', to: 'test', topic: 't', content: 'here' });
  const pointer = String(sent.body.id);
  const published = await publishedBy(node.kernel, () => member.post('/users/me/pointer', { pointer }));
  expect(published).toEqual([{ to: [member.id], event: { type: 'pointer', pointer: sent.body.id } }]);
  expect((await member.put('/users/me/pointer', { pointer: '0' })).status).toBe(200);
  expect((await member.get('/users/me/pointer')).body.pointer).toBe(sent.body.id);
  expect(await member.post('/users/me/pointer', { pointer: '999999' })).toMatchObject(refusal('Invalid message ID'));
  const aside = { type: 'private', to: 'owner@example.com', content: 'between us' };
  const hidden = String((await people.other.post('/messages', aside)).body.id);
  expect(await member.post('/users/me/pointer', { pointer: hidden })).toMatchObject(refusal('Invalid message ID'));
  expect((await member.get('/users/me')).body).toMatchObject({ pointer: sent.body.id, max_message_id: sent.body.id });
});
