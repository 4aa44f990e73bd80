/** Portal routes of browsers that receive pushes of new texts and faxes. */
import { z } from 'zod';
import type { Incoming } from '../../../kernel/http/incoming';
import type { Storage } from '../../../kernel/kernel';
import type { RequestParts } from '../../../kernel/mailbox/request';
import { integer } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { MAX_SHOWN_IDS } from '../../../kernel/push/push-shown';
import { badPushAddress, deviceGone, noSuchDevice, pushesAreOff, pushRefused } from '../../../kernel/push/push-faults';
import { sessionEnded } from '../../../kernel/sessions/page-faults';
import { sessionTokenOf } from '../../../kernel/web-pages/page-requests';
import { addPushDevice, allowPushContent, removePushDevice, testPushDevice } from '../../commands/push/change-devices';
import { readPushed } from '../../commands/push/read-pushed';
import { doneAnswer } from '../../model/answers/portal';
import { pushDeviceAnswer, pushDevicesAnswer, pushSettings } from '../../model/answers/push';
import type { Caller } from '../../model/contacts/contact';
import { existing, noFax, notOwner } from '../../model/faults';
import { PORTAL_COOKIE } from '../../model/portal/portal';
import { noConversation, noMessage } from '../../model/texting/texting-faults';
import type { Telephony } from '../../parts';
import { getPushSettings, listPushDevices } from '../../queries/push/list-push-devices';
import { done } from '../portal/wire-format';

const { get, post, put, del } = routesFor<Caller>();

const tokenOf = (incoming: Incoming): string => existing(sessionTokenOf(PORTAL_COOKIE, incoming), sessionEnded);
/** Longer ones are refused by their content. */
const word = z.string().max(2000);

type Parts = Storage & RequestParts & Pick<Telephony, 'keys' | 'push' | 'settings'>;

export const pushRoutes = (telephony: Parts) => [
  get('/push-devices', {
    summary: 'List your browsers that receive push notifications, and get the key to subscribe with',
    answer: pushDevicesAnswer,
    run: ({ by, incoming }) => listPushDevices(telephony, by, tokenOf(incoming)),
  }),
  post('/push-devices', {
    summary: 'Send push notifications of new texts and faxes to this browser (Web Push)',
    answer: pushDeviceAnswer,
    refuses: [pushesAreOff(), badPushAddress('endpoint'), noSuchDevice('missing')],
    params: {
      endpoint: word,
      p256dh: word,
      auth: word,
      language: z.string().max(100).default(''),
      renew: z.boolean().default(false).meta({ description: 'Refused unless the browser is one of yours still' }),
    },
    run: ({ by, params: { renew: isRenewal, ...more }, incoming }) => {
      const [agent, token] = [incoming.header('user-agent'), tokenOf(incoming)];
      return addPushDevice(telephony, by, { ...more, agent, token, isRenewal });
    },
  }),
  del('/push-devices/:push_device_id', {
    summary: 'Send no more push notifications to a browser',
    answer: doneAnswer,
    refuses: [noSuchDevice('missing')],
    params: { push_device_id: integer },
    run: ({ by, params }) => done(removePushDevice(telephony, by, params.push_device_id)),
  }),
  post('/push-devices/:push_device_id/test', {
    summary: 'Send a push notification to one of your browsers, to see whether it arrives',
    answer: doneAnswer,
    refuses: [noSuchDevice('missing'), deviceGone(), pushRefused('The push service answered 400')],
    params: { push_device_id: integer },
    run: ({ by, params }) => done(testPushDevice(telephony, by, params.push_device_id)),
  }),
  post('/push-read', {
    summary: 'Mark what a push notification is about as read by you',
    answer: doneAnswer,
    refuses: [noConversation(), noFax(), noMessage()],
    params: { tag: z.string().regex(/^[cf]:[0-9a-f]{24}$/), ids: z.array(z.int().min(1)).max(MAX_SHOWN_IDS) },
    run: ({ by, params }) => done(readPushed(telephony, by, params)),
  }),
  get('/push-settings', {
    summary: 'Get what push notifications of your company may say',
    answer: pushSettings,
    run: ({ by }) => getPushSettings(telephony, by),
  }),
  put('/push-settings', {
    summary: 'Choose whether push notifications of your company say who wrote what; owner only',
    answer: doneAnswer,
    refuses: [notOwner()],
    params: { content: z.boolean() },
    run: ({ by, params }) => done(allowPushContent(telephony.transaction, by, params.content)),
  }),
];
