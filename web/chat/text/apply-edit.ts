/** Changes the text of a field as typing would, so that the browser can undo it. */
import type { Edit } from './formatting';

/** The only way that keeps the history of changes. Browsers without it get the text all the same. */
type Typing = { execCommand?: (name: string, showUi: boolean, text?: string) => boolean };

export function applyEdit(area: HTMLTextAreaElement, { from, to, text, select }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  const typing = document as unknown as Typing;
  const isTyped = typing.execCommand?.(text === '' ? 'delete' : 'insertText', false, text) === true;
  if (!isTyped) {
    area.setRangeText(text, from, to, 'end');
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  area.setSelectionRange(select[0], select[1]);
}

/** Replaces the selection; the caret comes behind the text. */
export function insertText(area: HTMLTextAreaElement, text: string): void {
  const { selectionStart: from, selectionEnd: to } = area;
  const end = from + text.length;
  applyEdit(area, { from, to, text, select: [end, end] });
}

/** Inserts a word, with a space before it if it would touch another. */
export function insertWord(area: HTMLTextAreaElement, word: string): void {
  const before = area.value[area.selectionStart - 1] ?? ' ';
  insertText(area, `${/\s/.test(before) ? '' : ' '}${word} `);
}
