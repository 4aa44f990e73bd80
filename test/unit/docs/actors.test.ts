// docs/ACTORS.md against the definitions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventQueue } from '../../../src/chat/actors/event-queue/event-queue';
import * as chat from '../../../src/chat/actors/mailboxes';
import { presence } from '../../../src/chat/actors/presence/presence';
import { searchIndexActor } from '../../../src/chat/actors/search-index/search-index';
import { eventLog } from '../../../src/kernel/event-log/event-log';
import { housekeeper } from '../../../src/kernel/housekeeping';
import type { AnyMailbox } from '../../../src/kernel/mailbox/mailbox';
import * as telephony from '../../../src/telephony/actors/mailboxes';

const page = readFileSync(join(__dirname, '../../../docs/ACTORS.md'), 'utf8');
const named = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, name]) => name!).toSorted();

test('The mailboxes on the page are those that are defined, each once', () => {
  const exported: unknown[] = [...Object.values(chat), ...Object.values(telephony)];
  const isMailbox = (value: unknown): value is AnyMailbox =>
    typeof value === 'object' && value !== null && 'table' in value && 'job' in value;
  const defined = exported.filter(isMailbox).map(({ name }) => name);
  expect(named(/\| mailbox `([^`]+)`/g)).toEqual(defined.toSorted());
});

test('Every actor behind a script or a lease is on the page by its kind', () => {
  const kinds = named(/kind `([^`]+)`/g);
  for (const { kind } of [eventLog, eventQueue, housekeeper, presence, searchIndexActor]) expect(kinds).toContain(kind);
});
