/**
 * What a store that two releases share has to carry meanwhile: messages to polls, texts to sockets, deliveries that become
 * messages, and calls of a bot's program. Everything is counted.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { insistOnSaying, listen, type Listener } from '../support/chat/listener';
import { bearer, clientOf } from '../support/http/client';
import { KEY_ONE } from '../support/telephony/companies';
import { deliver } from '../support/chat/deliveries';
import type { MainNode } from '../support/processes/main-node';
import type { TestBot } from '../support/operators';
import type { OtherServer } from '../support/servers/other-server';
import { followTexts, insistOnTexting, type TextingClient } from '../support/telephony/texting-client';
import { until } from '../support/until';
import { count, type Figures, type Kind } from './redis/failover-load';

const KINDS = ['messages', 'texts', 'deliveries', 'calls', 'answers'] as const;
/** An answer of the bot is no work of its own: it is asked for with the call. */
const SENT = ['messages', 'texts', 'deliveries', 'calls'] as const;
type Sent = (typeof SENT)[number];
const PAUSE_MS = { messages: 20, texts: 20, deliveries: 100, calls: 100 } as const;
const MAX_BEHIND = 5;
const BOT = 'Upgrade Bot';

interface Parts {
  readonly urls: () => string[];
  readonly sender: Record<string, string>;
  readonly bot: TestBot;
  readonly conversation: string;
  readonly polls: Listener[];
  readonly sockets: TextingClient[];
  readonly other: OtherServer;
}

export class UpgradeLoad {
  readonly #parts: Parts;
  readonly kinds: Record<(typeof KINDS)[number], Kind>;
  #loops: Promise<void>[] = [];
  #count = 0;
  #isOver = false;

  private constructor(parts: Parts) {
    this.#parts = parts;
    const heard = (pattern: RegExp) =>
      parts.polls.map((poll) => poll.heard.flatMap((each) => pattern.exec(each)?.[1] ?? []));
    const told = () =>
      parts.other.received.flatMap(({ path, body }) => (path === '/bot' ? (/call \d+/.exec(body)?.[0] ?? []) : []));
    const kind = (received: Kind['received']): Kind => ({ acknowledged: [], sent: 0, received });
    this.kinds = {
      messages: kind(() => heard(/^(message \d+)$/)),
      texts: kind(() => parts.sockets.map(({ texts }) => texts)),
      deliveries: kind(() => heard(/ by (delivery-\d+)/)),
      calls: kind(() => [told()]),
      answers: kind(() => heard(/^heard (call \d+)$/)),
    };
  }

  static async open(node: MainNode, urls: () => string[], other: OtherServer): Promise<UpgradeLoad> {
    other.at('/bot', (response, { body }) => {
      response.end(JSON.stringify({ content: `heard ${/call \d+/.exec(body)?.[0] ?? 'nothing'}` }));
    });
    const member = await node.basic('member@example.com');
    const told = {
      full_name: BOT,
      short_name: 'upgrade',
      bot_type: '3',
      payload_url: JSON.stringify(other.url('/bot')),
    };
    await node.call('/api/v1/bots', { form: told, headers: member });
    const incoming = { full_name: 'Deliveries', short_name: 'deliveries', bot_type: '2' };
    const made = (await node.call('/api/v1/bots', { form: incoming, headers: member })).body as { api_key: string };
    const draft = { from_number: '+15550100001', recipients: [{ number: '+15550209999' }] };
    const begun = await node.call('/texting/conversations', { headers: bearer(KEY_ONE), json: draft });
    const names = await Promise.all(['member', 'other', 'guest'].map((name) => node.basic(`${name}@example.com`)));
    return new UpgradeLoad({
      urls,
      other,
      sender: await node.basic('owner@example.com'),
      bot: { id: 0, email: '', key: made.api_key },
      conversation: (begun.body as { id: string }).id,
      polls: await Promise.all(names.map((headers) => listen({ urls, headers }))),
      sockets: await Promise.all([0, 1, 2, 3].map((place) => followTexts(urls, KEY_ONE, place))),
    });
  }

  /** One after another, each as soon as the one before it was taken, for as long as the load lasts. */
  start(): void {
    this.#loops = SENT.map(async (kind) => {
      while (!this.#isOver) {
        await this.#send(kind);
        await wait(PAUSE_MS[kind]);
        // A busy machine is not to have more to do than it can.
        while (!this.#isOver && this.#behind(kind) > MAX_BEHIND) await wait(50);
      }
    });
  }

  /** How much of it is still on its way to the receiver that got least. */
  #behind(kind: Sent): number {
    const { acknowledged, received } = this.kinds[kind === 'calls' ? 'answers' : kind];
    return acknowledged.length - Math.min(...received().map(({ length }) => length));
  }

  async #send(kind: Sent): Promise<string> {
    const { urls, sender, conversation } = this.#parts;
    const number = (this.#count += 1);
    const name = kind === 'deliveries' ? `delivery-${number}` : `${kind.slice(0, -1)} ${number}`;
    const kinds = kind === 'calls' ? [this.kinds.calls, this.kinds.answers] : [this.kinds[kind]];
    for (const each of kinds) each.sent += 1;
    // Each time at another node first.
    const turned = () => [...urls().slice(number % urls().length), ...urls().slice(0, number % urls().length)];
    if (kind === 'texts') await insistOnTexting(turned, conversation, { key: KEY_ONE, text: name });
    else if (kind === 'deliveries') await this.#insistOnDelivering(turned, name);
    else {
      const content = kind === 'calls' ? `@**${BOT}** ${name}` : name;
      await insistOnSaying(turned(), sender, { to: 'test', content });
    }
    for (const each of kinds) each.acknowledged.push(name);
    return name;
  }

  async #insistOnDelivering(urls: () => string[], name: string): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const at = urls();
      const answer = await deliver(clientOf(at[turn % at.length]!), this.#parts.bot, name).catch(() => undefined);
      if (answer?.status === 200) return;
      if (answer && answer.status < 500) throw new Error(answer.text);
      await wait(100);
    }
  }

  /** Milliseconds until everybody has got something of each kind that was sent after now. */
  async goesOn(): Promise<Record<string, number>> {
    const since = Date.now();
    const took = SENT.map(async (kind) => {
      const name = await this.#send(kind);
      const receivers = kind === 'calls' ? [this.kinds.calls, this.kinds.answers] : [this.kinds[kind]];
      await until(
        () => receivers.flatMap(({ received }) => received()).map((got) => got.includes(name)),
        (each) => each.every(Boolean),
      );
      return [kind, Date.now() - since] as const;
    });
    const all = Object.fromEntries(await Promise.all(took));
    return { ...all, answers: all['calls'] ?? 0 };
  }

  /** Ends the load, waits for what is still on its way, and counts. */
  async finish(): Promise<{ figures: Figures[]; problems: string[]; registrations: number[] }> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    for (const { acknowledged, received } of Object.values(this.kinds)) {
      await until(
        () => Math.min(...received().map(({ length }) => length)),
        (least) => least >= acknowledged.length,
      ).catch(() => {});
    }
    const { polls, sockets } = this.#parts;
    const problems = [...polls, ...sockets].flatMap((each) => each.problems);
    const figures = Object.entries(this.kinds).map(([name, kind]) => count(name, kind));
    return { figures, problems, registrations: polls.map((poll) => poll.registrations()) };
  }

  async close(): Promise<void> {
    this.#isOver = true;
    for (const socket of this.#parts.sockets) socket.stop();
    await Promise.all(this.#parts.polls.map((poll) => poll.stop()));
  }
}
