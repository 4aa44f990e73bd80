/** The chat product, as the kernel sees it. */
import { join } from 'node:path';
import { mailboxAdmin } from '../kernel/mailbox/mailbox-admin';
import type { Product } from '../kernel/product';
import type * as SeedDemo from './commands/demo/seed-demo';
import type * as DemoStory from './commands/demo/write-demo-story';
import type * as Mounts from './http/mounts';
import { watchChanges } from './caches/caller-cache';
import { botInboxes, admins as mailboxAdmins } from './actors/mailboxes';
import { organisationKeeper } from './commands/organisation/keep-tenants';
import { integrations } from './integrations';
import { integrationHandbook } from './integrations/handbook';
import { openChat, type Chat } from './parts';
import type { ChatSettings } from './settings';
import { deliveryAdmin } from './store/bots/bot-mail-admin';
import { someSealedKey } from './store/users/accounts';
import { tenants } from './store/organisation/realms';
import type * as Workers from './workers';

export function chat(settings: ChatSettings): Product<Chat> {
  return {
    name: 'chat',
    description: 'Team chat that speaks the Zulip 2.1 API.',
    webPages: ['index'],
    migrations: join(__dirname, 'store/migrations'),
    tenants: organisationKeeper(settings),
    admins: [mailboxAdmin(botInboxes, deliveryAdmin([...integrations.keys()])), ...mailboxAdmins],
    handbooks: [integrationHandbook],
    sealedSample: someSealedKey,
    numberedTenants: tenants,
    async seedDemo(kernel) {
      const { seedDemo } = require('./commands/demo/seed-demo') as typeof SeedDemo;
      const isEmpty = await seedDemo(kernel);
      if (!isEmpty) return false;
      const { writeDemoStory } = require('./commands/demo/write-demo-story') as typeof DemoStory;
      await writeDemoStory(openChat(kernel, settings));
      return true;
    },
    workers(parts) {
      const { chatWorkers } = require('./workers') as typeof Workers;
      return chatWorkers(parts);
    },
    open(kernel) {
      const parts = openChat(kernel, settings);
      watchChanges(kernel.outbox, parts);
      parts.realms.listen();
      return Promise.resolve(parts);
    },
    load: () => void require('./http/mounts'),
    mount(parts) {
      const { chatMounts } = require('./http/mounts') as typeof Mounts;
      return chatMounts(parts, settings);
    },
  };
}
