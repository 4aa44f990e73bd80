/** Puts a text onto the clipboard, which browsers give only to pages over TLS or of this machine. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  // The one way that pages without TLS have.
  document.execCommand('copy');
  area.remove();
}
