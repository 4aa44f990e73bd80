/**
 * What the listener of a PBX knows of lines and calls, and how that comes into rows and events: the difference to what was
 * told before, by whichever listener, in one transaction with the events.
 */
import { sleep } from '../../../kernel/deadline';
import type { Kernel } from '../../../kernel/kernel';
import { Superseded, type LongLease } from '../../../kernel/mailbox/long-lease';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { SeenNow } from '../../actors/pbx-calls/asterisk-line';
import type { AriEvent } from '../../model/calls/ari-events';
import { callNews, type CallNews } from '../../model/calls/call-news';
import { lineNews, lineOf, type Line, type LineNews } from '../../model/calls/line';
import { LiveCalls, type EndedCall, type LiveCall } from '../../model/calls/live-calls';
import { companyDelivery } from '../../model/companies/company-event';
import type { Instance } from '../../model/sites/site';
import * as lines from '../../store/calls/lines';
import * as extensions from '../../store/extensions/extensions';
import { showOnPhone } from './show-on-phone';

export interface BookParts extends Pick<Kernel, 'clock' | 'log' | 'mysql'> {
  readonly lease: LongLease;
  readonly stopping: AbortSignal;
}

/** Of one PBX: more are not shown. */
const MAX_CALLS = 1000;
const RETRY_MS = 500;

interface Told {
  readonly lines: Map<number, Line>;
  readonly calls: Map<string, LiveCall>;
}

export class LineBook {
  readonly #parts: BookParts;
  readonly #instance: Instance;
  readonly #numberAt: (endpoint: string) => number | undefined;
  #lines = new Map<number, Line>();
  #calls: LiveCalls;
  readonly #ended: EndedCall[] = [];
  /** Undefined: to be read from the rows. */
  #told: Told | undefined;
  #isNew = false;
  #isBeginning = true;
  #writing: Promise<void> | undefined;
  #behindSince: number | undefined;

  constructor(parts: BookParts, instance: Instance, numberAt: (endpoint: string) => number | undefined) {
    this.#parts = parts;
    this.#instance = instance;
    this.#numberAt = numberAt;
    this.#calls = new LiveCalls(numberAt, MAX_CALLS);
  }

  /** Begins with what is so now. */
  begin(seen: SeenNow): void {
    const now = this.#parts.clock.now();
    this.#lines = new Map();
    for (const { endpoint, deviceState } of seen.lines) this.#see(endpoint, deviceState);
    this.#calls = new LiveCalls(this.#numberAt, MAX_CALLS);
    // The caller's channel first: it names the call.
    const [roots, others] = [true, false].map((isRoot) =>
      seen.channels.filter(({ channel, linkedId }) => (channel.id === linkedId) === isRoot),
    );
    for (const { channel, linkedId } of [...roots!, ...others!]) this.#calls.add(channel, linkedId, now);
    this.#note();
  }

  take(event: AriEvent): void {
    if (event.type === 'DeviceStateChanged') this.#see(event.endpoint, event.state);
    else this.#calls.take(event);
    this.#note();
  }

  /** What was told has been taken back. */
  forget(): void {
    this.#told = undefined;
  }

  /** For how long something has been waiting to be written. */
  behindMs(): number {
    return this.#behindSince === undefined ? 0 : performance.now() - this.#behindSince;
  }

  /** Resolves once all is written. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  #see(endpoint: string, deviceState: string): void {
    const number = this.#numberAt(endpoint);
    const line = lineOf(deviceState);
    // A state that says nothing changes nothing.
    if (number !== undefined && line.callStatus !== 'unknown') this.#lines.set(number, line);
  }

  #note(): void {
    this.#isNew = true;
    this.#behindSince ??= performance.now();
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
  }

  async #writeAll(): Promise<void> {
    // Events that come together are told together.
    await sleep(0);
    while (this.#isNew && !this.#parts.stopping.aborted) {
      this.#isNew = false;
      try {
        await this.#writeNews();
        if (!this.#isNew) this.#behindSince = undefined;
      } catch (error) {
        // Read anew, as nobody knows what was written.
        this.#told = undefined;
        if (error instanceof Superseded) return;
        this.#parts.log.debug({ error, pbx: this.#instance.uuid }, 'could not note what became of lines; trying again');
        await sleep(RETRY_MS, this.#parts.stopping);
        this.#isNew = true;
      }
    }
  }

  async #writeNews(): Promise<void> {
    const { mysql, clock, lease } = this.#parts;
    const { uuid: pbx } = this.#instance;
    this.#told ??= { lines: await lines.linesOf(mysql, pbx), calls: await lines.liveCallsOf(mysql, pbx) };
    const told = this.#told;
    const live = this.#calls.list();
    this.#ended.push(...this.#calls.takeEnded());
    const ended = [...this.#ended];
    const changedLines = lineNews(told.lines, this.#lines, { isFirst: this.#isBeginning && told.lines.size === 0 });
    const news = callNews({ pbx, known: told.calls, live, ended, now: clock.now() });
    if (changedLines.length > 0 || news.events.length > 0 || news.changed.length > 0) {
      await lease.commit((tx) => this.#write(tx, changedLines, news));
    }
    for (const { number, line } of changedLines) told.lines.set(number, line);
    for (const call of news.changed) told.calls.set(call.callId, call);
    for (const callId of news.over) told.calls.delete(callId);
    this.#ended.splice(0, ended.length);
    this.#isBeginning = false;
  }

  async #write(tx: Tx, changedLines: readonly LineNews[], news: CallNews): Promise<void> {
    const { uuid: pbx, companyId } = this.#instance;
    await lines.putLines(tx.db, pbx, new Map(changedLines.map(({ number, line }) => [number, line])));
    await lines.putLiveCalls(tx.db, { pbx, companyId }, news.changed);
    await lines.removeLiveCalls(tx.db, pbx, news.over);
    for (const { name, payload } of news.events) tx.deliver(companyDelivery(companyId, name, payload));
    await this.#tellRegistrations(tx, changedLines);
    const numbers = changedLines.map(({ number }) => number);
    await showOnPhone(tx, this.#parts.clock, { pbx, companyId }, numbers);
  }

  async #tellRegistrations(tx: Tx, changedLines: readonly LineNews[]): Promise<void> {
    const { uuid: pbx, companyId } = this.#instance;
    const changes = new Map(changedLines.map(({ number, registration }) => [number, registration]));
    const numbers = [...changes].flatMap(([number, registration]) => (registration ? [number] : []));
    for (const { id, number, userId } of await extensions.byNumbers(tx.db, pbx, numbers)) {
      const payload = { pbx, extension_id: id, number, user_id: userId };
      tx.deliver(companyDelivery(companyId, `extension.${changes.get(number)!}`, payload));
    }
  }
}
