/** Folders of streams: an administrator's order for the streams of an organisation. */
import { ensure } from '../../../kernel/fault';
import type { Wire } from '../../../kernel/text/wire';
import type { streamFolder } from '../answers/stream-folders';
import { badRequest, plain } from '../faults';
import { checkLength } from '../text-length';
import type { UserId } from '../users/user';

declare const folder: unique symbol;
export type FolderId = number & { readonly [folder]: true };

export interface StreamFolder {
  readonly id: FolderId;
  readonly name: string;
  readonly description: string;
  readonly renderedDescription: string;
  /** Folders are shown in the order of their places. */
  readonly place: number;
  /** Nothing can be put into it, and lists leave it out. It is empty. */
  readonly isArchived: boolean;
  readonly creatorId: UserId | null;
  /** Seconds. */
  readonly createdAt: number;
}

/** As Zulip has them. Clients learn them at registration. */
export const FOLDER_NAME_LENGTH = 60;
export const FOLDER_DESCRIPTION_LENGTH = 1024;
/** Archived ones too. Everybody gets all folders at each registration. */
export const MAX_FOLDERS = 200;

export const noSuchFolder = () => badRequest('Invalid channel folder ID');
export const folderNameTaken = () => badRequest('Channel folder name already in use');
export const folderWithoutName = () => badRequest("Channel folder name can't be empty.");
export const folderInUse = () => badRequest('You need to remove all the channels from this folder to archive it.');
export const badFolderOrder = () => badRequest('Invalid order mapping.');
export const tooManyFolders = () => plain(`An organization has at most ${MAX_FOLDERS} channel folders`);

/** Returns the name as it is stored. */
export function checkFolderName(written: string): string {
  const name = written.trim();
  ensure(name !== '', folderWithoutName());
  checkLength('name', name, FOLDER_NAME_LENGTH);
  // oxlint-disable-next-line no-control-regex -- these are what a name may not have
  const at = name.search(/[\u0000-\u001f\u007f-\u009f]/);
  ensure(at === -1, badRequest(`Invalid character in channel folder name, at position ${at + 1}.`));
  return name;
}

export const checkFolderDescription = (written: string): void =>
  checkLength('description', written, FOLDER_DESCRIPTION_LENGTH);

export const wireFolder = (each: StreamFolder): Wire<typeof streamFolder> => ({
  id: each.id,
  name: each.name,
  description: each.description,
  rendered_description: each.renderedDescription,
  order: each.place,
  date_created: each.createdAt,
  creator_id: each.creatorId,
  is_archived: each.isArchived,
});
