/** Everything that chat serves. */
import { openAttemptLimits, openPasswordLimits } from '../../kernel/web-pages/login-limits';
import { openLocalRateLimit, openRateLimit } from '../../kernel/admission/rate-limit';
import type { Mount } from '../../kernel/product';
import type { Chat } from '../parts';
import type { ChatSettings } from '../settings';
import { absentRoutes } from './absent';
import { invitationRoutes, joiningRoutes } from './accounts/invitations';
import { CODE_TRIES } from './accounts/login-limits';
import { serverRoutes } from './accounts/server';
import { webMount } from './accounts/sessions';
import { botRoutes } from './bots/bots';
import { botSignatureRoutes, webhookRoutes } from './bots/webhooks';
import { draftRoutes } from './drafts/drafts';
import { eventRoutes, pollTimes } from './events/events';
import { openStreamPath } from './events/event-stream';
import { openPollFastPath } from './events/poll-fast-path';
import { openLinkActions } from './mail/link-actions';
import { mailMounts } from './mail/mail-pages';
import { editingRoutes, reactionRoutes } from './messages/editing';
import { messageRoutes } from './messages/messages';
import { exportRoutes, realmRoutes } from './organisation/realm';
import { realmExtraRoutes } from './organisation/realm-extras';
import { pushRoutes } from './push/push-devices';
import { flagRoutes } from './reading/flags';
import { readingRoutes } from './reading/reading';
import { reminderRoutes, scheduledRoutes } from './scheduled/scheduled';
import { streamFolderRoutes } from './streams/stream-folders';
import { streamGroupRoutes } from './streams/stream-groups';
import { streamRoutes } from './streams/streams';
import { subscriptionRoutes } from './streams/subscriptions';
import { userTopicRoutes } from './streams/user-topics';
import { emojiImageMount } from './uploads/picture-files';
import { pictureRoutes } from './uploads/pictures';
import { fileMounts, uploadRoutes } from './uploads/uploads';
import { mutedUserRoutes } from './users/muted-users';
import { presenceRoutes } from './users/presence';
import { settingRoutes } from './users/settings';
import { statusRoutes } from './users/status';
import { userGroupRoutes } from './users/user-groups';
import { userRoutes } from './users/users';
import { chatWireFormat } from './wire-format';

export function chatMounts(parts: Chat, settings: ChatSettings): Mount[] {
  const wireFormat = chatWireFormat(parts);
  const codes = openRateLimit(parts, 'login-code', settings.loginLimit && CODE_TRIES);
  const limits = { ...openPasswordLimits(parts, 'login', settings.loginLimit, 'partyline_device'), codes };
  const mails = openAttemptLimits(parts, 'mail', settings.passwordResetLimit);
  const links = openLinkActions(parts, settings, { logins: limits, mails });
  const polls = {
    chat: parts,
    wireFormat,
    limit: openLocalRateLimit(settings.eventsRateLimit),
    times: pollTimes(settings),
  };
  const events = eventRoutes(parts, settings, polls.limit);
  const route = events.find(({ method }) => method === 'get')!;
  const api: Mount = {
    prefix: '/api/v1',
    wireFormat,
    routes: [
      ...serverRoutes(parts, settings, limits),
      ...joiningRoutes(links),
      ...invitationRoutes(parts),
      ...messageRoutes(parts),
      ...draftRoutes(parts),
      ...scheduledRoutes(parts),
      ...reminderRoutes(parts),
      ...pushRoutes(parts),
      ...readingRoutes(parts, settings),
      ...flagRoutes,
      ...editingRoutes(parts),
      ...reactionRoutes(parts),
      ...events,
      ...realmRoutes,
      ...streamGroupRoutes,
      ...streamFolderRoutes,
      ...exportRoutes(parts),
      ...absentRoutes,
      ...streamRoutes(parts),
      ...subscriptionRoutes(parts),
      ...userTopicRoutes,
      // Before the routes of a single user, because `me` is not a number.
      ...settingRoutes(parts, limits),
      ...statusRoutes(parts),
      ...mutedUserRoutes(parts),
      ...presenceRoutes(parts),
      ...userRoutes(parts),
      ...botRoutes(parts),
      ...botSignatureRoutes,
      ...userGroupRoutes,
      ...realmExtraRoutes(parts, settings),
      ...pictureRoutes(parts),
      ...uploadRoutes(settings),
      ...webhookRoutes(parts, settings),
    ],
    openFastPaths: (shared) => [
      ...(settings.pollFastPath === 'on' ? [openPollFastPath(polls, shared)] : []),
      openStreamPath({ ...polls, authenticate: (incoming) => wireFormat.authenticate(parts, incoming, route) }, shared),
    ],
  };
  const web = webMount(parts, wireFormat, settings, limits);
  const files = [...fileMounts(parts, wireFormat), emojiImageMount(wireFormat)];
  return [api, web, ...files, ...mailMounts(parts, settings, wireFormat, links)];
}
