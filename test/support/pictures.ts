/** Pictures to upload in tests: small, unusual and hostile ones. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** One red pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/** The address of another server that a path of this one stands for; empty if there is none. */
export function addressBehind(path: string | null): string {
  const [, hex = ''] = /^\/external_content\/[0-9a-f]{64}\/([0-9a-f]+)$/.exec(path ?? '') ?? [];
  return Buffer.from(hex, 'hex').toString();
}

export type Colour = 'red' | 'blue' | 'lime';

/** A rectangle of one colour. */
export const rectangle = (width: number, height: number, background: Colour = 'red'): sharp.Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

/** Each frame lasts a little longer than the one before. */
export async function animation(width: number, height: number, frames: number): Promise<sharp.Sharp> {
  const pictures = Array.from({ length: frames }, (_, at) =>
    sharp({ create: { width, height, channels: 4, background: { r: (at * 37) % 256, g: at % 256, b: 0, alpha: 1 } } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(pictures), { join: { animated: true } });
}

export const delays = (frames: number): number[] => Array.from({ length: frames }, (_, at) => 50 + 10 * at);

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG of one colour whose rows take a thousandth of their size in the file. */
export function bomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // One bit for each pixel, grey.
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 9 });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

export function formOf(...files: readonly (Uint8Array | string)[]): FormData {
  const form = new FormData();
  for (const [place, bytes] of files.entries()) form.append(`file-${place}`, new Blob([bytes as BlobPart]), 'picture');
  return form;
}
