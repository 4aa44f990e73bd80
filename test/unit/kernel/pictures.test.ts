import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { ANYBODY } from '../../../src/kernel/admission/gate';
import { openPictures, type PictureOptions, type Pictures } from '../../../src/kernel/pictures/pictures';
import type { MadePicture, PictureRecipe } from '../../../src/kernel/pictures/recipe';
import { amidCollections } from '../../support/garbage';
import { animation, bomb, delays, PNG, rectangle } from '../../support/pictures';

const directory = mkdtempSync(join(tmpdir(), 'pictures-'));
const opened: Pictures[] = [];
afterEach(() => opened.splice(0).forEach((pictures) => pictures.close()));
afterAll(() => rmSync(directory, { recursive: true }));

function open(options: PictureOptions = {}): Pictures {
  const pictures = openPictures(options);
  opened.push(pictures);
  return pictures;
}

const SQUARE: PictureRecipe = {
  sizes: [{ width: 40, height: 40, fit: 'cover' }],
  format: 'png',
  animation: 'still',
};
const EMOJI: PictureRecipe = { ...SQUARE, animation: 'keep' };
const INSIDE: PictureRecipe = {
  sizes: [{ width: 100, height: 30, fit: 'inside' }],
  format: 'any',
  animation: 'refuse',
};

const make = (bytes: Buffer | string, recipe: PictureRecipe, options?: PictureOptions) =>
  open(options).make(() => Readable.from([bytes]), recipe, ANYBODY);

async function made(bytes: Buffer, recipe: PictureRecipe): Promise<MadePicture[]> {
  const result = await make(bytes, recipe);
  if (typeof result === 'string') throw new Error(result);
  return result;
}

/** Another program in place of the decoder. */
function program(name: string, text: string): string {
  const path = join(directory, `${name}.js`);
  writeFileSync(path, text);
  return path;
}

test.each(['png', 'jpeg', 'gif', 'webp', 'avif', 'tiff'] as const)(
  'An image in %s is converted to a PNG of the requested size',
  async (format) => {
    const [picture] = await made(await rectangle(60, 20).toFormat(format).toBuffer(), SQUARE);
    expect(picture!.extension).toBe('png');
    expect(await sharp(picture!.bytes).metadata()).toMatchObject({ format: 'png', width: 40, height: 40 });
  },
);

test('Every size of a recipe is made from one image', async () => {
  const sizes = [10, 30].map((side) => ({ width: side, height: side, fit: 'cover' as const }));
  const pictures = await made(PNG, { ...SQUARE, sizes });
  const found = await Promise.all(pictures.map(({ bytes }) => sharp(bytes).metadata()));
  expect(found.map(({ width, height }) => [width, height])).toEqual([
    [10, 10],
    [30, 30],
  ]);
});

test('An image fitted into a size keeps its shape, is never enlarged, and is a JPEG unless transparent', async () => {
  const [small] = await made(await rectangle(20, 10).png().toBuffer(), INSIDE);
  expect(small!.extension).toBe('jpg');
  expect(await sharp(small!.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 20, height: 10 });
  const [tall] = await made(await rectangle(200, 300).ensureAlpha(0.5).png().toBuffer(), INSIDE);
  expect(tall!.extension).toBe('png');
  expect(await sharp(tall!.bytes).metadata()).toMatchObject({ format: 'png', width: 20, height: 30 });
});

test('The metadata of a photograph are removed, and the photograph is rotated upright', async () => {
  const photograph = rectangle(90, 30).withExif({ IFD0: { Copyright: 'Somebody at home' } });
  const bytes = await photograph.withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect((await sharp(bytes).metadata()).exif).toBeDefined();
  const [picture] = await made(bytes, INSIDE);
  const facts = await sharp(picture!.bytes).metadata();
  expect(facts).toMatchObject({ width: 10, height: 30 });
  expect([facts.exif, facts.orientation]).toEqual([undefined, undefined]);
});

test('An animation stays animated if the recipe keeps animations, with the duration of every frame', async () => {
  const gif = await (await animation(50, 50, 5)).gif({ delay: delays(5), loop: 0 }).toBuffer();
  const [picture] = await made(gif, EMOJI);
  expect(picture!.extension).toBe('gif');
  const facts = await sharp(picture!.bytes, { animated: true }).metadata();
  expect(facts).toMatchObject({ width: 40, pageHeight: 40, pages: 5, delay: delays(5), loop: 0 });
});

test('An animated WebP becomes an animated GIF, which every client shows', async () => {
  const webp = await (await animation(50, 50, 3)).webp({ delay: delays(3) }).toBuffer();
  const [picture] = await made(webp, EMOJI);
  expect(await sharp(picture!.bytes).metadata()).toMatchObject({ format: 'gif', pages: 3 });
});

test('An animation with too many frames becomes a still image', async () => {
  const gif = await (await animation(4, 4, 201)).gif().toBuffer();
  expect(await sharp(gif).metadata()).toMatchObject({ pages: 201 });
  const [picture] = await made(gif, EMOJI);
  expect(await sharp(picture!.bytes).metadata()).toMatchObject({ format: 'png', width: 40, height: 40 });
});

test('A recipe may refuse animations or use their first frame', async () => {
  const gif = await (await animation(50, 50, 3)).gif().toBuffer();
  expect(await make(gif, INSIDE)).toBe('animated');
  expect(await make(gif, SQUARE)).toMatchObject([{ extension: 'png' }]);
});

test('A small file that would decode to a huge image is refused before it is decoded', async () => {
  const bytes = bomb(20_000, 20_000);
  expect(bytes.length).toBeLessThan(100_000);
  expect(await make(bytes, SQUARE)).toBe('too-large');
});

test.each([
  ['text', 'no picture at all'],
  ['nothing', ''],
  ['the beginning of a PNG', PNG.subarray(0, 30)],
  ['half a photograph', Buffer.from('ffd8ffe000104a464946', 'hex')],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'],
  ['PDF', '%PDF-1.4\n1 0 obj\n<<>>\nendobj\n'],
])('No image is made from %s', async (_, bytes) => {
  expect(await make(bytes, SQUARE)).toBe('unreadable');
});

test('A process that takes too long over an image is killed, and the next image is made', async () => {
  const slow = program('slow', 'process.stdin.resume(); setInterval(() => {}, 1000);');
  const late = amidCollections(make(PNG, SQUARE, { program: slow, limitMs: 300 }));
  await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await make(PNG, SQUARE)).toMatchObject([{ extension: 'png' }]);
});

test.each([
  ['crashes', 'process.kill(process.pid, "SIGSEGV");'],
  ['ends without a word', 'process.exit(3);'],
  ['writes without end', 'for (;;) require("node:fs").writeSync(1, Buffer.alloc(1024 * 1024));'],
])('A process that %s fails only its own image', async (name, text) => {
  const failing = program(name.replaceAll(' ', '-'), text);
  await expect(make(PNG, SQUARE, { program: failing })).rejects.toMatchObject({ kind: 'unavailable' });
});

test('The image process gets nothing of our environment', async () => {
  const prying = program(
    'prying',
    `process.stdin.resume(); process.stdin.on('end', () => {
       const names = Object.keys(process.env).filter((name) => name !== '__CF_USER_TEXT_ENCODING');
       process.stdout.write(JSON.stringify(names.length === 0 ? { made: [] } : { refused: names.join() }) + '\\n');
     });`,
  );
  expect(await make(PNG, SQUARE, { program: prying })).toEqual([]);
});

test('A source that fails while it is read passes its own error on', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield PNG.subarray(0, 10);
    await Promise.resolve();
    throw new Error('the disk is gone');
  }
  const failing = open().make(() => Readable.from(broken()), SQUARE, ANYBODY);
  await expect(failing).rejects.toThrow('the disk is gone');
});

test('Images are made a few at a time, and closing ends those under way and those that wait', async () => {
  const slow = program('slower', 'process.stdin.resume(); setInterval(() => {}, 1000);');
  const pictures = open({ program: slow, atOnce: 1 });
  let begun = 0;
  const source = () => {
    begun += 1;
    return Readable.from([PNG]);
  };
  const all = [1, 2, 3].map((caller) =>
    pictures
      .make(source, SQUARE, { caller: String(caller), address: '' })
      .catch((error: { kind: string }) => error.kind),
  );
  expect(begun).toBe(1);
  pictures.close();
  expect(await Promise.all(all)).toEqual(['unavailable', 'unavailable', 'unavailable']);
  expect(begun).toBe(1);
});
