import { callerOf } from '../../../support/chat/people';
import { openPushStage, settingsOf, type PushStage } from '../../../support/chat/pushing';
import type { OwnDevice } from '../../../support/pushing';

let stage: PushStage;
let device: OwnDevice;

beforeAll(async () => {
  stage = await openPushStage();
  device = await stage.subscribe(stage.other);
  const { stream_id } = (await stage.other.get('/get_stream_id', { stream: 'test' })).body;
  const change = { stream_id, property: 'push_notifications', value: true };
  const caller = await callerOf(stage.node, stage.other.email);
  await caller.post('/users/me/subscriptions/properties', { subscription_data: JSON.stringify([change]) });
});
afterAll(() => stage.close());

/** As long as a day, so that they are now. */
const ALWAYS = { enable_quiet_hours: 'true', quiet_hours_from: '"00:00"', quiet_hours_to: '"00:00"' };
const set = (form: Record<string, string>) => settingsOf(stage, stage.other, form);
const bodies = () => device.pushes.map(({ payload }) => payload.body);

test('In quiet hours nothing is pushed, and nothing of it later', async () => {
  await set(ALWAYS);
  await stage.owner.toPeople([stage.other.email], 'in the night');
  await stage.owner.toStream('test', 'night', 'in the night too');
  await stage.settled();
  await set({ enable_quiet_hours: 'false' });
  await stage.owner.toStream('test', 'morning', 'good morning');
  await device.got(1);
  await stage.settled();
  expect(bodies()).toEqual(['good morning']);
});

test('Private messages and mentions come through if their reader lets them', async () => {
  await set({ ...ALWAYS, quiet_hours_allow_personal: 'true' });
  await stage.owner.toStream('test', 'night', 'to nobody in particular');
  await stage.owner.toStream('test', 'night', 'wake up, @**Ola Other**');
  await device.got(2);
  await stage.owner.toPeople([stage.other.email], 'it is urgent');
  await device.got(3);
  await stage.settled();
  expect(bodies().slice(1).join()).not.toContain('to nobody in particular');
  await set({ enable_quiet_hours: 'false' });
});

test('Pushes of streams do not depend on those of private messages', async () => {
  const count = device.pushes.length;
  await set({ enable_offline_push_notifications: 'false' });
  await stage.owner.toPeople([stage.other.email], 'unwanted');
  await stage.owner.toStream('test', 'wanted', 'wanted');
  await device.got(count + 1);
  await stage.settled();
  expect(bodies().slice(count)).toEqual(['wanted']);
});
