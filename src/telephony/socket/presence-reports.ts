/** Tracks which users have sockets on this node, and reports them periodically. */
import { hostname } from 'node:os';
import { newId } from '../../kernel/id';
import type { Kernel, Storage } from '../../kernel/kernel';
import type { Keyspace } from '../../kernel/redis/connections';
import { reportLeft, reportPresent } from '../commands/contacts/show-presence';
import type { CompanyId } from '../model/companies/company';
import type { Caller, ContactId } from '../model/contacts/contact';
import type { PresenceSettings } from '../settings';

type Parts = Storage & Keyspace & Pick<Kernel, 'lifecycle' | 'log'>;

interface Present {
  sockets: number;
  /** The result of the first report. */
  reported: Promise<boolean>;
}

export class PresenceReports {
  readonly #kernel: Parts;
  readonly #settings: PresenceSettings;
  /** A restarted node gets a new name. */
  readonly #node = `${hostname()}-${newId()}`;
  readonly #companies = new Map<CompanyId, Map<ContactId, Present>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(kernel: Parts, settings: PresenceSettings) {
    this.#kernel = kernel;
    this.#settings = settings;
  }

  open(): void {
    this.#timer = setInterval(
      () => void this.#reportAll(),
      (this.#settings.presenceMs / 3) * (0.75 + Math.random() / 4),
    );
    this.#kernel.lifecycle.on('sockets', 'presence', () => clearInterval(this.#timer));
  }

  /** Resolves to whether the user was offline before. Never fails, because a failed report is retried later. */
  enter({ companyId, contactId }: Caller): Promise<boolean> {
    let users = this.#companies.get(companyId);
    if (!users) this.#companies.set(companyId, (users = new Map<ContactId, Present>()));
    let present = users.get(contactId);
    if (!present) {
      users.set(contactId, (present = { sockets: 0, reported: this.#report(companyId, [contactId]) }));
    }
    present.sockets += 1;
    return present.reported;
  }

  leave({ companyId, contactId }: Caller): void {
    const users = this.#companies.get(companyId);
    const present = users?.get(contactId);
    if (!users || !present) return;
    present.sockets -= 1;
    if (present.sockets > 0) return;
    users.delete(contactId);
    if (users.size === 0) this.#companies.delete(companyId);
    reportLeft(this.#kernel, this.#settings, { node: this.#node, companyId, contactIds: [contactId] }).catch(
      (error: Error) =>
        this.#kernel.log.debug({ error }, 'could not report that a user left; their presence expires by itself'),
    );
  }

  async #report(companyId: CompanyId, contactIds: readonly ContactId[]): Promise<boolean> {
    try {
      return await reportPresent(this.#kernel, this.#settings, { node: this.#node, companyId, contactIds });
    } catch (error) {
      this.#kernel.log.debug({ error }, 'could not report presence; trying again');
      return false;
    }
  }

  async #reportAll(): Promise<void> {
    for (const [companyId, users] of this.#companies) await this.#report(companyId, [...users.keys()]);
  }
}
