/** Everything that chat serves. */
import { openRateLimit } from '../../kernel/http/rate-limit';
import type { Mount } from '../../kernel/product';
import type { RateRule } from '../../kernel/settings';
import type { Chat } from '../parts';
import type { ChatSettings } from '../settings';
import { chatDialect } from './dialect';
import { editingRoutes } from './editing';
import { emojiImageMount } from './emoji-images';
import { eventRoutes, pollTimes } from './events';
import { flagRoutes } from './flags';
import { invitationRoutes } from './invitations';
import { joiningRoutes } from './joining';
import { openLinkActions } from './link-actions';
import { CODE_TRIES } from './login-limits';
import { mailMounts } from './mail-pages';
import { messageRoutes } from './messages';
import { organisationRoutes } from './organisation';
import { openPollFastPath } from './poll-fast-path';
import { openPollLimit } from './poll-limit';
import { reactionRoutes } from './reactions';
import { readingRoutes } from './reading';
import { serverRoutes } from './server';
import { webMount } from './sessions';
import { streamRoutes } from './streams';
import { submessageRoutes } from './submessages';
import { subscriptionRoutes } from './subscriptions';
import { fileMounts } from './uploads';
import { userResourceRoutes } from './user-resources';
import { webhookRoutes } from './webhooks';

/** An address may hold many accounts. */
const ADDRESS_SHARE = 10;

export function chatMounts(parts: Chat, settings: ChatSettings): Mount[] {
  const { kernel } = parts;
  const dialect = chatDialect(parts);
  const limitsOf = (name: string, rule: RateRule | null) => ({
    account: openRateLimit(kernel, name, rule),
    address: openRateLimit(kernel, `${name}-from`, rule && { ...rule, requests: rule.requests * ADDRESS_SHARE }),
  });
  const codes = openRateLimit(kernel, 'login-code', settings.loginLimit && CODE_TRIES);
  const limits = { ...limitsOf('login', settings.loginLimit), codes };
  const mails = limitsOf('mail', settings.passwordResetLimit);
  const links = openLinkActions(parts, settings, { logins: limits, mails });
  const polls = {
    chat: parts,
    dialect,
    limit: openPollLimit(settings.eventsRateLimit),
    times: pollTimes(settings),
  };
  const api: Mount = {
    prefix: '/api/v1',
    dialect,
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
  const web = webMount(parts, dialect, settings, limits);
  const files = [...fileMounts(parts, dialect), emojiImageMount(dialect)];
  return [api, web, ...files, ...mailMounts(parts, dialect, links)];
}
