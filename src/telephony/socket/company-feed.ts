/**
 * Delivers one company's events to its sockets on this node, each once and in order. The Socket.IO adapter carries
 * events between nodes (kernel/event-log/socket-events.ts), so a feed emits only to its local rooms.
 */
import type { NumberedEvent } from '../../kernel/event-log/codec';
import { LogFollower } from '../../kernel/event-log/follower';
import { logInOutbox } from '../../kernel/event-log/sources';
import { Fault } from '../../kernel/fault';
import type { Kernel } from '../../kernel/kernel';
import type { Namespace, Socket } from '../../kernel/socket/server';
import { readCompanyEvent } from '../model/companies/company-event';
import { companyTenant, type CompanyId } from '../model/companies/company';
import type { ContactId } from '../model/contacts/contact';
import type { FeedSettings } from '../settings';
import { findMissed } from '../queries/companies/list-events';

type Parts = Pick<Kernel, 'log' | 'mysql' | 'settings' | 'socketEvents'>;

/** An authenticated socket. */
export interface Member {
  readonly socket: Socket;
  readonly keyHash: string;
  readonly contactId: ContactId;
  /** A number: replay everything after it. Null: only new events. Undefined: events without numbers. */
  readonly after: number | null | undefined;
  /** Disconnects the socket and says why. */
  cut(reason: string): void;
}

/** Called just before a member's first event, with the newest event number. */
export type Welcome = (head: number) => void;

const unreadable = () => new Fault('unavailable', 'The events cannot be read at the moment; try again');

export class CompanyFeed {
  readonly companyId: CompanyId;
  readonly members = new Set<Member>();
  /** When the last member left. */
  idleSince = Date.now();
  readonly #kernel: Pick<Kernel, 'log' | 'mysql'>;
  readonly #settings: FeedSettings;
  readonly #rooms: Namespace;
  readonly #follower: LogFollower;
  /** For each member that is catching up: events that arrive meanwhile. */
  readonly #waiting = new Set<NumberedEvent[]>();
  #numbered = 0;
  #isClosed = false;
  #opening: Promise<void> | undefined;

  // oxlint-disable-next-line max-params -- the node's parts, and the company
  constructor(kernel: Parts, settings: FeedSettings, rooms: Namespace, companyId: CompanyId) {
    this.#kernel = kernel;
    this.#settings = settings;
    this.#rooms = rooms;
    this.companyId = companyId;
    const tenant = companyTenant(companyId);
    this.#follower = new LogFollower(kernel, logInOutbox(kernel, tenant), (events) => this.#publish(events));
  }

  open(): Promise<void> {
    this.#opening ??= this.#follower.open().catch((error: Error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#follower.close();
  }

  /** Catches up if the log is known to reach further. */
  compare(head: number): Promise<void> {
    return this.#follower.compare(head);
  }

  get #plainRoom(): string {
    return `company:${this.companyId}`;
  }

  get #numberedRoom(): string {
    return `company:${this.companyId}:numbered`;
  }

  #publish(events: readonly NumberedEvent[]): void {
    for (const waiting of this.#waiting) waiting.push(...events);
    const hasPlain = this.members.size > this.#numbered;
    for (const { number, body } of events) {
      const { name, payload } = readCompanyEvent(body);
      if (hasPlain) this.#rooms.local.to(this.#plainRoom).emit(name, payload);
      if (this.#numbered > 0) this.#rooms.local.to(this.#numberedRoom).emit(name, payload, { seq: number });
    }
  }

  /** Adds a member, which gets all events from now on. With a position, it first gets what it missed. */
  async admit(member: Member, welcome: Welcome): Promise<void> {
    // Idle since before the member was let in: it would get no events. Its client reconnects.
    if (this.#isClosed) throw unreadable();
    const { socket, after } = member;
    this.members.add(member);
    if (after !== undefined) this.#numbered += 1;
    if (typeof after === 'number') return this.#catchUp(socket, after, welcome);
    // Synchronous, so no event can come between joining the room and the welcome.
    void socket.join(after === undefined ? this.#plainRoom : this.#numberedRoom);
    welcome(this.#follower.head);
  }

  async #catchUp(socket: Socket, after: number, welcome: Welcome): Promise<void> {
    const waiting: NumberedEvent[] = [];
    this.#waiting.add(waiting);
    try {
      const most = this.#settings.eventReplayMost;
      const missed = await findMissed(this.#kernel, this.companyId, after, most + 1);
      const isTooFar = !missed || missed.head - after > most;
      if (!isTooFar) await this.#drawLevel(missed.head);

      // Synchronous from here on, so that no event is lost between the missed and the new ones.
      const { head } = isTooFar ? this.#follower : missed;
      welcome(head);
      if (isTooFar) socket.emit('resync_required', { seq: head });
      else {
        for (const { name, payload, seq } of missed.events) if (seq <= head) socket.emit(name, payload, { seq });
      }
      for (const { number, body } of waiting) {
        if (number <= head) continue;
        const { name, payload } = readCompanyEvent(body);
        socket.emit(name, payload, { seq: number });
      }
      void socket.join(this.#numberedRoom);
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** This node may be behind the client's previous node. The room would then repeat events. */
  async #drawLevel(head: number): Promise<void> {
    await this.#follower.compare(head);
    if (this.#follower.head < head) throw unreadable();
  }

  dismiss(member: Member): void {
    const { socket, after } = member;
    if (!this.members.delete(member)) return;
    if (after !== undefined) this.#numbered -= 1;
    if (this.members.size === 0) this.idleSince = Date.now();
    void socket.leave(after === undefined ? this.#plainRoom : this.#numberedRoom);
  }
}
