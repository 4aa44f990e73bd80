/** Strips HTML comments, which GitLab's pages do not show and its templates are full of. */
const OPENING = '<!--';
const CLOSING = '-->';

/** One linear pass. An unclosed comment stays as text. */
export function withoutHiddenComments(text: string): string {
  let shown = '';
  let at = 0;
  for (;;) {
    const begin = text.indexOf(OPENING, at);
    const end = begin < 0 ? -1 : text.indexOf(CLOSING, begin + OPENING.length);
    if (end < 0) return shown + text.slice(at);
    shown += text.slice(at, begin);
    at = end + CLOSING.length;
  }
}
