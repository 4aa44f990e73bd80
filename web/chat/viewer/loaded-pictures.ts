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
    return {
      messageId,
      index,
      href: link.getAttribute('href') ?? small,
      shown: (image.hasAttribute('data-animated') ? undefined : copyOf(image, 'large')) ?? full,
      full,
      name: image.getAttribute('alt') ?? '',
    };
  });
}
