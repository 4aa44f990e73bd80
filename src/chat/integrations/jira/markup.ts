/** Converts Jira's markup to Markdown. No pattern scans past its own opening mark, so long texts stay cheap. */
export function markdownOf(text: string): string {
  return text
    .replaceAll('\\!', '!')
    .replace(/(^|[\s(])\*([^*\n]+)\*(?=$|[\s).,!?:;])/g, '$1**$2**')
    .replace(/\{\{([^{}\n]+)\}\}/g, '`$1`')
    .replace(/^bq\. (.*)$/gm, '> $1')
    .replace(/\{quote\}/g, alternate('\n~~~ quote\n', '\n~~~\n'))
    .replace(/\{noformat\}/g, alternate('\n~~~\n', '\n~~~\n'))
    .replace(/\{code(?::[^{}\n]*)?\}/g, alternate('\n~~~\n', '\n~~~\n'))
    .replace(/\[~([^[\]|\n]+)\]/g, '**$1**')
    .replace(/\[([^[\]|\n]+)\|(https?:[^[\]|\s]+)(?:\|[^[\]\n]*)?\]/g, '[$1]($2)')
    .replace(/\[(https?:[^[\]|\s]+)\]/g, '[$1]($1)');
}

/** Blocks open and close with the same word. */
function alternate(opening: string, closing: string): () => string {
  let isOpen = false;
  return () => {
    isOpen = !isOpen;
    return isOpen ? opening : closing;
  };
}
