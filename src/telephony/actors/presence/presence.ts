/**
 * Presence: which of a company's users have clients, on which nodes. Nodes report them again and again; silence ends
 * it.
 */
import { join } from 'node:path';
import { defineActor } from '../../../kernel/actor/actor';
import { scriptTurn } from '../../../kernel/actor/script-turn';
import type { ContactId } from '../../model/contacts/contact';

export interface PresenceReport {
  readonly node: string;
  readonly contactIds: readonly ContactId[];
  /** How long it holds: the usual time, or a short one for those whose last client on this node has gone. */
  readonly lastsMs: number;
  /** The usual time. */
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
