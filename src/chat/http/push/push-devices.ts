/** Devices that receive pushes: a browser that subscribed, or a program with UnifiedPush. */
import type { Storage } from '../../../kernel/kernel';
import type { RequestParts } from '../../../kernel/mailbox/request';
import type { Incoming } from '../../../kernel/http/incoming';
import { flag, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { badPushAddress, deviceGone, noSuchDevice, pushesAreOff, pushRefused } from '../../../kernel/push/push-faults';
import { sessionTokenOf } from '../../../kernel/web-pages/page-requests';
import { addPushDevice, removePushDevice, testPushDevice } from '../../commands/push/change-devices';
import { CHAT_COOKIE } from '../../model/accounts/session';
import { DONE } from '../../model/answers/envelope';
import { pushDeviceAnswer, pushDevicesAnswer } from '../../model/answers/push';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { listPushDevices } from '../../queries/push/list-push-devices';
import { forPeople } from '../wire-format';

const { get, post, del } = routesFor<User>();

/** What is no number is the id of nothing. */
const deviceId = text.transform((value) => (/^\d{1,9}$/.test(value) ? Number(value) : 0)).meta({ type: 'integer' });

/** A device that shows a key has no session. */
const tokenOf = (incoming: Incoming): string | undefined =>
  incoming.header('authorization') === '' ? sessionTokenOf(CHAT_COOKIE, incoming) : undefined;

type Parts = Storage & RequestParts & Pick<Chat, 'push' | 'sessionDays'>;

export const pushRoutes = (chat: Parts) => [
  get('/push_devices', {
    summary: 'Get your devices that receive push notifications, and the key to subscribe with',
    answer: pushDevicesAnswer,
    run: ({ by, incoming }) => listPushDevices(chat, by, tokenOf(incoming)),
  }),
  post('/push_devices', {
    summary: 'Send push notifications to a device (Web Push, UnifiedPush)',
    answer: pushDeviceAnswer,
    refuses: [pushesAreOff(), badPushAddress('endpoint'), noSuchDevice('invalid')],
    params: {
      endpoint: text,
      p256dh: text,
      auth: text,
      renew: flag.optional().meta({ description: 'Refused unless the device is one of yours still' }),
    },
    run: forPeople(({ by, params: { renew: isRenewal = false, ...address }, incoming }) => {
      const [agent, token] = [incoming.header('user-agent'), tokenOf(incoming)];
      return addPushDevice(chat, by, { ...address, agent, token, isRenewal });
    }),
  }),
  del('/push_devices/:push_device_id', {
    summary: 'Send no more push notifications to a device',
    answer: DONE,
    refuses: [noSuchDevice('invalid')],
    params: { push_device_id: deviceId },
    run: ({ by, params }) => removePushDevice(chat, by, params.push_device_id),
  }),
  post('/push_devices/:push_device_id/test', {
    summary: 'Send a push notification to one of your devices, to see whether it arrives',
    answer: DONE,
    refuses: [noSuchDevice('invalid'), deviceGone(), pushRefused('The push service answered 400')],
    params: { push_device_id: deviceId },
    run: ({ by, params }) => testPushDevice(chat, by, params.push_device_id),
  }),
];
