import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { tarBytes, type TarEntry } from '../../../src/kernel/files/tar';

const MODIFIED = new Date('2026-11-16T08:00:00Z');

// oxlint-disable-next-line typescript/require-await -- a stream of entries that are there already
async function* stream(entries: readonly TarEntry[]): AsyncGenerator<TarEntry> {
  yield* entries;
}

const entry = (name: string, ...pieces: readonly string[]): TarEntry => {
  const content = pieces.map((piece) => Buffer.from(piece));
  return { name, size: content.reduce((size, { length }) => size + length, 0), content };
};

const archive = (...entries: readonly TarEntry[]): Promise<Buffer> => buffer(tarBytes(stream(entries), MODIFIED));

test('The tar program unpacks an archive with every byte and the time of its files', async () => {
  const texts = { 'realm.json': '{}', 'messages/000001.json': 'x'.repeat(512), empty: '', 'files/7': 'ü'.repeat(999) };
  const folder = mkdtempSync(join(tmpdir(), 'tar-'));
  try {
    const bytes = await archive(...Object.entries(texts).map(([name, text]) => entry(name, text)));
    expect(bytes.length % 512).toBe(0);
    writeFileSync(join(folder, 'x.tar'), bytes);
    execFileSync('tar', ['-xf', 'x.tar'], { cwd: folder });
    for (const [name, text] of Object.entries(texts)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
    const listed = execFileSync('tar', ['--utc', '-tvf', 'x.tar'], { cwd: folder, encoding: 'utf8' });
    expect(listed).toMatch(/^-rw-r--r-- .* 2026-11-16 08:00 realm\.json$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('An entry may be written in pieces, but must have its declared size', async () => {
  const whole = await archive(entry('a', 'one two'));
  expect(await archive(entry('a', 'one ', 'two'))).toEqual(whole);
  await expect(archive({ ...entry('a', 'one'), size: 4 })).rejects.toThrow('a has 3 bytes, not 4');
});

test.each(['ä', 'a b', 'x'.repeat(101)])('The entry name %j is refused', async (name) => {
  await expect(archive(entry(name, ''))).rejects.toThrow('is no name for a tar entry');
});
