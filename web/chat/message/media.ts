/** Pictures, sound and film of messages: their room on the page, and which copy of a picture is loaded. */

/** The room of a picture in the list; its copies on the server are made for it. */
const ROOM = { width: 320, height: 200 };

const THUMBNAIL = /([?&]size=)thumbnail$/;

/** The path of another copy of an uploaded picture whose size is known; of other pictures there is only one. */
export function copyOf(image: Element, size: 'tiny' | 'small' | 'medium' | 'large'): string | undefined {
  const path = image.getAttribute('src') ?? '';
  return image.hasAttribute('data-original-dimensions') ? path.replace(/([?&]size=)\w+$/, `$1${size}`) : undefined;
}

/** Reserves the room of an uploaded picture, blurs a few pixels of it there, and chooses the copy that the screen can show. */
export function placePicture(image: HTMLImageElement): void {
  const [, width = '', height = ''] = /^(\d{1,5})x(\d{1,5})$/.exec(image.dataset['originalDimensions'] ?? '') ?? [];
  if (width === '' || !THUMBNAIL.test(image.getAttribute('src') ?? '')) return;
  const scale = Math.min(1, ROOM.width / Number(width), ROOM.height / Number(height));
  image.width = Math.max(1, Math.round(Number(width) * scale));
  image.height = Math.max(1, Math.round(Number(height) * scale));
  if (!image.hasAttribute('srcset')) blurUntilLoaded(image, copyOf(image, 'tiny')!);
  image.srcset = `${copyOf(image, 'small')} 1x, ${copyOf(image, 'medium')} 2x`;
}

/** The copy is tiny: it is there before the picture. */
export function blurUntilLoaded(image: HTMLImageElement, copy: string): void {
  image.style.backgroundImage = `url("${copy}")`;
  image.dataset['blurred'] = '';
}

/** A picture with clear parts would show what is behind it, and one that cannot be loaded has words in its place. */
function unblur({ target }: Event): void {
  if (!(target instanceof HTMLImageElement) || target.dataset['blurred'] === undefined) return;
  target.style.removeProperty('background-image');
  delete target.dataset['blurred'];
}

for (const event of ['load', 'error']) document.addEventListener(event, unblur, { capture: true });

/** An animation moves while it is pointed at or has the focus. */
export function animate(target: EventTarget | null, isMoving: boolean): void {
  const image = target instanceof Element ? target.closest('.message_inline_image > a')?.querySelector('img') : null;
  if (!image?.hasAttribute('data-animated')) return;
  if (isMoving) image.srcset = image.dataset['srcFullsize'] ?? '';
  else placePicture(image);
}

/** The browser's own controls; nothing is loaded of a sound before it is played, and the first picture of a film. */
export function preparePlayer(player: HTMLMediaElement, name: string): void {
  player.controls = true;
  player.preload = player.localName === 'audio' ? 'none' : 'metadata';
  if (name !== '') player.setAttribute('aria-label', name);
}
