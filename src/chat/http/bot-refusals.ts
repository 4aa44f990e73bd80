/** What endpoints of bots, and of what services deliver to them, may refuse, for the OpenAPI document. */
import type { Fault } from '../../kernel/fault';
import { invalidSignature, invalidWebhookKey, malformedJson, noSuchIntegration, tooMuchWaiting } from '../model/faults';
import { invalidInterface, notAUrl } from '../model/outgoing-webhook';
import * as users from '../model/user-faults';
import { PICTURE_REFUSALS } from './file-refusals';

const bots = [users.noSuchBot(), users.insufficientPermission()];
const WEBHOOK_BACKLOG = 50_000;

export const BOT_REFUSALS: Readonly<Record<string, readonly Fault[]>> = {
  'post /bots': [
    users.usernameTaken(),
    users.nameInUse(),
    users.botTypeInvalid(),
    users.botTypeUnsupported(),
    notAUrl('payload_url'),
    invalidInterface(),
    ...PICTURE_REFUSALS,
  ],
  'patch /bots/:bot_id': [
    ...bots,
    users.badNewOwner('no such user'),
    users.onlyOutgoingBots(),
    notAUrl('service_payload_url'),
    invalidInterface(),
    ...PICTURE_REFUSALS,
  ],
  'delete /bots/:bot_id': bots,
  'post /bots/:bot_id/api_key/regenerate': bots,
  'get /bots/:bot_id/zuliprc': bots,
  'get /bots/:bot_id/signature': bots,
  'put /bots/:bot_id/signature': [...bots, users.onlyWebhookBots()],
  'delete /bots/:bot_id/signature': [...bots, users.onlyWebhookBots()],
  'post /external/:integration': [
    invalidWebhookKey(),
    invalidSignature(),
    malformedJson(),
    noSuchIntegration('nothing'),
    tooMuchWaiting(WEBHOOK_BACKLOG),
  ],
};
