/** The load on a store that fails over: messages to polls, texts to sockets, jobs. Everything is counted. */
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { seedDemo as seedChat } from '../../../src/chat/commands/demo/seed-demo';
import type { Kernel } from '../../../src/kernel/kernel';
import { CommitUnknown, isUnreachable } from '../../../src/kernel/mysql/outcome';
import { insistOnSaying, listen, type Listener } from '../../support/chat/listener';
import type { Environment } from '../../support/kernel/cluster';
import { mailboxWith, request, startEcho } from '../../support/kernel/mailboxes';
import { IS_TIMED } from '../../support/promised';
import type { TextingClient } from '../../support/telephony/texting-client';
import { openTextingCluster, type TextingCluster } from '../../support/telephony/texting-cluster';
import { until } from '../../support/until';

const words = mailboxWith({ sweepMs: 1000 });
/** A worker that waits on a frozen server needs a while to notice, and longer on a slow machine. */
const ANSWER_MS = 300_000;

/** One kind of work: what was acknowledged, and what each receiver got of it. */
export interface Kind {
  readonly acknowledged: string[];
  sent: number;
  readonly received: () => readonly (readonly string[])[];
}

export interface Figures {
  readonly kind: string;
  readonly sent: number;
  readonly acknowledged: number;
  readonly received: number;
  readonly lost: number;
  readonly doubled: number;
}

export class FailoverLoad {
  readonly #texting: TextingCluster;
  readonly #kernel: Kernel;
  readonly #sender: Record<string, string>;
  readonly #polls: Listener[];
  readonly #sockets: TextingClient[];
  readonly #answers: string[] = [];
  #loops: Promise<void>[] = [];
  #count = 0;
  readonly kinds: Record<'messages' | 'texts' | 'jobs', Kind>;
  #isOver = false;

  private constructor(parts: {
    texting: TextingCluster;
    kernel: Kernel;
    sender: Record<string, string>;
    polls: Listener[];
    sockets: TextingClient[];
  }) {
    this.#texting = parts.texting;
    this.#kernel = parts.kernel;
    this.#sender = parts.sender;
    this.#polls = parts.polls;
    this.#sockets = parts.sockets;
    const kind = (received: Kind['received']): Kind => ({ acknowledged: [], sent: 0, received });
    this.kinds = {
      messages: kind(() => this.#polls.map(({ heard }) => heard)),
      texts: kind(() => this.#sockets.map(({ texts }) => texts)),
      jobs: kind(() => [this.#answers]),
    };
  }

  static async open(environment: Environment): Promise<FailoverLoad> {
    // Where times are tested, they are as in production, so that calls to a frozen server end as soon.
    const times = IS_TIMED ? { REDIS_DEADLINE_MS: '1000' } : {};
    const texting = await openTextingCluster({ EVENTS_RATE_LIMIT: 'off', ...times, ...environment });
    const { cluster, nodes, urls } = texting;
    const kernel = await cluster.kernel();
    await seedChat(kernel);
    await startEcho(await cluster.kernel(), words);
    const names = ['member', 'other', 'guest'].map((name) => nodes[0]!.basic(`${name}@example.com`));
    const polls = (await Promise.all(names)).map((headers, at) => listen({ urls, headers, isStream: at > 0 }));
    const { own } = await texting.listen(4);
    const sender = await nodes[0]!.basic('owner@example.com');
    return new FailoverLoad({ texting, kernel, sender, polls: await Promise.all(polls), sockets: own });
  }

  /** One after another, each as soon as the previous one was accepted, for as long as the load lasts. */
  start(): void {
    this.#isOver = false;
    const repeat = async (kind: keyof FailoverLoad['kinds']) => {
      while (!this.#isOver) {
        await this.send(kind, `load ${(this.#count += 1)}`);
        await wait(20);
      }
    };
    this.#loops = (['messages', 'texts', 'jobs'] as const).map(repeat);
  }

  async send(kind: keyof FailoverLoad['kinds'], name: string): Promise<void> {
    const counted = this.kinds[kind];
    counted.sent += 1;
    if (kind === 'messages') await insistOnSaying(this.#texting.urls(), this.#sender, { to: 'test', content: name });
    else if (kind === 'texts') await this.#texting.say(name);
    else this.#answers.push(await this.#insistOnAsking(name));
    counted.acknowledged.push(name);
  }

  /** Repeats until there is a response: a database that fails over may not say whether the job is stored. */
  async #insistOnAsking(name: string): Promise<string> {
    for (;;) {
      try {
        return await request(this.#kernel, words, name, ANSWER_MS);
      } catch (error) {
        if (!(error instanceof CommitUnknown) && !isUnreachable(error)) throw error;
        await wait(100);
      }
    }
  }

  /** Milliseconds from a moment until every receiver got something of this kind that was sent after it. */
  async goesOn(kind: keyof FailoverLoad['kinds'], since: number): Promise<number> {
    const name = `after ${since}`;
    const sending = this.send(kind, name);
    await until(
      () => this.kinds[kind].received().map((got) => got.includes(name)),
      (each) => each.every(Boolean),
    );
    await sending;
    return Date.now() - since;
  }

  /** Adds jobs that stay in their queue in Redis; the returned function has them done and returns the results. */
  async layJobs(names: readonly string[]): Promise<() => Promise<string[]>> {
    // A new mailbox each time, so that no worker takes its jobs yet.
    const laid = mailboxWith({ sweepMs: 1000 });
    const answers = Promise.all(names.map((name) => request(this.#kernel, laid, name, ANSWER_MS)));
    const queue = await this.#kernel.jobs.registry.queue(laid.job.name);
    await until(
      () => queue.count(),
      (count) => count >= names.length,
    );
    return async () => {
      await startEcho(await this.#texting.cluster.kernel(), laid);
      return answers;
    };
  }

  /** Ends the load, waits for what is still in flight, and counts. */
  async finish(): Promise<{ figures: Figures[]; problems: string[] }> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    for (const { acknowledged, received } of Object.values(this.kinds)) {
      // Nothing more is sent: a receiver with less than this misses something.
      await until(
        () => Math.min(...received().map(({ length }) => length)),
        (least) => least >= acknowledged.length,
      ).catch(() => {});
    }
    const problems = [...this.#polls, ...this.#sockets].flatMap((each) => each.problems);
    return { figures: Object.entries(this.kinds).map(([name, kind]) => count(name, kind)), problems };
  }

  get environment(): Environment {
    return this.#texting.cluster.environment;
  }

  registrations = (): number[] => this.#polls.map((poll) => poll.registrations());

  async close(): Promise<void> {
    await Promise.all(this.#polls.map((poll) => poll.stop()));
    await this.#texting.close();
  }
}

export function count(kind: string, { acknowledged, sent, received }: Kind): Figures {
  const all = received();
  const lost = all.map((got) => acknowledged.filter((name) => !got.includes(name)).length);
  const doubled = all.map((got) => got.length - new Set(got).size);
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  return {
    kind,
    sent,
    acknowledged: acknowledged.length,
    received: Math.min(...all.map((got) => new Set(got).size)),
    lost: sum(lost),
    doubled: sum(doubled),
  };
}

/** For the table of `npm run faults`. */
export function noteFigures(fault: string, figures: object): void {
  const file = process.env['FAULT_FIGURES'];
  if (file) appendFileSync(file, `${JSON.stringify({ fault, ...figures })}\n`);
}
