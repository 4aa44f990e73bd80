/** Copies text to the clipboard. Browsers offer the clipboard API only over TLS or on localhost. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  // The only way without TLS.
  document.execCommand('copy');
  area.remove();
}
