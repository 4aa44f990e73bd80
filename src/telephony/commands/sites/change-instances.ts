/** Adds and removes a company's PBX instances. For operators. */
import { randomUUID } from 'node:crypto';
import { ensure, Fault } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Storage } from '../../../kernel/kernel';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { pbxInstances } from '../../actors/mailboxes';
import { isCodecList } from '../../actors/pbx-instance/asterisk-codecs';
import { companyTenant, type CompanyId } from '../../model/companies/company';
import type { Backend } from '../../model/sites/backends';
import { EMERGENCY_LIST, isUuid, spaceOf, type Instance, type Space } from '../../model/sites/site';
import * as arrangements from '../../store/arrangements/arrangements';
import * as extensions from '../../store/extensions/extensions';
import * as drift from '../../store/sites/drift';
import * as reloads from '../../store/sites/reloads';
import * as sites from '../../store/sites/sites';

export interface InstanceDraft {
  readonly companyId: CompanyId;
  /** By id or name; defaults to the company's first location. */
  readonly location?: string | undefined;
  readonly backend: Backend;
  readonly address: string;
  readonly uuid?: string | undefined;
  readonly details: Readonly<Record<string, string>>;
  readonly credentials?: string | undefined;
  /** The AMI user of an Asterisk, as `user:secret`. */
  readonly ami?: string | undefined;
}

/** What is given replaces what is stored; null takes the AMI user away. */
export interface InstanceChange {
  readonly address?: string | undefined;
  readonly details?: InstanceDraft['details'];
  readonly credentials?: string | undefined;
  readonly ami?: string | null | undefined;
}

export async function addInstance(
  kernel: Storage,
  draft: InstanceDraft,
): Promise<{ uuid: string; locationId: string }> {
  const uuid = (draft.uuid ?? randomUUID()).toLowerCase();
  ensure(isUuid(uuid), new Fault('invalid', `"${uuid}" is no uuid`));
  const { companyId, backend, address, credentials, ami } = draft;
  ensureSound(draft);
  const details = { ...draft.details, ...(ami === undefined ? {} : { ami: kernel.secrets.encrypt(ami) }) };
  return kernel
    .transaction(async ({ db }) => {
      const locations = await sites.listLocations(db, companyId);
      const wanted = draft.location;
      const location = locations.find(({ id, name }) => wanted === undefined || wanted === id || wanted === name);
      if (!location) throw new Fault('missing', `The company has no location "${wanted}"`);
      const sealed = credentials === undefined ? null : kernel.secrets.encrypt(credentials);
      const row = { id: newId(), uuid, companyId, locationId: location.id, backend, address, details };
      await sites.insertInstance(db, { ...row, credentials: sealed });
      if (backend === 'kamailio') await ensureOwnDomain(db, row);
      if (backend === 'asterisk-ari') await ensureOwnAsterisk(db, row);
      return { uuid, locationId: location.id };
    })
    .catch(ifDuplicate((cause) => new Fault('conflict', `There is an instance ${uuid} already`, { cause })));
}

function ensureSound({
  backend,
  address,
  details = {},
  ami,
}: Omit<InstanceChange, 'credentials'> & { backend: Backend }) {
  ensure(
    address === undefined || URL.canParse(address),
    new Fault('invalid', `"${address}" is no address: http://host:port`),
  );
  const { codecs, emergency } = details;
  const noNumbers = new Fault('invalid', `"${emergency}" is no list of emergency numbers: 112,911`);
  ensure(emergency === undefined || EMERGENCY_LIST.test(emergency), noNumbers);
  const noCodecs = new Fault('invalid', `"${codecs}" is no list of codecs: ulaw,alaw,g722`);
  ensure(codecs === undefined || codecs === '' || isCodecList(codecs), noCodecs);
  const { domain } = details;
  ensure(domain === undefined || DOMAIN.test(domain), new Fault('invalid', `"${domain}" is no name of a domain`));
  if (ami === undefined || ami === null) return;
  ensure(backend === 'asterisk-ari', new Fault('invalid', 'Only an Asterisk has an AMI'));
  ensure(/^[^:\s]+:\S+$/.test(ami), new Fault('invalid', 'The AMI user is not like user:secret'));
}

/** Extensions are named by it, in places where nothing else is allowed. */
const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]{0,98}[a-z0-9])?$/;

/** Changes how a PBX is spoken to. What it holds of the extensions is compared the next time. */
export function changeInstance({ transaction, secrets }: Storage, uuid: string, change: InstanceChange): Promise<void> {
  return transaction(async (tx) => {
    const { db } = tx;
    const before = await sites.lockInstance(db, uuid.toLowerCase());
    if (!before) throw new Fault('missing', `There is no instance ${uuid}`);
    ensureSound({ ...change, backend: before.backend });
    const after = changed(before, change, secrets);
    await sites.updateInstance(db, after);
    if (change.address !== undefined) await moveNumbers(db, after);
    // What the PBX does by itself is told to it.
    if (change.details?.['emergency'] !== undefined) {
      pbxInstances.at(companyTenant(after.companyId), after.uuid).send(tx, { kind: 'comparison' });
    }
    const hasNewAmi = before.details['ami'] === undefined && after.details['ami'] !== undefined;
    await ensureOwnPlace(db, after, { isElsewhere: change.address !== undefined || hasNewAmi });
  });
}

function changed(
  before: sites.StoredInstance,
  change: InstanceChange,
  secrets: Storage['secrets'],
): sites.StoredInstance {
  const isNamed = before.details['domain'] !== undefined && change.details?.['external_domain'] !== undefined;
  ensure(!isNamed, new Fault('invalid', 'The extensions of this Asterisk are named by its domain, which stays'));
  const { ami: formerAmi, ...given } = { ...before.details, ...change.details };
  // An empty one is taken away.
  const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const ami =
    typeof change.ami === 'string' ? secrets.encrypt(change.ami) : change.ami === null ? undefined : formerAmi;
  return {
    ...before,
    address: change.address ?? before.address,
    details: ami === undefined ? kept : { ...kept, ami },
    credentials: change.credentials === undefined ? before.credentials : secrets.encrypt(change.credentials),
  };
}

/** What was refused to a new one is let be where it is already. */
async function ensureOwnPlace(
  db: Tx['db'],
  instance: sites.StoredInstance,
  { isElsewhere }: { readonly isElsewhere: boolean },
): Promise<void> {
  if (instance.backend === 'kamailio') await ensureOwnDomain(db, instance);
  if (instance.backend === 'asterisk-ari' && isElsewhere) await ensureOwnAsterisk(db, instance);
}

async function moveNumbers(db: Tx['db'], instance: Pick<Instance, 'uuid' | 'address'>): Promise<void> {
  await arrangements
    .moveNumbers(db, instance)
    .catch(
      ifDuplicate(
        (cause) => new Fault('conflict', 'Another instance at that address has one of its numbers', { cause }),
      ),
    );
}

/**
 * Two instances on one Asterisk without a domain would overwrite each other's extensions and settings, and so would two of
 * one domain.
 */
async function ensureOwnAsterisk(
  db: Tx['db'],
  { uuid, address, details }: Pick<Instance, 'uuid' | 'address' | 'details'>,
): Promise<void> {
  const own = spaceOf({ uuid, details });
  const all = await sites.lockInstancesOf(db, 'asterisk-ari');
  const other = all.find(
    (each) => each.uuid !== uuid && placeOf(each.address) === placeOf(address) && isSame(own, spaceOf(each)),
  );
  if (!other) return;
  const whose = `instance ${other.uuid} of ${other.companyName}`;
  throw new Fault(
    'conflict',
    own.domain === undefined
      ? `The extensions of this Asterisk are those of the ${whose}: give each further company a domain (--domain)`
      : `The domain ${own.domain} on this Asterisk is that of the ${whose}: give each company its own`,
  );
}

/** Without the part that the driver adds itself. */
function placeOf(address: string): string {
  const { host, pathname } = new URL(address);
  return host + pathname.replace(/\/(ari\/?)?$/, '');
}

const isSame = (one: Space, other: Space): boolean => one.code === other.code || one.domain === other.domain;

/**
 * Refuses a Kamailio domain that another instance uses. Kamailio identifies subscribers by number and domain only, so
 * instances with one domain would overwrite each other. The address is ignored, because one database can have many
 * names.
 */
async function ensureOwnDomain(db: Tx['db'], { uuid, details }: Pick<Instance, 'uuid' | 'details'>): Promise<void> {
  const domain = domainOf(details);
  ensure(domain !== '', new Fault('invalid', 'A Kamailio needs a domain: phones register there'));
  const all = await sites.lockInstancesOf(db, 'kamailio');
  const other = all.find((each) => each.uuid !== uuid && domainOf(each.details) === domain);
  if (!other) return;
  const whose = `instance ${other.uuid} of ${other.companyName}`;
  throw new Fault('conflict', `The domain ${domain} is that of the ${whose}: give each Kamailio its own`);
}

/** Host names ignore case and a trailing dot. */
const domainOf = (details: Instance['details']): string =>
  (details['external_domain'] ?? '').trim().toLowerCase().replace(/\.$/, '');

const RELOAD_WAITS =
  'The last changes take effect on this PBX by a reload that is not over yet; try again in a moment. ' +
  'If the PBX is gone for good, --drop-reload removes it without';

/** Refuses while changes wait for a reload, without which phones keep deleted extensions; `dropReload` overrides. */
export function removeInstance(
  transaction: Transact,
  uuid: string,
  { dropReload = false }: { readonly dropReload?: boolean } = {},
): Promise<void> {
  return transaction(async ({ db }) => {
    const instance = await sites.instanceByUuid(db, uuid.toLowerCase());
    if (!instance) throw new Fault('missing', `There is no instance ${uuid}`);
    const isUsed = await extensions.isOnInstance(db, instance.uuid);
    ensure(!isUsed, new Fault('forbidden', 'There are extensions on this instance; remove them first'));
    const isArranged = await arrangements.isOnInstance(db, instance.uuid);
    ensure(!isArranged, new Fault('forbidden', 'There are ring groups or numbers on this instance; remove them first'));
    const isWaiting = !dropReload && reloads.isPending(await reloads.byInstance(db, instance.uuid));
    ensure(!isWaiting, new Fault('forbidden', RELOAD_WAITS));
    await drift.remove(db, instance.uuid);
    await reloads.remove(db, instance.uuid);
    await sites.removeInstance(db, instance.uuid);
  });
}
