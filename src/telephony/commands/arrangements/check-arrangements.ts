/** Refuses ring groups, numbers and forwards that the PBX does not have, and those that lead to nothing. */
import { ensure } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import {
  destinationsOf,
  nameOf,
  type Arrangement,
  type ArrangementKind,
  type Destination,
} from '../../model/arrangements/arrangement';
import { hasMailbox } from '../../model/extensions/call-settings';
import { invalid } from '../../model/faults';
import { BACKEND_ARRANGEMENTS, kindOf } from '../../model/sites/backends';
import type { Instance } from '../../model/sites/site';
import * as arrangements from '../../store/arrangements/arrangements';
import * as extensions from '../../store/extensions/extensions';

const WORDS: Readonly<Record<ArrangementKind, string>> = {
  'ring-group': 'ring groups',
  number: 'numbers from outside',
  forwards: 'forwards',
};

export function ensureArrangeable(instance: Instance, kind: ArrangementKind): void {
  const backend = kindOf(instance);
  const isThere = BACKEND_ARRANGEMENTS[backend].includes(kind);
  ensure(isThere, invalid(`this kind of PBX (${backend}) does not take ${WORDS[kind]}`));
}

// oxlint-disable-next-line max-params -- where it leads from, and where to
export async function ensureDestination(
  db: Database,
  instance: string,
  field: string,
  { type, number }: Destination,
  of?: number,
): Promise<void> {
  if (type === 'busy' || type === 'hangup') {
    ensure(number === null, invalid(`${field}.number: "${type}" has none`));
    return;
  }
  if (number === null) throw invalid(`${field}.number: is required`);
  if (type === 'ring_group') {
    ensure(number !== of, invalid(`${field}: the ring group leads to itself`));
    const group = await arrangements.byNumber(db, { instance, kind: 'ring-group', number });
    ensure(group?.isVisible === true, invalid(`${field}: there is no ring group ${number} on this instance`));
    return;
  }
  const extension = await extensions.byNumber(db, instance, number);
  if (!extension?.isVisible) throw invalid(`${field}: there is no extension ${number} on this instance`);
  const isReachable = type === 'extension' || hasMailbox(extension.data);
  ensure(isReachable, invalid(`${field}: the extension ${number} has no mailbox`));
}

/** A member is an extension or a number outside: the PBX would look for a ring group outside. */
export async function ensureMembers(db: Database, instance: string, members: readonly string[]): Promise<void> {
  ensure(new Set(members).size === members.length, invalid('members: one is named twice'));
  const groups = (await arrangements.ofInstance(db, instance)).filter(({ kind }) => kind === 'ring-group');
  const group = members.find((member) => groups.some(({ number }) => String(number) === member));
  ensure(group === undefined, invalid(`members: ${group} is a ring group`));
}

/** What leads to a ring group, by name. */
export async function usersOfGroup(db: Database, { instance, number }: Arrangement): Promise<string[]> {
  const all = await arrangements.ofInstance(db, instance);
  const leadsThere = ({ type, number: to }: Destination): boolean => type === 'ring_group' && to === number;
  return all.filter((each) => destinationsOf(each).some(leadsThere)).map((each) => nameOf(each.kind, each.number));
}
