/** An organisation's custom emoji and linkifiers, in the wire format. */
import type { Kernel } from '../../../kernel/kernel';
import type { RealmId } from '../../model/organisation/realm';
import { wireEmoji } from '../../model/organisation/realm-emoji';
import * as linkifiers from '../../store/organisation/linkifiers';
import * as emoji from '../../store/organisation/realm-emoji';

type Reader = Pick<Kernel, 'mysql'>;

export const listRealmEmoji = async ({ mysql }: Reader, realmId: RealmId): Promise<Record<string, unknown>> =>
  wireEmoji(realmId, await emoji.list(mysql, realmId));

export const listLinkifiers = async ({ mysql }: Reader, realmId: RealmId): Promise<[string, string, number][]> =>
  (await linkifiers.list(mysql, realmId)).map(({ id, pattern, urlFormat }) => [pattern, urlFormat, id]);
