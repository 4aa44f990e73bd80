/** The organisation's own pictures: its icon, and its day and night logos. */
import { createHash } from 'node:crypto';
import type { Realm } from '../organisation/realm';

/** Names in the wire format, sometimes with a `realm_` prefix. */
export const REALM_PICTURES = ['icon', 'logo', 'night_logo'] as const;
export type RealmPictureKind = (typeof REALM_PICTURES)[number];

export interface RealmPicture {
  readonly isUploaded: boolean;
  /** Changes with the picture, so that caches do not show an old one. */
  readonly version: number;
}

export type RealmPictures = Readonly<Record<RealmPictureKind, RealmPicture>>;

const NEVER_SET: RealmPicture = { isUploaded: false, version: 1 };
const NONE: RealmPictures = { icon: NEVER_SET, logo: NEVER_SET, night_logo: NEVER_SET };

/** Only pictures that were ever set are stored. */
export const readPictures = (stored: string): RealmPictures => ({
  ...NONE,
  ...(JSON.parse(stored) as Partial<RealmPictures>),
});

export type PicturedRealm = Pick<Realm, 'id' | 'name' | 'pictures'>;

export function realmPictureUrl(realm: PicturedRealm, kind: RealmPictureKind): string {
  const { isUploaded, version } = realm.pictures[kind];
  if (isUploaded) return `/user_avatars/${realm.id}/realm/${kind}.png?version=${version}`;
  return kind === 'icon' ? defaultIcon(realm) : DEFAULT_LOGO;
}

/** From the default avatar service, which draws one for any hash. */
function defaultIcon({ id, name }: PicturedRealm): string {
  const hash = createHash('md5').update(`realm-${id}-${name}`).digest('hex');
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon`;
}

/** Zulip's file name; the picture is our own. */
export const DEFAULT_LOGO_FILE = 'zulip-org-logo.png';
const DEFAULT_LOGO = `/static/images/logo/${DEFAULT_LOGO_FILE}?version=0`;

/** `icon_url` and `icon_source`, and so on. */
export function realmPictureFields(realm: PicturedRealm, kind: RealmPictureKind): Record<string, string> {
  const otherwise = kind === 'icon' ? 'G' : 'D';
  return {
    [`${kind}_source`]: realm.pictures[kind].isUploaded ? 'U' : otherwise,
    [`${kind}_url`]: realmPictureUrl(realm, kind),
  };
}
