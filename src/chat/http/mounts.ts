/** Everything that chat serves. */
import { openAttemptLimits, openPasswordLimits } from '../../kernel/web-pages/login-limits';
import { openRateLimit } from '../../kernel/admission/rate-limit';
import type { Mount } from '../../kernel/product';
import type { Chat } from '../parts';
import type { ChatSettings } from '../settings';
import { invitationRoutes } from './accounts/invitations';
import { joiningRoutes } from './accounts/joining';
import { CODE_TRIES } from './accounts/login-limits';
import { serverRoutes } from './accounts/server';
import { webMount } from './accounts/sessions';
import { webhookRoutes } from './bots/webhooks';
import { chatWireFormat } from './wire-format';
import { eventRoutes, pollTimes } from './events/events';
import { openPollFastPath } from './events/poll-fast-path';
import { openPollLimit } from './events/poll-limit';
import { openLinkActions } from './mail/link-actions';
import { mailMounts } from './mail/mail-pages';
import { editingRoutes } from './messages/editing';
import { messageRoutes } from './messages/messages';
import { reactionRoutes } from './messages/reactions';
import { submessageRoutes } from './messages/submessages';
import { organisationRoutes } from './organisation/organisation';
import { flagRoutes } from './reading/flags';
import { readingRoutes } from './reading/reading';
import { streamRoutes } from './streams/streams';
import { subscriptionRoutes } from './streams/subscriptions';
import { emojiImageMount } from './uploads/emoji-images';
import { fileMounts } from './uploads/uploads';
import { userResourceRoutes } from './users/user-resources';

export function chatMounts(parts: Chat, settings: ChatSettings): Mount[] {
  const { kernel } = parts;
  const wireFormat = chatWireFormat(parts);
  const codes = openRateLimit(kernel, 'login-code', settings.loginLimit && CODE_TRIES);
  const limits = { ...openPasswordLimits(kernel, 'login', settings.loginLimit, 'partyline_device'), codes };
  const mails = openAttemptLimits(kernel, 'mail', settings.passwordResetLimit);
  const links = openLinkActions(parts, settings, { logins: limits, mails });
  const polls = {
    chat: parts,
    wireFormat,
    limit: openPollLimit(settings.eventsRateLimit),
    times: pollTimes(settings),
  };
  const api: Mount = {
    prefix: '/api/v1',
    wireFormat,
    routes: [
      ...serverRoutes(parts, settings, limits),
      ...joiningRoutes(links),
      ...invitationRoutes(parts),
      ...messageRoutes(parts),
      ...readingRoutes(parts, settings),
      ...flagRoutes,
      ...editingRoutes(parts),
      ...reactionRoutes(parts),
      ...submessageRoutes,
      ...eventRoutes(parts, settings, polls.limit),
      ...organisationRoutes(parts),
      ...streamRoutes(parts),
      ...subscriptionRoutes(parts),
      ...userResourceRoutes(parts, settings, limits),
      ...webhookRoutes(parts, settings),
    ],
    ...(settings.pollFastPath === 'on' ? { openFastPath: (shared) => openPollFastPath(polls, shared) } : {}),
  };
  const web = webMount(parts, wireFormat, settings, limits);
  const files = [...fileMounts(parts, wireFormat), emojiImageMount(wireFormat)];
  return [api, web, ...files, ...mailMounts(parts, wireFormat, links)];
}
