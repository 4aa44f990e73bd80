/** What each endpoint may refuse, for the OpenAPI document: examples, in the words that go over the wire. */
import { Fault } from '../../kernel/fault';
import type { RouteFacts } from '../../kernel/http/route';
import {
  badArgument,
  badQueue,
  badRequest,
  invalidKey,
  invalidSubdomain,
  missingArgument,
  noSuchStream,
  noSuchStreamId,
  noSuchUser,
  notADevelopmentServer,
  notAuthorizedToSend,
  notLoggedIn,
  notYourQueue,
  passwordsDisabled,
  realmDisabled,
  unregistered,
  userDisabled,
  wrongPassword,
  wrongSubdomain,
} from '../model/faults';
import * as edit from '../model/edit-policy';
import { addressNotAllowed } from '../model/organisation-faults';
import * as streams from '../model/stream-faults';
import { invalidSubmessage, mayNotAttach, tooManySubmessages } from '../model/submessage';
import { secondFactorMissing } from '../model/two-factor';
import * as users from '../model/user-faults';
import { BOT_REFUSALS } from './bot-refusals';
import { FILE_REFUSALS, PICTURE_REFUSALS } from './file-refusals';
import { INVITATION_REFUSALS } from './invitation-refusals';
import { ORGANISATION_REFUSALS } from './organisation-refusals';
import { CODE_REFUSALS, PAGE_REFUSALS, SESSION_REFUSALS } from './session-refusals';

const invalidMessages = badRequest('Invalid message(s)');

const login = [realmDisabled(), userDisabled(), invalidSubdomain()];
const onBehalfOf = streams.notOnBehalfOf('nobody@example.com');
const creatingStreams = [
  streams.invalidStreamName(''),
  streams.streamNameTooLong(),
  streams.mayNotCreateStreams(),
  streams.mayNotCreateSuchStreams(),
  streams.streamNotAccessible('leadership'),
  streams.onlyAdminsSubscribeOthers(),
  streams.tooNewToSubscribeOthers(),
  onBehalfOf,
  users.notForGuests(),
];
const leavingStreams = [noSuchStream('nowhere'), streams.needsAdministrativeRights(), onBehalfOf];
const narrowing = new Fault('invalid', 'Invalid narrow operator: unknown stream nowhere', {
  code: 'BAD_NARROW',
  fields: { desc: 'unknown stream nowhere' },
});
const reactions = [
  invalidMessages,
  users.noSuchEmoji('nothing'),
  badRequest('Invalid emoji code.'),
  badRequest('Invalid emoji name.'),
];
const files = [users.noFile(), users.oneFileOnly(), users.fileTooLarge(25)];

const REFUSALS: Readonly<Record<string, readonly Fault[]>> = {
  'get /server_settings': [invalidSubdomain()],
  'post /fetch_api_key': [wrongPassword(), passwordsDisabled(), ...CODE_REFUSALS, secondFactorMissing(), ...login],
  'post /dev_fetch_api_key': [notADevelopmentServer(), unregistered(), ...login],
  'get /dev_list_users': [notADevelopmentServer(), invalidSubdomain()],
  'post /messages': [
    noSuchStream('nowhere'),
    noSuchStreamId(99),
    badRequest("Invalid email 'nobody@example.com'"),
    badRequest('Invalid message type'),
    badRequest('Message must not be empty'),
    badRequest("Topic can't be empty"),
    badRequest('Cannot send to multiple streams'),
    badRequest('Message must have recipients'),
    notAuthorizedToSend('leadership'),
    badRequest('Only organization administrators can send to this stream.'),
    badRequest('Unable to render message'),
  ],
  'get /messages': [
    new Fault('invalid', "Missing 'anchor' argument (or set 'use_first_unread_anchor'=True)."),
    new Fault('invalid', 'Too many messages requested (maximum 5000).'),
    narrowing,
  ],
  'get /messages/matches_narrow': [narrowing],
  'get /messages/:message_id': [invalidMessages],
  'get /messages/:message_id/history': [invalidMessages, edit.historyDisabled()],
  'patch /messages/:message_id': [
    invalidMessages,
    edit.editingDisabled(),
    edit.nothingToChange(),
    badRequest("You don't have permission to edit this message"),
    badRequest('The time limit for editing this message has passed'),
  ],
  'delete /messages/:message_id': [
    invalidMessages,
    badRequest("You don't have permission to delete this message"),
    badRequest('The time limit for deleting this message has passed'),
    edit.alreadyDeleted(),
  ],
  'post /messages/render': [badRequest('Unable to render message')],
  'post /messages/flags': [
    invalidMessages,
    badRequest("Invalid flag: 'blue'"),
    badRequest("Flag not editable: 'mentioned'"),
  ],
  'post /messages/:message_id/reactions': [...reactions, badRequest('Reaction already exists.')],
  'delete /messages/:message_id/reactions': [...reactions, badRequest("Reaction doesn't exist.")],
  'post /submessage': [invalidMessages, invalidSubmessage(), mayNotAttach(), tooManySubmessages()],
  'post /mark_stream_as_read': [streams.invalidStreamId()],
  'post /mark_topic_as_read': [streams.invalidStreamId(), badRequest("No such topic 'nothing'")],
  'get /streams': [streams.queryNotAuthorized()],
  'get /get_stream_id': [streams.invalidStreamName('nowhere')],
  'get /streams/:stream_id/members': [streams.invalidStreamId()],
  'patch /streams/:stream_id': [
    users.adminsOnly(),
    streams.invalidStreamId(),
    streams.sameStreamName(),
    streams.streamNameTaken('general'),
  ],
  'delete /streams/:stream_id': [users.adminsOnly(), streams.invalidStreamId()],
  'post /streams/:stream_id/delete_topic': [users.adminsOnly(), streams.invalidStreamId()],
  'get /users/me/:stream_id/topics': [streams.invalidStreamId()],
  'post /default_streams': [users.adminsOnly(), streams.invalidStreamName('nowhere'), streams.privateDefault()],
  'delete /default_streams': [users.adminsOnly(), streams.invalidStreamName('nowhere')],
  'post /users/me/subscriptions': creatingStreams,
  'delete /users/me/subscriptions': leavingStreams,
  'patch /users/me/subscriptions': [streams.nothingToSubscribe(), ...creatingStreams, ...leavingStreams],
  'post /users/me/subscriptions/properties': [streams.unknownProperty('mood'), streams.notSubscribed(99)],
  'patch /users/me/subscriptions/:stream_id': [streams.unknownProperty('mood'), streams.notSubscribed(99)],
  'patch /users/me/subscriptions/muted_topics': [
    streams.topicAlreadyMuted(),
    streams.topicNotMuted(),
    badRequest("Please supply 'stream'."),
    badRequest("Please choose one: 'stream' or 'stream_id'."),
    streams.invalidStreamName('nowhere'),
    streams.invalidStreamId(),
  ],
  'post /register': [badRequest('Operator near not supported.')],
  'get /events': [
    badQueue('0:0'),
    badRequest('You are not authorized to get events from this queue'),
    badRequest("Missing 'last_event_id' argument"),
    badRequest('An event newer than 7 has already been pruned!'),
    badRequest('Event 9 was not in this queue'),
  ],
  'delete /events': [badQueue('0:0'), notYourQueue()],
  'post /users': [
    users.adminsOnly(),
    new Fault('invalid', "Email 'ada@example.com' already in use"),
    users.passwordTooWeak(),
    users.badNameOrUsername(),
    addressNotAllowed('ada@example.org'),
  ],
  'patch /users/:user_id': [users.adminsOnly(), noSuchUser(), users.nameTooShort(), users.lastAdminStays()],
  'delete /users/:user_id': [users.adminsOnly(), noSuchUser(), users.userIsDeactivated(), users.lastAdminLives()],
  'post /users/:user_id/reactivate': [users.adminsOnly(), noSuchUser()],
  'post /users/me/presence': [users.invalidStatus('away')],
  'get /users/:email/presence': [noSuchUser(), users.noPresenceOfBots(), users.noPresence('ada@example.com')],
  'post /typing': [users.missingTypingRecipient(), users.invalidTypingOp()],
  'post /users/me/pointer': [users.invalidMessageId()],
  'put /users/me/pointer': [users.invalidMessageId()],
  'post /user_uploads': files,
  'delete /attachments/:attachment_id': [users.noSuchAttachment()],
  'post /realm/emoji/:emoji_name': [
    users.emojiNameInvalid(),
    users.emojiNameTaken(),
    users.exactlyOneFile(),
    ...PICTURE_REFUSALS,
  ],
  'delete /realm/emoji/:emoji_name': [users.noSuchEmoji('nothing'), users.notYourEmoji()],
  'post /realm/filters': [users.adminsOnly()],
  'delete /realm/filters/:filter_id': [users.adminsOnly(), users.noSuchLinkifier()],
  'patch /settings': [
    users.fillAllFields(),
    users.wrongOldPassword(),
    users.passwordTooWeak(),
    users.nameTooShort(),
    users.nameTooLong(),
  ],
  'patch /realm': [users.adminsOnly()],
  ...BOT_REFUSALS,
  ...FILE_REFUSALS,
  ...INVITATION_REFUSALS,
  ...ORGANISATION_REFUSALS,
  ...SESSION_REFUSALS,
};

/** Those of every endpoint, then its own. */
export function refusalsOf(route: RouteFacts): readonly Fault[] {
  const needed = Object.entries(route.params).find(([, schema]) => !schema.safeParse(undefined).success)?.[0];
  const counted = new Fault('too-many', 'API usage exceeded rate limit', { fields: { 'retry-after': 1.5 } });
  return [
    ...(route.authenticated ? [notLoggedIn(), invalidKey(), wrongSubdomain(), ...PAGE_REFUSALS] : []),
    ...(route.limited ? [counted] : []),
    ...(needed === undefined ? [] : [missingArgument(needed), badArgument(needed, '…')]),
    ...(REFUSALS[`${route.method} ${route.path}`] ?? []),
  ];
}
