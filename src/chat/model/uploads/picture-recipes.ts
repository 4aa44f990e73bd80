/** How uploaded pictures are converted. The sizes are Zulip's. */
import type { PictureRecipe } from '../../../kernel/pictures/recipe';
import type { RealmPictureKind } from './realm-picture';

/** Size limit of an uploaded file, in megabytes. The initial state includes it. */
export const MAX_PICTURE_MEGABYTES = 5;

const square = (side: number) => ({ width: side, height: side, fit: 'cover' as const });
const still = { format: 'png', animation: 'still' } as const;

/** The small size, then the medium one. */
export const AVATAR: PictureRecipe = { ...still, sizes: [square(100), square(500)] };

export const EMOJI: PictureRecipe = { format: 'png', animation: 'keep', sizes: [square(64)] };

const LOGO: PictureRecipe = { ...still, sizes: [{ width: 800, height: 100, fit: 'inside' }] };

export const OF_REALM: Readonly<Record<RealmPictureKind, PictureRecipe>> = {
  icon: { ...still, sizes: [square(100)] },
  logo: LOGO,
  night_logo: LOGO,
};

/**
 * The smaller copies of uploaded pictures, which the chat page asks for by name: a few pixels that it blurs until the others
 * are there, for the list, for it on fine screens, to fill a screen.
 */
export const COPY_SIZES = ['tiny', 'small', 'medium', 'large'] as const;
export type CopySize = (typeof COPY_SIZES)[number];

/** In the order of the names. The second fits the room that the page gives a picture in the list. */
export const COPIES: PictureRecipe = {
  format: 'webp',
  animation: 'still',
  sizes: [
    { width: 24, height: 24, fit: 'inside' },
    { width: 320, height: 200, fit: 'inside' },
    { width: 960, height: 600, fit: 'inside' },
    { width: 1920, height: 1440, fit: 'inside' },
  ],
};

const [, ...SHOWN] = COPY_SIZES;

/** The copies by the names that today's clients know, which say what room they fill. The tiny one is for our page alone. */
export const THUMBNAIL_FORMATS = SHOWN.map((size) => {
  const { width, height } = COPIES.sizes[COPY_SIZES.indexOf(size)]!;
  const name = `${width}x${height}.webp`;
  return { size, wire: { name, max_width: width, max_height: height, format: 'webp', animated: false } };
});

/** For clients that ask for none by its name. */
export const USUAL_FORMAT = THUMBNAIL_FORMATS.find(({ size }) => size === 'medium')!.wire.name;

export const copyNamed = (name: string): CopySize | undefined =>
  THUMBNAIL_FORMATS.find(({ wire }) => wire.name === name)?.size;

/** Of Zulip 2.1. An animation is shown as uploaded: its thumbnail could be larger. */
export const THUMBNAIL: PictureRecipe = {
  format: 'any',
  animation: 'refuse',
  sizes: [{ width: 1200, height: 300, fit: 'inside' }],
};
