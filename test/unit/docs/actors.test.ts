// Compares docs/ACTORS.md with the definitions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventQueue } from '../../../src/chat/actors/event-queue/event-queue';
import * as chat from '../../../src/chat/actors/mailboxes';
import { presence } from '../../../src/chat/actors/presence/presence';
import { eventLog } from '../../../src/kernel/event-log/event-log';
import type { AnyMailbox } from '../../../src/kernel/mailbox/mailbox';
import * as telephony from '../../../src/telephony/actors/mailboxes';
import { presence as telephonyPresence } from '../../../src/telephony/actors/presence/presence';

const page = readFileSync(join(__dirname, '../../../docs/ACTORS.md'), 'utf8');
const named = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, name]) => name!).toSorted();

test('docs/ACTORS.md lists exactly the defined mailboxes, each once', () => {
  const exported: unknown[] = [...Object.values(chat), ...Object.values(telephony)];
  const isMailbox = (value: unknown): value is AnyMailbox =>
    typeof value === 'object' && value !== null && 'table' in value && 'job' in value;
  const defined = exported.filter(isMailbox).map(({ name }) => name);
  expect(named(/\| mailbox `([^`]+)`/g)).toEqual(defined.toSorted());
});

test('docs/ACTORS.md lists exactly the defined script actors, each once', () => {
  const defined = [eventLog, eventQueue, presence, telephonyPresence].map(({ kind }) => kind);
  expect(named(/kind `([^`]+)`/g)).toEqual(defined.toSorted());
});
