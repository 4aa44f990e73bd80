/**
 * What every Redis that fails over has to guarantee: nothing acknowledged is lost or duplicated, and clients soon
 * continue.
 */
import { expectSoon } from '../../support/promised';
import { noteFigures, type FailoverLoad } from './failover-load';

/** From the promotion on. */
const CLIENTS_MS = 5000;

/** Polls and sockets must continue soon. A worker that waits on a frozen server notices after 15 s of silence. */
export async function measure(load: FailoverLoad, promotedAt: number) {
  const [messages, texts, jobs] = await Promise.all([
    load.goesOn('messages', promotedAt),
    load.goesOn('texts', promotedAt),
    load.goesOn('jobs', promotedAt),
  ]);
  expectSoon(Math.max(messages, texts), CLIENTS_MS);
  return { messages, texts, jobs };
}

/** Nothing that was acknowledged is lost or came twice, and no client had to register again. */
export async function expectAll(load: FailoverLoad, fault: string, recovery: Record<string, number>[]): Promise<void> {
  const { figures, problems } = await load.finish();
  for (const { kind, ...counts } of figures) {
    const seconds = Math.max(...recovery.map((each) => each[kind] ?? 0)) / 1000;
    noteFigures(fault, { kind, ...counts, seconds });
    expect({ kind, lost: counts.lost, doubled: counts.doubled }).toEqual({ kind, lost: 0, doubled: 0 });
    expect(counts.received).toBeGreaterThanOrEqual(counts.acknowledged);
  }
  expect(problems).toEqual([]);
  expect(load.registrations()).toEqual([1, 1, 1]);
}
