/** Creates streams, if the user may, and publishes them to everyone who can see them. */
import type { Clock } from '../../../kernel/clock';
import type { Tx } from '../../../kernel/mysql/transaction';
import { renderDescription } from '../../model/markdown/render';
import type { Stream } from '../../model/streams/stream';
import { adminsAmong, streamEvent, type Roles } from '../../model/streams/stream-events';
import { mayNotCreateStreams, mayNotCreateSuchStreams } from '../../model/streams/stream-faults';
import { isAdmin, mayCreateStreams } from '../../model/streams/stream-policy';
import type { User } from '../../model/users/user';
import * as realms from '../../store/organisation/realms';
import * as streams from '../../store/streams/streams';

export interface StreamDraft {
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  /** Only private streams have a choice. */
  readonly isHistoryPublic: boolean | undefined;
}

export async function createStreams(
  tx: Tx,
  clock: Clock,
  by: User,
  { drafts, roles }: { drafts: readonly StreamDraft[]; roles: Roles },
): Promise<Stream[]> {
  if (drafts.length === 0) return [];
  const realm = await realms.byId(tx.db, by.realmId);
  if (!realm || !mayCreateStreams(by, realm.settings, clock.now())) throw mayNotCreateStreams();
  if (drafts.some((draft) => draft.isAnnouncementOnly) && !isAdmin(by)) throw mayNotCreateSuchStreams();
  const ids = await streams.insertAll(
    tx.db,
    drafts.map((draft) => ({
      realmId: by.realmId,
      name: draft.name,
      description: draft.description,
      renderedDescription: renderDescription(draft.description),
      isPrivate: draft.isPrivate,
      isAnnouncementOnly: draft.isAnnouncementOnly,
      isHistoryPublic: isHistoryPublic(draft.isPrivate, draft.isHistoryPublic),
      isDefault: false,
    })),
  );
  const created = await streams.byIds(tx.db, by.realmId, ids);
  const deliveries = [
    ...streamEvent(
      'create',
      'members',
      created.filter(({ isPrivate }) => !isPrivate),
    ),
    ...streamEvent(
      'create',
      adminsAmong(roles),
      created.filter(({ isPrivate }) => isPrivate),
    ),
  ];
  for (const delivery of deliveries) tx.deliver(delivery);
  return created;
}

/** A public stream's history is always public. */
export const isHistoryPublic = (isPrivate: boolean, wanted: boolean | undefined): boolean =>
  !isPrivate || (wanted ?? false);
