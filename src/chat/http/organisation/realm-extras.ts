/** Custom emoji, linkifiers, push devices and bot storage. */
import { z } from 'zod';
import { integer, jsonField, text } from '../../../kernel/http/params';
import { openRoutes, routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import { runRead } from '../../../kernel/mysql/read-packet';
import {
  addLinkifier,
  removeLinkifier,
  reorderLinkifiers,
  addRealmEmoji,
  retireRealmEmoji,
} from '../../commands/organisation/edit-vocabulary';
import { removeBotState, writeBotState } from '../../commands/bots/keep-bot-state';
import { forgetDevice, registerDevice, type DeviceKind } from '../../commands/users/register-device';
import type { User } from '../../model/users/user';
import {
  adminsOnly,
  emojiNameInvalid,
  emojiNameTaken,
  exactlyOneFile,
  noSuchEmoji,
  noSuchLinkifier,
  notYourEmoji,
} from '../../model/users/user-faults';
import type { Chat } from '../../parts';
import { getRealm } from '../../queries/organisation/find-realm';
import { getBotState } from '../../queries/bots/bots';
import { listDevelopmentUsers } from '../../queries/users/users';
import { linkifiersRead, realmEmojiRead, todayLinkifiersRead } from '../../queries/organisation/realm-lists';
import type { ChatSettings } from '../../settings';
import { onlyFile, PICTURE, PICTURE_REFUSALS } from '../uploads/pictures';
import { integers, strings } from '../wire-params';
import { botStorageAnswer } from '../../model/answers/bots';
import { DONE } from '../../model/answers/envelope';
import { linkifiersAnswer, realmEmojiAnswer, todayLinkifiersAnswer } from '../../model/answers/realm';
import { created, developmentUsersAnswer } from '../../model/answers/users';
import { invalidSubdomain, missingArgument, notADevelopmentServer } from '../../model/faults';

type Parts = Storage & Pick<Chat, 'pictures' | 'realms' | 'vocabularies'>;

const { get, post, put, patch, del } = routesFor<User>();

const keys = { keys: strings.optional() };

const deviceRoutes = (path: string, kind: DeviceKind) => [
  post(path, {
    summary: `Register a mobile device for push notifications (${kind})`,
    answer: DONE,
    params: { token: text, appid: text.default('') },
    run: ({ kernel, by, params }) =>
      registerDevice(kernel.transaction, by, kind, { token: params.token, appId: params.appid }),
  }),
  del(path, {
    summary: `Unregister a mobile device (${kind})`,
    answer: DONE,
    params: { token: text },
    run: ({ kernel, by, params }) => forgetDevice(kernel.transaction, by, kind, params.token),
  }),
];

export const realmExtraRoutes = (chat: Parts, settings: ChatSettings) => [
  get('/realm/emoji', {
    summary: "Get the organisation's custom emoji",
    answer: realmEmojiAnswer,
    run: async ({ kernel, by }) => ({ emoji: await runRead(kernel.mysql, realmEmojiRead(by.realmId)) }),
  }),
  post('/realm/emoji/:emoji_name', {
    summary: 'Upload a custom emoji',
    answer: DONE,
    refuses: [emojiNameInvalid(), emojiNameTaken(), exactlyOneFile(), ...PICTURE_REFUSALS],
    ...PICTURE,
    async run({ by, params, incoming }) {
      const file = onlyFile(incoming.files, exactlyOneFile());
      await addRealmEmoji(chat, by, params.emoji_name.trim().replaceAll(' ', '_'), file);
    },
  }),
  del('/realm/emoji/:emoji_name', {
    summary: 'Deactivate a custom emoji',
    answer: DONE,
    refuses: [noSuchEmoji('nothing'), notYourEmoji()],
    run: ({ by, params }) => retireRealmEmoji(chat, by, params.emoji_name),
  }),
  get('/realm/filters', {
    summary: 'Get the linkifiers',
    answer: linkifiersAnswer,
    run: async ({ kernel, by }) => ({ filters: await runRead(kernel.mysql, linkifiersRead(by.realmId)) }),
  }),
  get('/realm/linkifiers', {
    summary: 'Get the linkifiers, with their addresses as templates',
    answer: todayLinkifiersAnswer,
    run: async ({ kernel, by }) => ({ linkifiers: await runRead(kernel.mysql, todayLinkifiersRead(by.realmId)) }),
  }),
  patch('/realm/linkifiers', {
    summary: 'Reorder the linkifiers: the first that fits counts; administrators only',
    answer: DONE,
    refuses: [adminsOnly()],
    params: { ordered_linkifier_ids: integers.meta({ description: 'The ids of all, each once' }) },
    run: ({ by, params }) => reorderLinkifiers(chat, by, params.ordered_linkifier_ids),
  }),
  post('/realm/filters', {
    summary: 'Add a linkifier; administrators only',
    answer: created,
    refuses: [adminsOnly()],
    params: {
      pattern: text,
      url_format_string: text.optional().meta({ description: "Python's format, unless there is `url_template`" }),
      url_template: text.optional().meta({ description: 'RFC 6570' }),
    },
    run: ({ by, params: { pattern, url_template: urlTemplate, url_format_string: urlFormat } }) => {
      if (urlTemplate !== undefined) return addLinkifier(chat, by, { pattern, urlTemplate });
      if (urlFormat === undefined) throw missingArgument('url_format_string');
      return addLinkifier(chat, by, { pattern, urlFormat });
    },
  }),
  del('/realm/filters/:filter_id', {
    summary: 'Remove a linkifier; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), noSuchLinkifier()],
    params: { filter_id: integer },
    run: ({ by, params }) => removeLinkifier(chat, by, params.filter_id),
  }),
  ...deviceRoutes('/users/me/apns_device_token', 'apns'),
  ...deviceRoutes('/users/me/android_gcm_reg_id', 'gcm'),
  put('/bot_storage', {
    summary: 'Store data for a bot',
    answer: DONE,
    params: { storage: jsonField(z.record(z.string(), z.string())) },
    run: ({ kernel, by, params }) => writeBotState(kernel.transaction, by, params.storage),
  }),
  get('/bot_storage', {
    summary: 'Get the stored data of a bot',
    answer: botStorageAnswer,
    params: keys,
    run: ({ kernel, by, params }) => getBotState(kernel.mysql, by, params.keys ?? null),
  }),
  del('/bot_storage', {
    summary: 'Delete the stored data of a bot',
    answer: DONE,
    params: keys,
    run: ({ kernel, by, params }) => removeBotState(kernel.transaction, by, params.keys ?? null),
  }),
  openRoutes.get('/dev_list_users', {
    summary: 'Get the users that one may log in as; development servers only',
    answer: developmentUsersAnswer,
    refuses: [notADevelopmentServer(), invalidSubdomain()],
    run: async ({ incoming }) => listDevelopmentUsers(chat, settings, await getRealm(chat, incoming.host)),
  }),
];
