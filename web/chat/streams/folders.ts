/** The organisation's folders of streams. */
import type { Change } from '../events/apply-change';

export interface Folder {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly order: number;
  readonly is_archived: boolean;
}

/** In their order, archived ones too. A node of an earlier release has none. */
export const foldersFrom = (given: unknown): readonly Folder[] =>
  [...((given as readonly Folder[] | undefined) ?? [])].sort((a, b) => a.order - b.order);

type Edit = (folders: readonly Folder[], event: Readonly<Record<string, unknown>>) => readonly Folder[];

const EDITS: Readonly<Record<string, Edit>> = {
  add: (folders, event) => {
    const added = event['channel_folder'] as Folder;
    return [...folders.filter(({ id }) => id !== added.id), added];
  },
  update: (folders, event) =>
    folders.map((each) => (each.id === event['channel_folder_id'] ? { ...each, ...(event['data'] as object) } : each)),
  reorder: (folders, event) => {
    const order = event['order'] as readonly number[];
    return folders.map((each) => ({ ...each, order: order.indexOf(each.id) }));
  },
};

const channelFolder: Change = ({ folders }, event) => ({
  folders: foldersFrom(EDITS[event.op ?? '']?.(folders, event) ?? folders),
});

export const FOLDER_CHANGES: Readonly<Record<string, Change>> = { channel_folder: channelFolder };
