/** What requests for files and pictures may be refused with, by route. */
import type { Fault } from '../../kernel/fault';
import { MOST_PICTURE_MEGABYTES } from '../model/picture-recipes';
import {
  adminsOnly,
  avatarChangesDisabled,
  exactlyOne,
  fileTooLarge,
  imageTooLarge,
  noSuchFile,
  notAnImage,
} from '../model/user-faults';

/** Of every route that takes a picture. */
export const PICTURE_REFUSALS: readonly Fault[] = [notAnImage(), imageTooLarge(), fileTooLarge(MOST_PICTURE_MEGABYTES)];

export const FILE_REFUSALS: Readonly<Record<string, readonly Fault[]>> = {
  'post /users/me/avatar': [exactlyOne('avatar'), avatarChangesDisabled(), ...PICTURE_REFUSALS],
  'delete /users/me/avatar': [avatarChangesDisabled()],
  'post /realm/icon': [adminsOnly(), exactlyOne('icon'), ...PICTURE_REFUSALS],
  'delete /realm/icon': [adminsOnly()],
  'post /realm/logo': [adminsOnly(), exactlyOne('logo'), ...PICTURE_REFUSALS],
  'delete /realm/logo': [adminsOnly()],
  'get /:realm_id/:shelf/:token/:name': [noSuchFile()],
  'get /:realm_id/emoji/images/:file': [noSuchFile()],
  'get /:realm_id/realm/:file': [noSuchFile()],
  'get /:realm_id/:file': [noSuchFile()],
  'get /:file': [noSuchFile()],
  'get /images-google-64/:file': [noSuchFile()],
  'get /images/emoji/unicode/:file': [noSuchFile()],
  'get /images/emoji/:file': [noSuchFile()],
};
