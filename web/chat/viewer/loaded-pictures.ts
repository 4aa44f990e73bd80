/** The pictures in the loaded messages of the view on the screen, in order. */
import { messageById } from '../data/messages';
import { copyOf } from '../message/media';
import { shownIds } from '../list/selection';
import { pictureLinks, safeNodes } from '../message/safe-html';

export interface LoadedPicture {
  readonly messageId: number;
  /** Its place among the pictures of its message. */
  readonly index: number;
  /** The target of its link. */
  readonly href: string;
  /** What is shown at first, and what it is made of. */
  readonly shown: string;
  /** What the list shows, so that it is there already; undefined if that is all there is. */
  readonly small?: string | undefined;
  /** If they are known. */
  readonly width?: number;
  readonly height?: number;
  readonly full: string;
  readonly name: string;
}

/** Only messages with a picture in their HTML are parsed. */
export const loadedPictures = (): readonly LoadedPicture[] => shownIds().flatMap(picturesOf);

function picturesOf(messageId: number): LoadedPicture[] {
  const html = messageById(messageId)?.content ?? '';
  if (!html.includes('message_inline_image')) return [];
  return pictureLinks(safeNodes(html)).map((link, index) => {
    const image = link.firstElementChild!;
    const small = image.getAttribute('src')!;
    const written = image.getAttribute('data-src-fullsize');
    const full = written?.startsWith('/') ? written : small;
    const [width = 0, height = 0] = (image.getAttribute('data-original-dimensions') ?? '').split('x').map(Number);
    return {
      messageId,
      index,
      href: link.getAttribute('href') ?? small,
      shown: (image.hasAttribute('data-animated') ? undefined : copyOf(image, 'large')) ?? full,
      full,
      name: image.getAttribute('alt') ?? '',
      ...(width > 0 && height > 0 && { small: copyOf(image, 'small'), width, height }),
    };
  });
}
