/** Chat, as one product. */
import { join } from 'node:path';
import { openRateLimit } from '../kernel/http/rate-limit';
import type { Mount, Product } from '../kernel/product';
import { listenForMoves } from './actors/realm-directory';
import { watchCallers } from './actors/recent-callers';
import { deliveryDesk } from './commands/delivery-desk';
import { seedDemo } from './commands/seed-demo';
import { readMarksCarrier } from './commands/settle-reads';
import { chatDialect } from './http/dialect';
import { editingRoutes } from './http/editing';
import { eventRoutes, pollTimes } from './http/events';
import { flagRoutes } from './http/flags';
import { messageRoutes } from './http/messages';
import { openPollFastPath } from './http/poll-fast-path';
import { openPollLimit } from './http/poll-limit';
import { reactionRoutes } from './http/reactions';
import { readingRoutes } from './http/reading';
import { realmRoutes } from './http/realm';
import { serverRoutes } from './http/server';
import { streamRoutes } from './http/streams';
import { subscriptionRoutes } from './http/subscriptions';
import { fileMounts } from './http/uploads';
import { userResourceRoutes } from './http/user-resources';
import { webhookRoutes } from './http/webhooks';
import { integrationHandbook } from './integrations/handbook';
import { rootDomainOf } from './model/address';
import { setServerAddress } from './queries/find-public-url';
import type { ChatSettings } from './settings';
import { someSealedKey } from './store/accounts';
import { chatWorkers } from './workers/workers';

/** An address may hold many accounts. */
const ADDRESS_SHARE = 10;

export function chat(settings: ChatSettings): Product {
  return {
    name: 'chat',
    migrations: join(__dirname, 'store/migrations'),
    desks: [deliveryDesk],
    handbooks: [integrationHandbook],
    sealedSample: someSealedKey,
    seedDemo,
    workers: () => chatWorkers,
    open(kernel) {
      const { publicUrl, externalHost } = settings;
      setServerAddress(kernel, { publicUrl, rootDomain: rootDomainOf(externalHost, publicUrl) });
      watchCallers(kernel);
      listenForMoves(kernel);
      return Promise.resolve(kernel.outbox.register(readMarksCarrier(kernel)));
    },
    mount(kernel) {
      const rule = settings.loginLimit;
      const limits = {
        account: openRateLimit(kernel, 'login', rule),
        address: openRateLimit(kernel, 'login-from', rule && { ...rule, requests: rule.requests * ADDRESS_SHARE }),
      };
      const polls = { kernel, limit: openPollLimit(settings.eventsRateLimit), times: pollTimes(settings) };
      const api: Mount = {
        prefix: '/api/v1',
        dialect: chatDialect,
        routes: [
          ...serverRoutes(settings, limits),
          ...messageRoutes,
          ...readingRoutes(settings),
          ...flagRoutes,
          ...editingRoutes,
          ...reactionRoutes,
          ...eventRoutes(settings, polls.limit),
          ...realmRoutes,
          ...streamRoutes,
          ...subscriptionRoutes,
          ...userResourceRoutes(settings, limits),
          ...webhookRoutes(settings),
        ],
        ...(settings.pollFastPath === 'on' ? { openFastPath: (parts) => openPollFastPath(polls, parts) } : {}),
      };
      return [api, ...fileMounts];
    },
  };
}
