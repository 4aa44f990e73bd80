import { pictureFacts } from '../../../src/kernel/files/picture-size';
import { animation, rectangle } from '../../support/pictures';

const facts = (width: number, height: number, isAnimated = false) => ({ width, height, isAnimated });

describe('The size of a picture from its first bytes', () => {
  test.each([
    ['a PNG', () => rectangle(300, 20).png()],
    ['a JPEG', () => rectangle(300, 20).jpeg()],
    ['a progressive JPEG', () => rectangle(300, 20).jpeg({ progressive: true })],
    ['a GIF', () => rectangle(300, 20).gif()],
    ['a lossy WebP', () => rectangle(300, 20).webp()],
    ['a lossless WebP', () => rectangle(300, 20).webp({ lossless: true })],
    ['a transparent WebP', () => rectangle(300, 20).ensureAlpha(0.5).webp()],
  ])('%s', async (_, make) => {
    expect(pictureFacts(await make().toBuffer())).toEqual(facts(300, 20));
  });

  test('A photograph that was taken upright is shown upright', async () => {
    const turned = await rectangle(300, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(pictureFacts(turned)).toEqual(facts(20, 300));
    const start = turned.indexOf('Exif') - 2;
    const end = start + turned.readUInt16BE(start);
    const others = Buffer.from('\xff\xe1\x00\x1fhttp://ns.adobe.com/xap/1.0/\0', 'latin1');
    expect(pictureFacts(Buffer.concat([turned.subarray(0, end), others, turned.subarray(end)]))).toEqual(
      facts(20, 300),
    );
    const headFirst = await rectangle(300, 20).withMetadata({ orientation: 3 }).jpeg().toBuffer();
    expect(pictureFacts(headFirst)).toEqual(facts(300, 20));
  });

  test('Animations are known as such', async () => {
    expect(pictureFacts(await (await animation(40, 30, 3)).gif().toBuffer())).toEqual(facts(40, 30, true));
    expect(pictureFacts(await (await animation(40, 30, 3)).webp().toBuffer())).toEqual(facts(40, 30, true));
  });

  test('Notes of a camera that claim more entries than they have take no longer than others', () => {
    // A megabyte of notes without entries, each of which claims 65,535 of them.
    const notes = Buffer.from('ffe10010457869660000ffff002a00000000', 'hex');
    const file = Buffer.concat([Buffer.from('ffd8', 'hex'), ...Array.from({ length: 58_000 }, () => notes)]);
    const began = performance.now();
    expect(pictureFacts(file)).toBeUndefined();
    // It took a quarter of an hour.
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('Files that end anywhere, and other files, say nothing or the truth', async () => {
    for (const whole of [
      await rectangle(300, 20).withMetadata({ orientation: 3 }).jpeg().toBuffer(),
      await rectangle(300, 20).gif().toBuffer(),
      await rectangle(300, 20).webp().toBuffer(),
      await rectangle(300, 20).png().toBuffer(),
    ]) {
      for (let end = 0; end < Math.min(whole.length, 400); end += 1) {
        expect([undefined, facts(300, 20)]).toContainEqual(pictureFacts(whole.subarray(0, end)));
      }
    }
    expect(pictureFacts(Buffer.from('words'))).toBeUndefined();
    expect(pictureFacts(Buffer.from('89504e470d0a1a0a0000000d494844520000000000000001', 'hex'))).toBeUndefined();
  });
});
