/** Folders of streams. */
import { flag, integer, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { createFolder, reorderFolders, updateFolder } from '../../commands/streams/edit-stream-folders';
import { DONE } from '../../model/answers/envelope';
import { foldersAnswer, newFolderAnswer } from '../../model/answers/stream-folders';
import {
  badFolderOrder,
  folderInUse,
  folderNameTaken,
  folderWithoutName,
  noSuchFolder,
  tooManyFolders,
} from '../../model/streams/stream-folder';
import type { User } from '../../model/users/user';
import { adminsOnly } from '../../model/users/user-faults';
import { listFolders } from '../../queries/streams/list-folders';
import { integers } from '../wire-params';

const { get, post, patch } = routesFor<User>();

export const streamFolderRoutes = [
  get('/channel_folders', {
    summary: 'Get the folders of streams, in their order',
    answer: foldersAnswer,
    params: { include_archived: flag.default(false) },
    run: async ({ kernel, by, params: { include_archived: withArchived } }) => ({
      channel_folders: await listFolders(kernel.mysql, by.realmId, withArchived),
    }),
  }),
  post('/channel_folders/create', {
    summary: 'Create a folder of streams; administrators only',
    answer: newFolderAnswer,
    refuses: [adminsOnly(), folderWithoutName(), folderNameTaken(), tooManyFolders()],
    params: { name: text, description: text.default('') },
    run: async ({ kernel, by, params }) => ({ channel_folder_id: await createFolder(kernel, by, params) }),
  }),
  patch('/channel_folders', {
    summary: 'Reorder the folders of streams; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), badFolderOrder()],
    params: { order: integers.meta({ description: 'The ids of all folders, archived ones too' }) },
    run: ({ kernel, by, params: { order } }) => reorderFolders(kernel, by, order),
  }),
  patch('/channel_folders/:channel_folder_id', {
    summary: 'Rename, describe, archive or unarchive a folder of streams; administrators only',
    answer: DONE,
    refuses: [adminsOnly(), noSuchFolder(), folderWithoutName(), folderNameTaken(), folderInUse()],
    params: {
      channel_folder_id: integer,
      name: text.optional(),
      description: text.optional(),
      is_archived: flag.optional(),
    },
    run: ({ kernel, by, params: { channel_folder_id: id, name, description, is_archived: isArchived } }) =>
      updateFolder(kernel, by, id, { name, description, isArchived }),
  }),
];
