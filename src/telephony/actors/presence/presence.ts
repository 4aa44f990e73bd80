/** Presence: which users of a company have clients, and on which nodes. Nodes report periodically; reports expire. */
import { join } from 'node:path';
import { defineActor, scriptTurn } from '../../../kernel/actor/actor';
import type { ContactId } from '../../model/contacts/contact';

export interface PresenceReport {
  readonly node: string;
  readonly contactIds: readonly ContactId[];
  /** How long the report is valid: the usual time, or less for users whose last client on this node has left. */
  readonly lastsMs: number;
  /** The usual validity. */
  readonly atMostMs: number;
}

export const presence = defineActor('presence', {
  report: scriptTurn<PresenceReport, void>({
    lua: join(__dirname, 'report.lua'),
    besides: ['since'],
    values: ({ node, contactIds, lastsMs, atMostMs }) => [node, lastsMs, atMostMs, ...contactIds],
    outcome: () => {},
  }),
  absent: scriptTurn<{ contactIds: readonly ContactId[]; atMostMs: number }, ContactId[]>({
    lua: join(__dirname, 'absent.lua'),
    besides: ['since'],
    values: ({ contactIds, atMostMs }) => [atMostMs, ...contactIds],
    outcome: (reply) => reply as ContactId[],
  }),
});
