/** Creates, renames, describes, orders and archives folders of streams, for administrators. */
import type { Clock } from '../../../kernel/clock';
import { ensure } from '../../../kernel/fault';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import type { Transact, Tx } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import { renderDescription } from '../../model/markdown/render';
import type { RealmId } from '../../model/organisation/realm';
import * as model from '../../model/streams/stream-folder';
import type { FolderId, StreamFolder } from '../../model/streams/stream-folder';
import type { User } from '../../model/users/user';
import { ensureAdmin } from '../../model/users/user-policy';
import * as realms from '../../store/organisation/realms';
import * as folders from '../../store/streams/stream-folders';

interface Parts {
  readonly transaction: Transact;
  readonly clock: Clock;
}

export interface FolderText {
  readonly name: string;
  readonly description: string;
}

/** The new folder is the last one. */
export async function createFolder({ transaction, clock }: Parts, by: User, text: FolderText): Promise<FolderId> {
  ensureAdmin(by);
  const name = model.checkFolderName(text.name);
  return changing(transaction, by.realmId, async (tx) => {
    const all = await folders.list(tx.db, by.realmId);
    ensure(all.length < model.MAX_FOLDERS, model.tooManyFolders());
    const draft = {
      name,
      ...described(text.description),
      place: (all.at(-1)?.place ?? -1) + 1,
      creatorId: by.id,
      createdAt: Math.floor(clock.now().getTime() / 1000),
    };
    const id = await folders.insert(tx.db, by.realmId, draft);
    const folder = model.wireFolder({ ...draft, id, isArchived: false });
    publish(tx, by.realmId, { op: 'add', channel_folder: folder });
    return id;
  });
}

export interface FolderChanges extends Partial<{ readonly [key in keyof FolderText]: string | undefined }> {
  readonly isArchived?: boolean | undefined;
}

export async function updateFolder(
  { transaction }: Pick<Parts, 'transaction'>,
  by: User,
  id: number,
  wanted: FolderChanges,
): Promise<void> {
  ensureAdmin(by);
  const name = wanted.name === undefined ? undefined : model.checkFolderName(wanted.name);
  await changing(transaction, by.realmId, async (tx) => {
    const folder = await folders.lock(tx.db, by.realmId, id);
    ensure(folder !== undefined, model.noSuchFolder());
    const changes = differences(folder, { ...wanted, name });
    if (Object.keys(changes).length === 0) return;
    if (changes.isArchived) ensure(!(await folders.isUsed(tx.db, by.realmId, folder.id)), model.folderInUse());
    await folders.update(tx.db, folder.id, changes);
    publish(tx, by.realmId, { op: 'update', channel_folder_id: folder.id, data: wireChanges(changes) });
  });
}

function differences(folder: StreamFolder, { name, description, isArchived }: FolderChanges): Partial<StreamFolder> {
  return {
    ...(name === undefined || name === folder.name ? {} : { name }),
    ...(description === undefined || description === folder.description ? {} : described(description)),
    ...(isArchived === undefined || isArchived === folder.isArchived ? {} : { isArchived }),
  };
}

function described(description: string): Pick<StreamFolder, 'description' | 'renderedDescription'> {
  model.checkFolderDescription(description);
  return { description, renderedDescription: renderDescription(description) };
}

/** JSON leaves out what is undefined. */
const wireChanges = (changes: Partial<StreamFolder>) => ({
  name: changes.name,
  description: changes.description,
  rendered_description: changes.renderedDescription,
  is_archived: changes.isArchived,
});

/** All folders must be named, archived ones too. */
export async function reorderFolders(
  { transaction }: Pick<Parts, 'transaction'>,
  by: User,
  order: readonly number[],
): Promise<void> {
  ensureAdmin(by);
  await changing(transaction, by.realmId, async (tx) => {
    const all = await folders.list(tx.db, by.realmId);
    const isWhole = all.length === order.length && all.every(({ id }) => order.includes(id));
    ensure(isWhole, model.badFolderOrder());
    if (all.length > 0) await folders.reorder(tx.db, by.realmId, order);
    publish(tx, by.realmId, { op: 'reorder', order });
  });
}

function publish(tx: Tx, realmId: RealmId, change: Readonly<Record<string, unknown>>): void {
  tx.deliver(eventDelivery(realmId, 'everyone', { type: 'channel_folder', ...change }));
}

/** The organisation is locked, so that places are unique and events keep the order of the changes. */
function changing<T>(transaction: Transact, realmId: RealmId, change: (tx: Tx) => Promise<T>): Promise<T> {
  const changed = transaction(async (tx) => {
    await realms.lock(tx.db, realmId);
    return change(tx);
  });
  return changed.catch(ifDuplicate(model.folderNameTaken));
}
