/** What every Redis that fails over has to keep: nothing acknowledged is lost or doubled, and clients go on soon. */
import { expectSoon } from '../support/promised';
import { noteFigures, type FailoverLoad } from './failover-load';

/** From the promotion, as the issue asks. */
const CLIENTS_MS = 5000;

/** Polls and sockets have to go on soon. A worker that waits on a frozen server notices after 15 s of silence. */
export async function measure(load: FailoverLoad, promotedAt: number) {
  const [messages, texts, jobs] = await Promise.all([
    load.goesOn('messages', promotedAt),
    load.goesOn('texts', promotedAt),
    load.goesOn('jobs', promotedAt),
  ]);
  expectSoon(Math.max(messages, texts), CLIENTS_MS);
  return { messages, texts, jobs };
}

/** Nothing that was ever acknowledged is lost or came twice, and nobody had to begin anew. */
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
