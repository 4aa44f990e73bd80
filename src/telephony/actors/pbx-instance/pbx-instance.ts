/**
 * PbxInstance: one PBX and everything that is to be done there, one thing at a time. An order, its undo, a reload, a
 * comparison and a look at a telephone's state are each a mail. The mail counts the attempts and knows when the next is due; the rows of operations and
 * reloads are records.
 */
import { Busy } from '../../../kernel/jobs/busy';
import { dead, done, dropped, messageOf, retry, type Ending } from '../../../kernel/mailbox/ending';
import { Superseded } from '../../../kernel/mailbox/lease';
import type { Mail } from '../../../kernel/mailbox/mailbox';
import { each, type MailTurn, type MailWork } from '../../../kernel/mailbox/work';
import { CommitUnknown, isDeadlock, isDiskFull, isUnreachable } from '../../../kernel/mysql/outcome';
import type { Tx } from '../../../kernel/mysql/transaction';
import { isRedisAway } from '../../../kernel/redis/away';
import { markStuck } from '../../store/extensions/operation-endings';
import * as operations from '../../store/extensions/operations';
import * as reloads from '../../store/sites/reloads';
import type { PbxMail } from '../mailboxes';
import { adoptState } from '../pbx-arrangements/adopt-state';
import { carryOutOrder, giveUpOrder } from './carry-out';
import { compareWithDatabase } from './compare';
import { PbxError } from './driver';
import { lookAfterReload } from './reload';
import type { PbxParts } from './turn-resources';
import { failOrder, undoOrder } from './undo';

const SECOND_MS = 1000;
const OUR_TROUBLE_MS = 500;

interface Retries {
  readonly attempts: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

const RETRIES: Readonly<Record<PbxMail['kind'], Retries>> = {
  // The client waits. A PBX that fails is no failed attempt: that is the order's result.
  order: { attempts: 3, firstPauseMs: 200, maxPauseMs: 5 * SECOND_MS },
  // Over about an hour.
  undo: { attempts: 12, firstPauseMs: 3 * SECOND_MS, maxPauseMs: 600 * SECOND_MS },
  // Without it phones do not see the changes, so it is never given up.
  reload: { attempts: Infinity, firstPauseMs: SECOND_MS, maxPauseMs: 600 * SECOND_MS },
  comparison: { attempts: 10, firstPauseMs: 200, maxPauseMs: 5 * SECOND_MS },
  // The next comparison sees it too.
  state: { attempts: 5, firstPauseMs: SECOND_MS, maxPauseMs: 60 * SECOND_MS },
};

export const lookAfterPbx = (parts: PbxParts): MailWork<PbxMail> => ({
  handle: each(async (turn, mail) => {
    try {
      return await handle(parts, turn, mail);
    } catch (error) {
      if (turn.isOver() || error instanceof Superseded || error instanceof Busy) throw error;
      // Everything at this PBX waits, in its order, until the database or Redis is back.
      if (isOurTrouble(error)) throw new Busy(messageOf(error), OUR_TROUBLE_MS);
      return endingAfter(parts, turn, mail, error);
    }
  }),
  onDead: (tx, mail, reason) => giveUpDead(tx, mail, reason),
});

function handle(parts: PbxParts, turn: MailTurn, mail: Mail<PbxMail>): Promise<Ending> {
  const { body } = mail;
  switch (body.kind) {
    case 'order':
      return carryOutOrder(parts, turn, mail, body.id);
    case 'undo':
      return undoOrder(parts, turn, body.id);
    case 'reload':
      return lookAfterReload(parts, turn, mail);
    case 'comparison':
      return compareWithDatabase(parts, turn, mail);
    case 'state':
      return adoptState(parts, turn, body.number);
  }
}

/** Errors that say nothing about the mail, which may succeed when it is retried. */
const isOurTrouble = (error: unknown): boolean =>
  error instanceof CommitUnknown ||
  isDeadlock(error) ||
  isDiskFull(error) ||
  isUnreachable(error) ||
  isRedisAway(error);

async function endingAfter(
  parts: PbxParts,
  turn: MailTurn,
  { attempts, body }: Mail<PbxMail>,
  error: unknown,
): Promise<Ending> {
  const { log, mysql } = turn.kernel;
  const about = { ...body, instance: turn.at };
  const reason = error instanceof PbxError ? error.message : 'an error of the server, which its log names';
  const { attempts: most, firstPauseMs, maxPauseMs } = RETRIES[body.kind];
  if (attempts + 1 < most) {
    log.warn({ ...about, error }, 'could not handle mail of a PBX yet');
    return retry(reason, { afterMs: Math.min(firstPauseMs * 2 ** attempts, maxPauseMs) });
  }
  if (body.kind === 'order') {
    log.error({ ...about, error }, 'gave up on a PBX operation');
    const { operation } = await operations.find(mysql, body.id, turn.at);
    return operation ? giveUpOrder(parts, operation) : done();
  }
  if (body.kind !== 'undo') return dead(messageOf(error));
  log.error({ ...about, error }, 'gave up undoing a PBX operation: the PBX may differ from the database');
  // The order itself is shown to operators, who may have it undone once more.
  return dropped(reason, { write: ({ db }) => markStuck(db, body.id, attempts + 1, reason) });
}

/** For mail during which one worker after the other died. */
async function giveUpDead(tx: Tx, { at, attempts, body }: Mail<PbxMail>, reason: string): Promise<void> {
  if (body.kind === 'reload') await reloads.remove(tx.db, at);
  if (body.kind === 'undo') await markStuck(tx.db, body.id, attempts, reason);
  if (body.kind !== 'order') return;
  const operation = await operations.lock(tx.db, body.id);
  const failure = { kind: 'upstream', detail: 'The order cannot be carried out', undo: true } as const;
  if (operation) await failOrder(tx, operation, failure);
}
