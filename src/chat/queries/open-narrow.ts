/** Makes a narrow ready to be walked: names looked up, runs chosen, a deadline set. */
import type { Kernel } from '../../kernel/kernel';
import type { Term } from '../model/narrow';
import { driversOf } from '../model/narrow-drivers';
import type { User } from '../model/user';
import { positions } from '../store/search';
import { resolveNarrow } from './resolve-narrow';
import { scanDeadline, type Scope } from './scan-messages';

export async function openNarrow(kernel: Kernel, by: User, terms: readonly Term[]): Promise<Scope> {
  const db = kernel.mysql;
  const { narrow, state } = await resolveNarrow(db, by, terms);
  const { head, indexedId } = await positions(db, by.realmId);
  const drivers = driversOf(narrow, { state, indexedId });
  return { db, by, narrow, state, drivers, head, indexedId, deadline: scanDeadline() };
}
