/** The size of a picture, and whether it moves, from the first bytes of its file: nothing is decoded. */
import { pictureExtension } from './stored-file';

export interface PictureFacts {
  /** As it is shown: a camera that was held upright is taken into account. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

type Reader = (bytes: Buffer) => PictureFacts | undefined;

const READERS: Readonly<Record<string, Reader>> = { png: pngFacts, gif: gifFacts, jpg: jpegFacts, webp: webpFacts };

/** The file ended too early. */
const BEYOND = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS']);

/** No camera takes wider ones. Larger numbers are a mistake, or worse. */
const MAX_SIDE = 65_535;

/** Undefined if the bytes do not say it. They may be anything. */
export function pictureFacts(bytes: Buffer): PictureFacts | undefined {
  const read = READERS[pictureExtension(bytes) ?? ''];
  try {
    const facts = read?.(bytes);
    return facts && isSide(facts.width) && isSide(facts.height) ? facts : undefined;
  } catch (error) {
    if (BEYOND.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const isSide = (pixels: number): boolean => pixels >= 1 && pixels <= MAX_SIDE;

const still = (width: number, height: number): PictureFacts => ({ width, height, isAnimated: false });

function pngFacts(bytes: Buffer): PictureFacts {
  return still(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

function gifFacts(bytes: Buffer): PictureFacts {
  const facts = still(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  return { ...facts, isAnimated: framesOf(bytes) > 1 };
}

/** The bytes of a colour table, by the flags in front of it. */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** Counts to two: a second frame may lie beyond the bytes, and then the picture counts as a still one. */
function framesOf(bytes: Buffer): number {
  let frames = 0;
  let at = 13 + tableBytes(bytes.readUInt8(10));
  while (frames < 2 && at < bytes.length) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x21) at = afterBlocks(bytes, at + 2);
    else if (kind === 0x2c) {
      frames += 1;
      if (at + 10 >= bytes.length) break;
      at = afterBlocks(bytes, at + 11 + tableBytes(bytes.readUInt8(at + 9)));
    } else break;
  }
  return frames;
}

/** Each block begins with its length; an empty one is the last. */
function afterBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
  return at + 1;
}

function webpFacts(bytes: Buffer): PictureFacts | undefined {
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8 ') return still(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return still((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (kind !== 'VP8X') return undefined;
  const isAnimated = (bytes.readUInt8(20) & 2) !== 0;
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1, isAnimated };
}

/** Markers that are followed by the size, and those that look like them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const EXIF = 0xe1;

function jpegFacts(bytes: Buffer): PictureFacts | undefined {
  let isTurned = false;
  for (let at = 2; at < bytes.length;) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return isTurned ? still(height, width) : still(width, height);
    }
    const length = bytes.readUInt16BE(at + 2);
    // Other notes than a camera's may follow with the same marker.
    if (marker === EXIF) isTurned ||= orientationIn(bytes.subarray(at + 4, at + 2 + length)) >= 5;
    at += 2 + length;
  }
  return undefined;
}

const ORIENTATION = 0x0112;
const ENTRY_BYTES = 12;

/** 5 to 8 are turned by 90 degrees. Damaged notes of a camera do not hide the size. */
function orientationIn(exif: Buffer): number {
  if (exif.toString('latin1', 0, 6) !== 'Exif\0\0' || exif.length < 14) return 1;
  const notes = exif.subarray(6);
  const isLittle = notes.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number => {
    if (at + 2 > notes.length) return 0;
    return isLittle ? notes.readUInt16LE(at) : notes.readUInt16BE(at);
  };
  const first = isLittle ? notes.readUInt32LE(4) : notes.readUInt32BE(4);
  // The notes may claim more entries than they have room for.
  const end = Math.min(notes.length, first + 2 + short(first) * ENTRY_BYTES);
  for (let at = first + 2; at < end; at += ENTRY_BYTES) {
    if (short(at) === ORIENTATION) return short(at + 8);
  }
  return 1;
}
