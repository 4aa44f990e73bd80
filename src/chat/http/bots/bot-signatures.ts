/** How deliveries to a bot must be signed. The secret can be written but never read back. */
import { integer, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { changeBotSignature } from '../../commands/bots/update-bot';
import { botSignatureAnswer } from '../../model/answers/bots';
import { DONE } from '../../model/answers/envelope';
import { isSignatureScheme, SIGNATURE_SCHEMES } from '../../model/bots/signature-schemes';
import type { User } from '../../model/users/user';
import { insufficientPermission, noSuchBot, onlyWebhookBots } from '../../model/users/user-faults';
import { getBotSignature } from '../../queries/bots/bots';

const { get, put, del } = routesFor<User>();

const PATH = '/bots/:bot_id/signature';

const scheme = text
  .refine(isSignatureScheme, `must be one of ${SIGNATURE_SCHEMES.join(', ')}`)
  .meta({ type: 'string', enum: [...SIGNATURE_SCHEMES] });

/** No service uses a longer secret. */
const MAX_SECRET = 1000;
const secret = text
  .refine((written) => written.trim() !== '', 'must not be empty')
  .refine((written) => written.length <= MAX_SECRET, `is too long (limit: ${MAX_SECRET} characters)`)
  .meta({ type: 'string', writeOnly: true });

export const botSignatureRoutes = [
  get(PATH, {
    summary: 'Get the signature scheme that deliveries to an incoming-webhook bot must use; null if none',
    answer: botSignatureAnswer,
    refuses: [noSuchBot(), insufficientPermission()],
    params: { bot_id: integer },
    run: ({ kernel, by, params }) => getBotSignature(kernel.mysql, by, params.bot_id),
  }),
  put(PATH, {
    summary: 'Accept only signed deliveries to an incoming-webhook bot',
    answer: DONE,
    refuses: [noSuchBot(), insufficientPermission(), onlyWebhookBots()],
    params: { bot_id: integer, scheme, secret },
    run: ({ kernel, by, params }) =>
      changeBotSignature(kernel, by, params.bot_id, { scheme: params.scheme, secret: params.secret }),
  }),
  del(PATH, {
    summary: 'Accept unsigned deliveries to an incoming-webhook bot again',
    answer: DONE,
    refuses: [noSuchBot(), insufficientPermission(), onlyWebhookBots()],
    params: { bot_id: integer },
    run: ({ kernel, by, params }) => changeBotSignature(kernel, by, params.bot_id, null),
  }),
];
