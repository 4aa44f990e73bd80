/** Comments that GitLab's pages do not show: templates of issues and merge requests are full of them. */
const OPENING = '<!--';
const CLOSING = '-->';

/** Reads the text once, whatever is in it. A comment that never ends is left as text. */
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
