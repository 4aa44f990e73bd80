/** Schemas of folders of streams, under the names that today's Zulip gives them. */
import { z } from 'zod';

export const streamFolder = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    rendered_description: z.string(),
    order: z.int().meta({ description: 'Its place among the folders' }),
    date_created: z.int().meta({ description: 'Seconds' }),
    creator_id: z.int().nullable(),
    is_archived: z.boolean(),
  })
  .meta({ id: 'ChannelFolder' });

export const foldersAnswer = z.object({ channel_folders: z.array(streamFolder) });
export const newFolderAnswer = z.object({ channel_folder_id: z.int() });

/** In the initial state. */
export const folderState = {
  channel_folders: z.array(streamFolder).meta({ description: 'Archived ones too' }),
  max_channel_folder_name_length: z.int(),
  max_channel_folder_description_length: z.int(),
};
