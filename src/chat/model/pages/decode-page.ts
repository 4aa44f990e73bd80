/** Decodes a fetched page to text; undefined if it is not HTML. */

const HTML_TYPES = new Set(['text/html', 'application/xhtml+xml']);
/** A page declares its encoding within this many bytes. */
const FIRST_BYTES = 1024;

export function decodePage(contentType: string | undefined, body: Buffer): string | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const start = body.subarray(0, FIRST_BYTES).toString('latin1');
  // Some servers send no content type. Content declared as HTML is checked too.
  if (type.trim() !== '' && !HTML_TYPES.has(type.trim())) return undefined;
  if (!/^(?:\xef\xbb\xbf)?\s*</.test(start)) return undefined;
  const named =
    /charset\s*=\s*["']?([\w-]+)/.exec(parameters.join(';')) ??
    /<meta[^>]{1,200}charset\s*=\s*["']?([\w-]+)/i.exec(start);
  return decoderOf(named?.[1]).decode(body);
}

function decoderOf(label = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
