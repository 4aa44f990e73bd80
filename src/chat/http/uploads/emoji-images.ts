/** Emoji images, at the URLs that clients and messages use. */
import { ensure } from '../../../kernel/fault';
import type { WireFormat } from '../../../kernel/http/wire-format';
import { FILE } from '../../../kernel/http/answers';
import { Download } from '../../../kernel/http/outgoing';
import { text } from '../../../kernel/http/params';
import { openRoutes } from '../../../kernel/http/route';
import type { Mount } from '../../../kernel/product';
import { fileHeaders } from '../../../kernel/files/stored-file';
import type { User } from '../../model/users/user';
import { noSuchFile } from '../../model/users/user-faults';
import { getEmojiImage } from '../../queries/uploads/get-emoji-image';

const image = (folder: string, summary: string) =>
  openRoutes.get(`/${folder}/:file`, {
    summary,
    answer: FILE,
    refuses: [noSuchFile()],
    params: { file: text },
    async run({ params: { file } }) {
      const bytes = file.endsWith('.png') ? await getEmojiImage(file.slice(0, -'.png'.length)) : undefined;
      ensure(bytes !== undefined, noSuchFile());
      const { type, headers } = fileHeaders({ name: file, type: 'image/png', size: bytes.length });
      return new Download(bytes, type, { ...headers, 'Cache-Control': 'public, max-age=31536000, immutable' });
    },
  });

export const emojiImageMount = (wireFormat: WireFormat<User>): Mount => ({
  prefix: '/static/generated/emoji',
  wireFormat,
  routes: [
    image('images-google-64', 'Get the picture of an emoji by its code'),
    image('images/emoji/unicode', 'Get the picture of an emoji by its code, at its older address'),
    image('images/emoji', 'Get the picture of an emoji by its name'),
  ],
});
