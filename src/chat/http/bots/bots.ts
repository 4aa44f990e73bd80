/** Creating, changing and deactivating bots, for their owners and for administrators. */
import type { z } from 'zod';
import { ensure } from '../../../kernel/fault';
import { Download } from '../../../kernel/http/outgoing';
import { flag, integer, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { IncomingFile } from '../../../kernel/files/upload-spool';
import type { Storage } from '../../../kernel/kernel';
import { createBot } from '../../commands/bots/create-bot';
import { deactivateUser } from '../../commands/users/deactivate-user';
import { rotateKey } from '../../commands/accounts/rotate-key';
import { updateBot } from '../../commands/bots/update-bot';
import { secondFactorMissing } from '../../model/accounts/two-factor';
import { MAX_PICTURE_MEGABYTES } from '../../model/uploads/picture-recipes';
import type { User } from '../../model/users/user';
import {
  badNewOwner,
  botTypeInvalid,
  botTypeUnsupported,
  fileTooLarge,
  insufficientPermission,
  nameInUse,
  noSuchBot,
  oneFileOnly,
  onlyOutgoingBots,
  usernameTaken,
} from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { getBot, getBotAnswer, getZuliprc, listBots } from '../../queries/bots/bots';
import { PICTURE, PICTURE_REFUSALS } from '../uploads/pictures';
import { NEEDS_FACTOR } from '../wire-format';
import { looseText } from '../wire-params';
import { botAnswer, botsAnswer, newBotAnswer } from '../../model/answers/bots';
import { DONE } from '../../model/answers/envelope';
import { key } from '../../model/answers/users';
import { media } from '../../../kernel/http/answers';
import { invalidInterface, notAUrl } from '../../model/bots/outgoing-webhook';

type Parts = Storage & Pick<Chat, 'outgoingBots' | 'passwords' | 'pictures' | 'realms' | 'settings'>;

const { get, post, patch, del } = routesFor<User>();

const streams = {
  default_sending_stream: text.optional(),
  default_events_register_stream: text.optional(),
  default_all_public_streams: flag.optional(),
};

const streamsOf = (params: z.output<z.ZodObject<typeof streams>>) => ({
  sendingStream: params.default_sending_stream,
  eventsStream: params.default_events_register_stream,
  isAllPublic: params.default_all_public_streams,
});

/** An avatar may be included. */
function pictureIn(files: readonly IncomingFile[]): IncomingFile | undefined {
  ensure(files.length <= 1, oneFileOnly());
  ensure(!files.some(({ isCut }) => isCut), fileTooLarge(MAX_PICTURE_MEGABYTES));
  return files[0];
}

export const botRoutes = (chat: Parts) => [
  get('/bots', { summary: 'Get your own bots', answer: botsAnswer, run: ({ kernel, by }) => listBots(kernel, by) }),
  post('/bots', {
    summary: 'Create a bot: 1 generic, 2 incoming webhook, 3 outgoing webhook',
    answer: newBotAnswer,
    admits: [NEEDS_FACTOR],
    refuses: [
      secondFactorMissing(),
      usernameTaken(),
      nameInUse(),
      botTypeInvalid(),
      botTypeUnsupported(),
      notAUrl('payload_url'),
      invalidInterface(),
      ...PICTURE_REFUSALS,
    ],
    params: {
      full_name: text,
      short_name: text,
      bot_type: integer.default(1),
      payload_url: looseText.default(''),
      service_name: text.optional(),
      interface_type: integer.default(1),
      ...streams,
    },
    ...PICTURE,
    async run({ kernel, by, params, incoming }) {
      const { full_name: fullName, short_name: shortName, bot_type: type } = params;
      const endpoint = { name: params.service_name, url: params.payload_url, interface: params.interface_type };
      const draft = { fullName, shortName, type, endpoint, picture: pictureIn(incoming.files) };
      const { id, key } = await createBot(chat, by, { ...draft, ...streamsOf(params) });
      const { full_name: _, ...answer } = await getBotAnswer(kernel, by, id);
      return { user_id: id, api_key: key, ...answer };
    },
  }),
  patch('/bots/:bot_id', {
    summary: "Change a bot's name, owner, picture or streams, or the address of an outgoing webhook bot's program",
    answer: botAnswer,
    refuses: [
      noSuchBot(),
      insufficientPermission(),
      badNewOwner('no such user'),
      onlyOutgoingBots(),
      notAUrl('service_payload_url'),
      invalidInterface(),
      ...PICTURE_REFUSALS,
    ],
    params: {
      bot_id: integer,
      full_name: looseText.optional(),
      bot_owner_id: integer.optional(),
      service_payload_url: looseText.optional(),
      service_interface: integer.optional(),
      ...streams,
    },
    ...PICTURE,
    async run({ kernel, by, params, incoming }) {
      await updateBot(chat, by, params.bot_id, {
        fullName: params.full_name,
        ownerId: params.bot_owner_id,
        picture: pictureIn(incoming.files),
        endpointUrl: params.service_payload_url,
        endpointInterface: params.service_interface,
        ...streamsOf(params),
      });
      return getBotAnswer(kernel, by, params.bot_id);
    },
  }),
  del('/bots/:bot_id', {
    summary: 'Deactivate a bot',
    answer: DONE,
    refuses: [noSuchBot(), insufficientPermission()],
    params: { bot_id: integer },
    run: async ({ kernel, by, params }) => deactivateUser(kernel, await getBot(kernel.mysql, by, params.bot_id)),
  }),
  post('/bots/:bot_id/api_key/regenerate', {
    summary: 'Generate a new API key for a bot',
    answer: key,
    refuses: [noSuchBot(), insufficientPermission(), secondFactorMissing()],
    admits: [NEEDS_FACTOR],
    params: { bot_id: integer },
    run: async ({ kernel, by, params }) => ({
      api_key: await rotateKey(kernel, await getBot(kernel.mysql, by, params.bot_id), by),
    }),
  }),
  get('/bots/:bot_id/zuliprc', {
    summary: "Download a bot's zuliprc file",
    answer: media('text/plain'),
    refuses: [noSuchBot(), insufficientPermission()],
    params: { bot_id: integer },
    run: async ({ by, params }) =>
      new Download(await getZuliprc(chat, by, params.bot_id), 'text/plain; charset=utf-8', {
        'Content-Disposition': 'attachment; filename="zuliprc"',
      }),
  }),
];
