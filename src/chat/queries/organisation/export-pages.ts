/** JSON files of an archive: one value per file, or many values in numbered files, one per line. */
import type { TarEntry } from '../../../kernel/files/tar';

const entryOf = (name: string, text: string): TarEntry => {
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, content: [bytes] };
};

export const jsonEntry = (name: string, value: unknown): TarEntry =>
  entryOf(name, `${JSON.stringify(value, null, 1)}\n`);

export const numbered = (folder: string, number: number): string => `${folder}/${String(number).padStart(6, '0')}.json`;

/** Size limit of a numbered file, in characters: only one file at a time is in memory. */
const FILE_LENGTH = 1024 * 1024;

export async function* jsonPages(folder: string, values: AsyncIterable<object>): AsyncGenerator<TarEntry> {
  let [number, lines, length]: [number, string[], number] = [1, [], 0];
  const page = () => entryOf(numbered(folder, number), `[\n${lines.join(',\n')}\n]\n`);
  for await (const value of values) {
    const line = JSON.stringify(value);
    lines.push(line);
    length += line.length;
    if (length < FILE_LENGTH) continue;
    yield page();
    [number, lines, length] = [number + 1, [], 0];
  }
  if (lines.length > 0) yield page();
}
