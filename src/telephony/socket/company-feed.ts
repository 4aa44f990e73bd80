/**
 * One company's events on this node: each goes once, in the order of its number, to every socket of the company here.
 * The adapter brings them from node to node by number (kernel/event-log/socket-events.ts), so rooms are told locally.
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
import type { FeedSettings } from '../model/socket-settings';
import { findMissed } from '../queries/companies/list-events';

/** An authenticated socket. */
export interface Member {
  readonly socket: Socket;
  readonly keyHash: string;
  readonly contactId: ContactId;
  /** The number after which it wants everything; null: from now on; undefined: it wants no numbers at all. */
  readonly after: number | null | undefined;
  /** Ends it, saying why. */
  cut(reason: string): void;
}

/** Called just before a member's first event, with the newest number. */
export type Welcome = (head: number) => void;

export class CompanyFeed {
  readonly companyId: CompanyId;
  readonly members = new Set<Member>();
  /** When the last member left. */
  idleSince = Date.now();
  readonly #kernel: Kernel;
  readonly #settings: FeedSettings;
  readonly #rooms: Namespace;
  readonly #follower: LogFollower;
  /** What comes while members are told what they missed, for each of them. */
  readonly #waiting = new Set<NumberedEvent[]>();
  #numbered = 0;
  #opening: Promise<void> | undefined;

  // oxlint-disable-next-line max-params -- the node's parts, and whose feed it is
  constructor(kernel: Kernel, settings: FeedSettings, rooms: Namespace, companyId: CompanyId) {
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
    return this.#follower.close();
  }

  /** The log is known to go this far. */
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

  /** From here on the member is told everything; one that says what it saw last is first told what it missed. */
  async admit(member: Member, welcome: Welcome): Promise<void> {
    const { socket, after } = member;
    this.members.add(member);
    if (after !== undefined) this.#numbered += 1;
    if (typeof after === 'number') return this.#catchUp(socket, after, welcome);
    // Nothing can be told between the two: whoever is in the room has been welcomed.
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

      // From here to the end of it nothing else runs, so that nothing falls between what was missed and what is new.
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

  /** This node may be behind the one that the client comes from; the room would tell it the rest twice. */
  async #drawLevel(head: number): Promise<void> {
    await this.#follower.compare(head);
    if (this.#follower.head < head)
      throw new Fault('unavailable', 'The events cannot be read at the moment; try again');
  }

  dismiss(member: Member): void {
    const { socket, after } = member;
    if (!this.members.delete(member)) return;
    if (after !== undefined) this.#numbered -= 1;
    if (this.members.size === 0) this.idleSince = Date.now();
    void socket.leave(after === undefined ? this.#plainRoom : this.#numberedRoom);
  }
}
