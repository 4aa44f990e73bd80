/** One socket session. Before it authenticates it may do nothing else; then only what the specification allows. */
import { alarmIn } from './alarm';
import { Fault } from '../../kernel/fault';
import type { Kernel, Storage } from '../../kernel/kernel';
import type { Socket } from '../../kernel/socket/server';
import { enterCompany } from '../commands/companies/change-companies';
import { markTextsRead } from '../commands/texting/mark-texts-read';
import { companyTenant } from '../model/companies/company';
import type { KeyRights } from '../model/companies/key';
import { callerKey, type Caller } from '../model/contacts/contact';
import { keyMayNot } from '../model/portal/portal-faults';
import * as faults from '../model/socket-faults';
import { findSocketCaller } from '../queries/companies/find-caller';
import { companyHead } from '../queries/companies/list-events';
import type { CompanyFeed, Member } from './company-feed';
import {
  acknowledgement,
  readCredentials,
  readReading,
  type Acknowledge,
  type ShownCredentials,
  problemOf,
} from './packets';
import type { SocketContext } from './socket-entry';

/** Time for a refused client to read the reason and try again. */
const FAREWELL_MS = 1000;
/** A client that exceeds the limit this many times is hostile and disconnected. */
const FLOOD = 10;

interface Place {
  readonly caller: Caller;
  readonly member: Member;
  readonly feed: CompanyFeed;
  readonly rights: KeyRights;
  /** For a key that expires: cancels the timer that rechecks its access. */
  readonly forgetEnd: (() => void) | undefined;
}

export class Session {
  readonly #context: SocketContext;
  readonly #socket: Socket;
  readonly #from: string;
  /** Set once the socket has authenticated. */
  #place: Place | undefined;
  /** Failed authentications since the last success. */
  #failures = 0;
  /** Disconnects the socket unless it authenticates in time. */
  #cutter: NodeJS.Timeout | undefined;
  /** Runs one event at a time, in order of arrival; undefined while idle. */
  #turn: Promise<void> | undefined;
  #windowBegan = 0;
  #events = 0;
  #hasLeft = false;
  /** The socket was told why it is disconnected. Later events get no answer. */
  #isEnding = false;

  constructor(context: SocketContext, socket: Socket, from: string) {
    this.#context = context;
    this.#socket = socket;
    this.#from = from;
    this.#cutter = setTimeout(() => this.#end(faults.notInTime()), context.settings.socketAuthMs);
    socket.onAny((name: string, ...args: unknown[]) => this.#receive(name, args));
    socket.once('disconnect', () => {
      this.#hasLeft = true;
      this.#spare();
      // After the event in progress, which may still acquire resources to release.
      void (this.#turn ?? Promise.resolve()).then(() => this.#move(undefined));
    });
  }

  get #kernel(): Storage & Pick<Kernel, 'changes' | 'keys' | 'log' | 'settings'> {
    return this.#context.kernel;
  }

  #receive(name: string, args: readonly unknown[]): void {
    const acknowledge = acknowledgement(args);
    const excess = this.#countEvent();
    if (excess > FLOOD) return void this.#socket.disconnect(true);
    if (excess > 1) return acknowledge?.(problemOf(faults.tooManyEvents()));
    const turn = (this.#turn ?? Promise.resolve()).then(async () => {
      if (this.#isOver) return;
      try {
        await this.#take(name, args[0], acknowledge);
      } catch (error) {
        if (!(error instanceof Fault)) this.#kernel.log.error({ error, event: name }, 'a socket event failed');
        acknowledge?.(problemOf(error));
      } finally {
        if (this.#turn === turn) this.#turn = undefined;
      }
    });
    this.#turn = turn;
  }

  /** The number of events in this window as a multiple of the limit. */
  #countEvent(): number {
    const rule = this.#context.settings.socketEventLimit;
    if (rule === null) return 0;
    const now = Date.now();
    if (now - this.#windowBegan >= rule.seconds * 1000) {
      this.#windowBegan = now;
      this.#events = 0;
    }
    this.#events += 1;
    return this.#events / rule.requests;
  }

  async #take(name: string, payload: unknown, acknowledge: Acknowledge | undefined): Promise<void> {
    if (name === 'authenticate') return this.#authenticate(payload, acknowledge);
    if (!this.#place) throw faults.authenticateFirst();
    if (name !== 'texting.message.markAsRead') throw faults.noSuchEvent(name);
    if (this.#place.rights === 'read') throw keyMayNot('read');
    const { caller } = this.#place;
    const party = { caller: callerKey(caller), address: companyTenant(caller.companyId) };
    const reading = readReading(payload);
    const read = await this.#kernel.changes.through(party, () =>
      markTextsRead(this.#kernel.transaction, caller, reading),
    );
    acknowledge?.(read);
  }

  async #authenticate(payload: unknown, acknowledge: Acknowledge | undefined): Promise<void> {
    try {
      this.#context.attempts.ensureWelcome(this.#from);
      await this.#enter(readCredentials(payload), acknowledge);
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.#move(undefined);
      const problem = problemOf(error);
      acknowledge?.(problem);
      // A server error: closes the connection, so that the client reconnects as after a restart.
      if (problem.error.status >= 500) {
        this.#kernel.log.warn({ error }, 'could not authenticate a socket');
        this.#isEnding = true;
        this.#socket.conn.close();
        return;
      }
      if (this.#failures >= this.#context.settings.socketAuthTries) this.#end(error as Fault);
      else this.#refuse(error as Fault);
      if ((error as Fault).kind === 'unauthenticated') await this.#context.attempts.countFailure(this.#from);
    }
  }

  async #enter(shown: ShownCredentials, acknowledge: Acknowledge | undefined): Promise<void> {
    const { feeds, presence, keys, settings } = this.#context;
    await feeds.open();
    const changesBefore = feeds.accessChanges.now;
    const shownFrom = { ...shown, from: this.#from };
    const { caller, keyHash, rights, enteredLately, leftMs } = await findSocketCaller(
      this.#kernel,
      shownFrom,
      settings,
    );
    this.#move(undefined);
    if ((keys.get(keyHash) ?? 0) >= settings.socketsPerKey) throw faults.tooManySockets();
    const feed = await feeds.of(caller.companyId, this.#socket.nsp);
    if (!enteredLately) await enterCompany(this.#kernel.transaction, caller);
    const isNews = await presence.enter(caller);
    const cut = (reason: string) => this.#cut(reason);
    const member: Member = { socket: this.#socket, keyHash, contactId: caller.contactId, after: shown.after, cut };
    this.#move({ caller, member, feed, rights, forgetEnd: this.#watchEnd(leftMs, caller) });
    // Published before the socket joins, because the user's own arrival is no news to it.
    if (isNews) await feed.compare(await companyHead(this.#kernel.mysql, caller.companyId));
    if (this.#isOver) return;
    await feed.admit(member, (head) => {
      if (this.#isOver) return;
      // If access changed meanwhile, nothing is replayed; the client must authenticate again.
      if (feeds.accessChanges.hasChangedSince(caller.companyId, changesBefore)) throw faults.accessInDoubt();
      this.#spare();
      const seq = shown.after === undefined ? [] : [{ seq: head }];
      this.#socket.emit('authenticated', ...seq);
      acknowledge?.({ authenticated: true, ...seq[0] });
    });
    // The key may have been revoked after the check and before the feed knew this socket.
    if (feeds.accessChanges.hasChangedSince(caller.companyId, changesBefore)) await feeds.recheck(caller.companyId);
  }

  /** Replaces the place, or clears it, and releases the resources of the previous one. */
  #move(place: Place | undefined): void {
    const { presence, keys } = this.#context;
    const before = this.#place;
    this.#place = place;
    if (place) keys.set(place.member.keyHash, (keys.get(place.member.keyHash) ?? 0) + 1);
    if (!before) return;
    before.feed.dismiss(before.member);
    presence.leave(before.caller);
    before.forgetEnd?.();
    const left = keys.get(before.member.keyHash)! - 1;
    if (left > 0) keys.set(before.member.keyHash, left);
    else keys.delete(before.member.keyHash);
  }

  #watchEnd(leftMs: number | null, { companyId }: Caller): (() => void) | undefined {
    // If the key expires later by MySQL's clock than by ours, the next recheck finds it.
    return leftMs === null ? undefined : alarmIn(leftMs + 1, () => this.#context.feeds.doubt([companyId]));
  }

  #cut(reason: string): void {
    this.#move(undefined);
    this.#end(faults.accessLost(reason));
  }

  /** Says why, and leaves time to try again. */
  #refuse({ message }: Fault): void {
    if (this.#isOver) return;
    this.#socket.emit('unauthorized', { message });
    this.#spare();
    this.#cutter = setTimeout(() => void this.#socket.disconnect(true), FAREWELL_MS);
  }

  /** Says why, and disconnects. Later attempts get no answer. */
  #end({ message }: Fault): void {
    if (this.#isOver) return;
    this.#isEnding = true;
    this.#spare();
    this.#socket.emit('unauthorized', { message });
    setImmediate(() => void this.#socket.disconnect(true));
  }

  get #isOver(): boolean {
    return this.#hasLeft || this.#isEnding;
  }

  #spare(): void {
    clearTimeout(this.#cutter);
    this.#cutter = undefined;
  }
}
