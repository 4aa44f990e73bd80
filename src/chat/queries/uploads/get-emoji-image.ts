/** The image of an emoji: Unicode emoji come from a package, `:zulip:` from this repository. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { emojiByCode, emojiByName, ZULIP_EMOJI } from '../../model/markdown/emoji';

const FOLDER = join(dirname(require.resolve('emoji-datasource-google/package.json')), 'img/google/64');
const OWN = join(__dirname, '../../model/markdown/zulip.png');

/** By code (`1f44d`), or by any of its names. */
export async function getEmojiImage(codeOrName: string): Promise<Buffer | undefined> {
  if (codeOrName === ZULIP_EMOJI.name) return readFile(OWN);
  const emoji = emojiByCode(codeOrName) ?? emojiByName(codeOrName);
  return emoji && readFirst(filesOf(emoji.code));
}

/** Some of the package's names include the variation selector U+FE0F, which the table leaves out. */
const filesOf = (code: string): string[] => [code, `${code}-fe0f`, code.replace('-20e3', '-fe0f-20e3')];

async function readFirst(names: readonly string[]): Promise<Buffer | undefined> {
  for (const name of names) {
    try {
      return await readFile(join(FOLDER, `${name}.png`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}
