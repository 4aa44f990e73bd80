/** Takes over what somebody has changed at the telephone: forwards and do not disturb, as the PBX has them. */
import type { MailTurn } from '../../../kernel/mailbox/work';
import { NO_FORWARDS, sameForwards, type Arrangement, type ForwardsData } from '../../model/arrangements/arrangement';
import type { SealedExtension } from '../../store/extensions/extensions';
import { settleStuck } from '../../store/extensions/operation-endings';
import { unsettledNumbers } from '../../store/extensions/operation-queries';
import { keepForwards } from './arrangement-plans';
import type { CallContext } from '../pbx-instance/driver';
import type { TurnResources } from '../pbx-instance/turn-resources';

interface Known {
  readonly extensions: readonly SealedExtension[];
  readonly rows: readonly Arrangement[];
  readonly context: CallContext;
}

/** Returns the numbers whose forwards were not as they were last known. */
export async function adoptForwards(resources: TurnResources, { rows, context, ...all }: Known): Promise<number[]> {
  const { driver, turn, instance } = resources;
  if (!driver.forwards) return [];
  const visible = all.extensions.filter(({ isVisible }) => isVisible);
  const numbers = visible.map(({ number }) => number);
  const [held, open] = await Promise.all([
    driver.forwards.list(context, numbers),
    unsettledNumbers(turn.kernel.mysql, { instance: instance.uuid, object: 'forwards' }),
  ]);
  const known = new Map(
    rows.flatMap((row) => (row.kind === 'forwards' ? [[row.number, row.data as ForwardsData] as const] : [])),
  );
  const adopted: number[] = [];
  for (const extension of visible) {
    const { number } = extension;
    const data = held.get(number) ?? NO_FORWARDS;
    // An order that is under way decides; its own read-back follows.
    if (open.has(number) || sameForwards(known.get(number) ?? NO_FORWARDS, data)) continue;
    await adopt(turn, extension, data);
    adopted.push(number);
  }
  // Whatever an order that could not be undone has left was adopted.
  await turn.commit(({ db }) => settleStuck(db, { instance: instance.uuid, object: 'forwards' }, []));
  return adopted;
}

const adopt = (turn: MailTurn, extension: SealedExtension, data: ForwardsData): Promise<void> =>
  turn.commit((tx) => keepForwards(tx, { extension, data, source: 'pbx' }, turn.kernel.clock.now()));
