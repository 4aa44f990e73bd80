/** A user's own settings: account, display, notifications, profile, status, pointer, alert words and tour. */
import { z } from 'zod';
import { flag, integer, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Storage } from '../../../kernel/kernel';
import { sessionTokenOf } from '../../../kernel/web-pages/page-requests';
import { addAlertWords, removeAlertWords } from '../../commands/users/edit-alert-words';
import { movePointer } from '../../commands/reading/mark-read';
import { updateAccount } from '../../commands/users/update-account';
import { updateProfile } from '../../commands/users/update-user';
import { runZcommand, seeHotspot, updateSettings } from '../../commands/users/update-settings';
import { mailIsOff } from '../../model/accounts/invitation';
import { disguisedEmail, emailTaken, notAnEmail } from '../../model/faults';
import { CHAT_COOKIE } from '../../model/accounts/session';
import { noSlash, noSuchCommand } from '../../model/messages/zcommand';
import { TUTORIAL_STATES } from '../../model/users/tour';
import type { User } from '../../model/users/user';
import type { Chat, Enrolling } from '../../parts';
import { listAlertWords } from '../../queries/users/settings';
import { getSelf } from '../../queries/users/users';
import { accountKey, type LoginLimits } from '../accounts/login-limits';
import { forPeople } from '../wire-format';
import { integers, looseText, profileData, strings } from '../wire-params';
import { DONE } from '../../model/answers/envelope';
import { displayAnswer, notificationsAnswer } from '../../model/answers/realm';
import { accountAnswer, alertWordsAnswer, pointerAnswer, zcommandAnswer } from '../../model/answers/users';
import {
  emailChangesDisabled,
  fillAllFields,
  invalidMessageId,
  nameTooLong,
  nameTooShort,
  passwordTooWeak,
  unknownHotspot,
  wrongOldPassword,
} from '../../model/users/user-faults';

import { displayParams, notificationParams, settingParams, updateAllSettings } from './setting-params';

type Parts = Storage & Enrolling & Pick<Chat, 'mail' | 'presencePeople' | 'realms' | 'renderer' | 'vocabularies'>;

const { get, post, put, patch, del } = routesFor<User>();

const pointer = { pointer: integer };
const words = { alert_words: strings };
const optionalText = text.default('');

export const settingRoutes = (chat: Parts, limits: LoginLimits) => [
  patch('/settings', {
    summary: 'Change your name, password or address (confirmed by a mail), or any of your settings',
    answer: accountAnswer,
    refuses: [
      fillAllFields(),
      wrongOldPassword(),
      passwordTooWeak(),
      nameTooShort(),
      nameTooLong(),
      emailChangesDisabled(),
      emailTaken('ada@example.com'),
      notAnEmail(),
      disguisedEmail(),
      mailIsOff(),
    ],
    params: {
      full_name: optionalText,
      email: optionalText,
      old_password: optionalText,
      new_password: optionalText,
      ...settingParams,
    },
    run: forPeople(async ({ by, params, incoming }) => {
      // Nobody guesses a password faster with an API key, or has many mails sent to other people.
      if (params.new_password !== '' || params.email !== '')
        await limits.countPassword(incoming, accountKey(by.realmId, by.email));
      const isSet = await updateAllSettings(chat, by, params);
      if (isSet && `${params.full_name}${params.email}${params.new_password}` === '') return {};
      return updateAccount(chat, by, {
        from: incoming.ip,
        fullName: params.full_name,
        email: params.email,
        oldPassword: params.old_password,
        newPassword: params.new_password,
        keptSession: sessionTokenOf(CHAT_COOKIE, incoming),
      });
    }),
  }),
  patch('/settings/display', {
    summary: 'Change your display settings',
    answer: displayAnswer,
    params: displayParams,
    run: forPeople(({ kernel, by, params }) => updateSettings(kernel.transaction, by, 'display', params)),
  }),
  patch('/settings/notifications', {
    summary: 'Change your notification settings',
    answer: notificationsAnswer,
    params: notificationParams,
    run: forPeople(({ kernel, by, params }) => updateSettings(kernel.transaction, by, 'notifications', params)),
  }),
  post('/users/me/enter-sends', {
    summary: 'Set whether Enter sends a message',
    answer: DONE,
    params: { enter_sends: flag },
    run: forPeople(async ({ kernel, by, params }) => {
      await updateSettings(kernel.transaction, by, 'own', params);
    }),
  }),
  patch('/users/me/profile_data', {
    summary: 'Set the values of your profile fields',
    answer: DONE,
    params: { data: profileData },
    run: forPeople(({ by, params }) => updateProfile(chat, by, params.data)),
  }),
  del('/users/me/profile_data', {
    summary: 'Clear values of your profile fields',
    answer: DONE,
    params: { data: integers },
    run: forPeople(({ by, params }) => {
      const cleared = params.data.map((id) => ({ id, value: null }));
      return updateProfile(chat, by, cleared);
    }),
  }),
  get('/users/me/pointer', {
    summary: 'Get your pointer',
    answer: pointerAnswer,
    run: async ({ kernel, by }) => ({ pointer: (await getSelf(kernel.mysql, by)).pointer }),
  }),
  post('/users/me/pointer', {
    summary: 'Move your pointer forward',
    answer: DONE,
    refuses: [invalidMessageId()],
    params: pointer,
    run: ({ kernel, by, params }) => movePointer(kernel.transaction, by, params.pointer),
  }),
  put('/users/me/pointer', {
    summary: 'Move your pointer forward (the same with PUT)',
    answer: DONE,
    refuses: [invalidMessageId()],
    params: pointer,
    run: ({ kernel, by, params }) => movePointer(kernel.transaction, by, params.pointer),
  }),
  get('/users/me/alert_words', {
    summary: 'Get your alert words',
    answer: alertWordsAnswer,
    run: async ({ kernel, by }) => ({ alert_words: await listAlertWords(kernel.mysql, by) }),
  }),
  post('/users/me/alert_words', {
    summary: 'Add alert words',
    answer: alertWordsAnswer,
    params: words,
    run: ({ by, params }) => addAlertWords(chat, by, params.alert_words),
  }),
  del('/users/me/alert_words', {
    summary: 'Remove alert words',
    answer: alertWordsAnswer,
    params: words,
    run: ({ by, params }) => removeAlertWords(chat, by, params.alert_words),
  }),
  post('/users/me/hotspots', {
    summary: 'Mark a step of the tour as seen',
    answer: DONE,
    refuses: [unknownHotspot('nothing')],
    params: { hotspot: looseText },
    run: ({ kernel, by, params }) => seeHotspot(kernel.transaction, by, params.hotspot),
  }),
  post('/users/me/tutorial_status', {
    summary: 'Set the status of the tour',
    answer: DONE,
    params: { status: looseText.pipe(z.enum(TUTORIAL_STATES)) },
    run: forPeople(async ({ kernel, by, params }) => {
      await updateSettings(kernel.transaction, by, 'own', { tutorial_status: params.status });
    }),
  }),
  post('/zcommand', {
    summary: 'Run a slash command: /ping, /night, /dark, /day, /light',
    answer: zcommandAnswer,
    refuses: [noSlash(), noSuchCommand('nothing')],
    params: { command: text },
    run: ({ kernel, by, params }) => runZcommand(kernel.transaction, by, params.command),
  }),
];
