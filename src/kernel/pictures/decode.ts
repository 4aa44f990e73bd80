/** Decodes an image of any common format and re-encodes it in other sizes: only the pixels are kept. */
import sharp from 'sharp';
import type { MadePicture, PictureRecipe, PictureRefusal, PictureSize } from './recipe';

/** A phone's camera takes 48 million. A pixel takes four bytes of memory while it is decoded. */
const MAX_PIXELS = 50_000_000;
/** An animation of more frames becomes a still image. */
const MAX_FRAMES = 200;
const JPEG_QUALITY = 80;

/** As sharp names them. SVG is excluded, because it is a program that draws an image. */
const FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'gif', 'webp', 'heif', 'tiff']);
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'];
const ANIMATED: ReadonlySet<string> = new Set(['gif', 'webp']);

/** Blocks all other loaders and libvips' cache: only for a process that does nothing else. */
export function limitDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
  sharp.cache(false);
  sharp.concurrency(1);
}

export async function makePictures(
  bytes: Buffer,
  { sizes, format, animation }: PictureRecipe,
): Promise<MadePicture[] | PictureRefusal> {
  // Reads only the header of the file, so a decompression bomb is refused before it is decoded.
  const facts = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (!FORMATS.has(facts.format)) return 'unreadable';
  const pixels = facts.width * facts.height;
  if (pixels > MAX_PIXELS) return 'too-large';
  const frames = framesOf(facts);
  if (frames > 1 && animation === 'refuse') return 'animated';
  const isAnimated = animation === 'keep' && isBoundedAnimation(frames, pixels);
  const extension = isAnimated ? 'gif' : extensionOf(format, facts.hasAlpha);
  const made: MadePicture[] = [];
  // One after the other, so that memory holds the pixels of one image.
  for (const size of sizes) {
    made.push({ extension, bytes: await ENCODERS[extension](resized(bytes, size, isAnimated)).toBuffer() });
  }
  return made;
}

function extensionOf(format: PictureRecipe['format'], hasAlpha: boolean): MadePicture['extension'] {
  if (format !== 'any') return format;
  return hasAlpha ? 'png' : 'jpg';
}

/** Pages of other formats are no animation. */
const framesOf = ({ format, pages = 1 }: sharp.Metadata): number => (ANIMATED.has(format) ? pages : 1);

const isBoundedAnimation = (frames: number, pixels: number): boolean =>
  frames > 1 && frames <= MAX_FRAMES && pixels * frames <= MAX_PIXELS;

const ENCODERS: Readonly<Record<MadePicture['extension'], (picture: sharp.Sharp) => sharp.Sharp>> = {
  gif: (picture) => picture.gif(),
  png: (picture) => picture.png(),
  jpg: (picture) => picture.jpeg({ quality: JPEG_QUALITY }),
  webp: (picture) => picture.webp({ quality: JPEG_QUALITY }),
};

function resized(bytes: Buffer, { width, height, fit }: PictureSize, isAnimated: boolean): sharp.Sharp {
  const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', animated: isAnimated });
  // Frames of an animation carry no orientation.
  const upright = isAnimated ? picture : picture.autoOrient();
  return upright.resize({ width, height, fit, withoutEnlargement: fit === 'inside' });
}
