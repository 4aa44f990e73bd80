/**
 * Listens to one PBX for as long as this process holds the lease on that. What it knows counts only while the connection
 * is proven to be there; if this process dies, the lines and calls of the PBX are unknown until another listens.
 */
import { sleep } from '../../../kernel/deadline';
import type { Kernel } from '../../../kernel/kernel';
import { Superseded, WHILE_HELD, type LongLease } from '../../../kernel/mailbox/long-lease';
import type { OpenSocket } from '../../../kernel/outbound/websocket';
import type { CallsSide } from '../../actors/pbx-calls/calls-side';
import type { CallContext } from '../../actors/pbx-instance/driver';
import { changedState, type AriEvent } from '../../model/calls/ari-events';
import type { Instance } from '../../model/sites/site';
import * as lines from '../../store/calls/lines';
import * as sites from '../../store/sites/sites';
import { lookAtState } from '../extensions/look-after-orders';
import { LineBook } from './line-book';
import { showOnPhone } from './show-on-phone';
import { storeCalls } from './store-calls';

export interface ListenerParts extends Pick<Kernel, 'clock' | 'jobs' | 'log' | 'mysql' | 'pause'> {
  readonly settings: Pick<Kernel['settings'], 'leaseMs'> & { readonly pbxCallMs: number };
}

/** A PBX that tells more while it is asked how things stand is asked again. */
const MAX_EARLY = 20_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;
/** Calls that end together are stored together. */
const STORE_SOON_MS = 300;
const STORE_EVERY_MS = 60_000;

export class PbxListener {
  readonly #parts: ListenerParts;
  readonly #instance: Instance;
  readonly #side: CallsSide;
  readonly #lease: LongLease;
  readonly #book: LineBook;
  readonly #stopping = new AbortController();
  #socket: OpenSocket | undefined;
  /** What it knows is true. */
  #isSure = false;
  #storing: Promise<void> | undefined;
  #storeTimer: NodeJS.Timeout | undefined;
  #version: number | undefined;

  constructor(parts: ListenerParts, lease: LongLease, instance: Instance, side: CallsSide) {
    this.#parts = parts;
    this.#instance = instance;
    this.#side = side;
    this.#lease = lease;
    const { clock, log, mysql } = parts;
    this.#book = new LineBook({ clock, log, mysql, lease, stopping: this.#stopping.signal }, instance, side.numberAt);
    lease.lost.addEventListener('abort', () => this.stop());
  }

  stop(): void {
    this.#stopping.abort();
    this.#socket?.close();
  }

  /** Resolves when it has stopped, and let go of the lease. */
  async run(): Promise<void> {
    const { signal } = this.#stopping;
    const beat = setInterval(() => void this.#beat(), this.#parts.settings.leaseMs / 3);
    const storing = setInterval(() => this.#storeSoon(), STORE_EVERY_MS);
    for (let failures = 0; !signal.aborted; failures += 1) {
      const wasSure = await this.#listen().catch((error: unknown) => {
        this.#parts.log.debug({ error, pbx: this.#instance.uuid }, 'could not listen to a PBX; trying again');
        return false;
      });
      if (wasSure) failures = 0;
      const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));
      await sleep(pause * (0.75 + Math.random() / 2), signal);
    }
    clearInterval(beat);
    clearInterval(storing);
    clearTimeout(this.#storeTimer);
    await this.#book.settle();
    await this.#storing;
    if (!this.#lease.lost.aborted) await this.#lease.release().catch(() => {});
  }

  /** One connection, until it is over. Returns whether it came to be sure of anything. */
  async #listen(): Promise<boolean> {
    const { pbxCallMs: deadlineMs, leaseMs } = this.#parts.settings;
    let early: AriEvent[] | undefined = [];
    const take = (event: AriEvent): void => {
      if (!early) this.#take(event);
      else if (early.push(event) > MAX_EARLY) this.#socket?.close();
    };
    const socket = await this.#side.line.open(take, deadlineMs, leaseMs / 3);
    this.#socket = socket;
    try {
      if (this.#stopping.signal.aborted) return false;
      await this.#side.line.filter(this.#step());
      this.#book.begin(await this.#side.line.lookAround(() => this.#step()));
      const waiting = early;
      early = undefined;
      for (const event of waiting) this.#take(event);
      await this.#book.settle();
      this.#isSure = true;
      await this.#beat();
      this.#storeSoon(0);
      await socket.closed;
      return true;
    } finally {
      socket.close();
      const wasSure = this.#isSure;
      this.#isSure = false;
      if (wasSure) await this.#forget();
    }
  }

  #take(event: AriEvent): void {
    this.#book.take(event);
    const changed = changedState(event, this.#side.space.code);
    if (changed !== undefined) this.#lookAtState(changed);
    if (event.type === 'ChannelDestroyed') this.#storeSoon();
  }

  /** If this is lost, the next comparison finds it. */
  #lookAtState(number: number): void {
    lookAtState(this.#parts, this.#instance, number).catch((error: unknown) =>
      this.#parts.log.debug({ error, pbx: this.#instance.uuid }, 'could not have a state looked at'),
    );
  }

  #step = (): CallContext => ({ key: 'calls', deadlineMs: this.#parts.settings.pbxCallMs });

  /** Says that what is known is still true, if it is. */
  async #beat(): Promise<void> {
    const { uuid } = this.#instance;
    const validMs = (this.#parts.settings.leaseMs * 2) / 3;
    const heard = this.#socket === undefined ? Infinity : performance.now() - this.#socket.heardAt();
    const isTrue = this.#isSure && heard < validMs && this.#book.behindMs() < validMs;
    const confirming = isTrue ? [lines.confirming(uuid, validMs, WHILE_HELD)] : [];
    try {
      const replies = await this.#lease.extend([...confirming, sites.versionOf(uuid)]);
      const [row] = replies.at(-1) as unknown as { readonly updatedAt: Date }[];
      // It was removed, or is to be spoken to in another way: whoever listens next knows.
      const version = row?.updatedAt.getTime();
      if (version === undefined || version !== (this.#version ??= version)) this.stop();
    } catch (error) {
      if (!(error instanceof Superseded)) this.#parts.log.debug({ error, pbx: uuid }, 'could not renew a listener');
    }
  }

  /** From now on nothing is known, and nobody is on the phone. */
  async #forget(): Promise<void> {
    const { uuid: pbx, companyId } = this.#instance;
    await this.#book.settle();
    await this.#lease
      .commit(async (tx) => {
        await lines.invalidate(tx.db, pbx);
        await showOnPhone(tx, this.#parts.clock, { pbx, companyId }, await lines.forgetBusy(tx.db, pbx));
      })
      .catch(() => {});
    this.#book.forget();
  }

  #storeSoon(afterMs = STORE_SOON_MS): void {
    if (this.#storeTimer !== undefined || this.#stopping.signal.aborted || !this.#isSure) return;
    this.#storeTimer = setTimeout(() => {
      this.#storeTimer = undefined;
      this.#storing = (this.#storing ?? Promise.resolve()).then(() => this.#store());
    }, afterMs);
  }

  async #store(): Promise<void> {
    const { log } = this.#parts;
    if (this.#stopping.signal.aborted || !this.#side.records) return;
    try {
      await this.#side.records.begin(this.#step());
      const parts = { log, write: this.#lease.commit, step: this.#step };
      await storeCalls(parts, this.#instance, this.#side);
    } catch (error) {
      log.debug({ error, pbx: this.#instance.uuid }, 'could not store the calls of a PBX; trying again');
    }
  }
}
