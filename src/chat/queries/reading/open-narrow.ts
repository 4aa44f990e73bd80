/** Prepares a narrow for scanning in one round trip: resolves names, chooses drivers and sets a deadline. */
import type { Database } from '../../../kernel/mysql/pool';
import { known, runRead, together } from '../../../kernel/mysql/read-packet';
import type { Term } from '../../model/reading/narrow';
import { driversOf } from '../../model/reading/narrow-drivers';
import type { User } from '../../model/users/user';
import { mutedTopicsRead } from '../../store/reading/narrow-names';
import { positionsRead } from '../../store/reading/search';
import { narrowRead } from './resolve-narrow';
import { scanDeadline, type Scope } from './scan-messages';

export interface OpenScope extends Scope {
  /** The reader's muted topics; empty unless requested. */
  readonly mutedTopics: readonly number[];
}

export async function openNarrow(
  db: Database,
  by: User,
  terms: readonly Term[],
  wants: { readonly mutedTopics?: boolean } = {},
): Promise<OpenScope> {
  const { resolved, positions, mutedTopics } = await runRead(
    db,
    together({
      resolved: narrowRead(by, terms),
      positions: positionsRead(by.realmId),
      mutedTopics: wants.mutedTopics === true ? mutedTopicsRead(by.id) : known([]),
    }),
  );
  const drivers = driversOf(resolved.narrow, { ...resolved, ...positions });
  return { db, by, ...resolved, ...positions, drivers, mutedTopics, deadline: scanDeadline() };
}
