/** The newest mail that a development server shows instead of sending. */
import type { Database } from '../../kernel/mysql/pool';
import type { RealmId } from '../model/organisation/realm';
import * as mails from '../store/mail/mails';

const MAX = 50;

export interface Shown {
  readonly recipient: string;
  readonly text: string;
  readonly at: string;
}

export async function listShownMails(db: Database, realmId: RealmId): Promise<Shown[]> {
  const found = await mails.listShown(db, realmId, MAX);
  return found.map(({ recipient, shown, finishedAt }) => ({ recipient, text: shown, at: finishedAt.toISOString() }));
}
