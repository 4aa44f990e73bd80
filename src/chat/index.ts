/** Chat, as one product. */
import { join } from 'node:path';
import { openRateLimit } from '../kernel/http/rate-limit';
import type { Mount, Product } from '../kernel/product';
import type { RateRule } from '../kernel/settings';
import { watchChanges } from './caches/recent-callers';
import { deliveryDesk } from './commands/delivery-desk';
import { mailDesk } from './commands/mail/mail-desk';
import { outgoingDesk } from './commands/outgoing-desk';
import { seedDemo } from './commands/seed-demo';
import { readMarksCarrier } from './commands/settle-reads';
import { tellDemoStory } from './commands/tell-demo-story';
import { chatDialect } from './http/dialect';
import { editingRoutes } from './http/editing';
import { emojiImageMount } from './http/emoji-images';
import { eventRoutes, pollTimes } from './http/events';
import { flagRoutes } from './http/flags';
import { invitationRoutes } from './http/invitations';
import { joiningRoutes } from './http/joining';
import { openLinkActions } from './http/link-actions';
import { CODE_TRIES } from './http/login-limits';
import { mailMounts } from './http/mail-pages';
import { messageRoutes } from './http/messages';
import { organisationRoutes } from './http/organisation';
import { openPollFastPath } from './http/poll-fast-path';
import { openPollLimit } from './http/poll-limit';
import { reactionRoutes } from './http/reactions';
import { readingRoutes } from './http/reading';
import { serverRoutes } from './http/server';
import { webMount } from './http/sessions';
import { streamRoutes } from './http/streams';
import { submessageRoutes } from './http/submessages';
import { subscriptionRoutes } from './http/subscriptions';
import { fileMounts } from './http/uploads';
import { userResourceRoutes } from './http/user-resources';
import { webhookRoutes } from './http/webhooks';
import { integrationHandbook } from './integrations/handbook';
import { openChat, type Chat } from './parts';
import type { ChatSettings } from './settings';
import { someSealedKey } from './store/accounts';
import { chatWorkers } from './workers/workers';

/** An address may hold many accounts. */
const ADDRESS_SHARE = 10;

export function chat(settings: ChatSettings): Product<Chat> {
  return {
    name: 'chat',
    description: 'Team chat that speaks the Zulip 2.1 API.',
    hasWebPages: true,
    migrations: join(__dirname, 'store/migrations'),
    desks: [deliveryDesk, outgoingDesk, mailDesk],
    handbooks: [integrationHandbook],
    sealedSample: someSealedKey,
    async seedDemo(kernel) {
      const isEmpty = await seedDemo(kernel);
      if (isEmpty) await tellDemoStory(openChat(kernel, settings));
      return isEmpty;
    },
    workers: chatWorkers,
    open(kernel) {
      const parts = openChat(kernel, settings);
      watchChanges(kernel.outbox, parts.callers, parts.changedUsers);
      parts.realms.listen();
      kernel.outbox.register(readMarksCarrier(kernel));
      return Promise.resolve(parts);
    },
    mount(parts) {
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
    },
  };
}
